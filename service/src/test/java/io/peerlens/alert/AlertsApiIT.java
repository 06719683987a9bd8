package io.peerlens.alert;

import static io.peerlens.alert.AlertWorld.HEALTH;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.ApiClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class AlertsApiIT {

  @Test
  void aDefinitionThatCannotBeReadDoesNotKeepOthersFromAlerting() {
    try (AlertWorld world = new AlertWorld()) {
      world.data.sql(
          """
          insert into alert_definition (id, name, definition, created_at, created_by, updated_at, updated_by)
          values (gen_random_uuid(), 'of a later version', '{"what": "nobody knows"}', now(), 'test', now(), 'test')
          """);
      world.object("HostSystem", "esx-1", "");
      world.cpu("esx-1", 99);
      world.threshold("Host CPU is high", "HostSystem", HEALTH);
      world.soon(() -> assertThat(total(world, "")).isEqualTo(1));
      assertThat(world.api.get("/alert-definitions").json().get("total").asInt()).isZero();
    }
  }

  @Test
  void alertsAreFoundCountedRelatedAndActedUponInBulk() {
    try (AlertWorld world = new AlertWorld()) {
      UUID cluster = world.object("ClusterComputeResource", "prod-a", "");
      List<String> hosts = new ArrayList<>();
      for (int host = 1; host <= 5; host++) {
        hosts.add(world.object("HostSystem", "esx-" + host, "prod-a").toString());
        world.cpu("esx-" + host, host == 1 ? 99 : 90);
      }
      String threshold = world.threshold("Host CPU is high", "HostSystem", HEALTH);
      world.threshold("Also high", "HostSystem", "");
      world.soon(() -> assertThat(total(world, "")).isEqualTo(5));
      ApiClient api = world.api;

      assertThat(names(api, "sort=-severity")).startsWith("esx-1");
      assertThat(names(api, "sort=object"))
          .containsExactly("esx-1", "esx-2", "esx-3", "esx-4", "esx-5");
      assertThat(total(world, "severity=warning")).isEqualTo(4);
      assertThat(total(world, "severity=warning&severity=critical&impact=health")).isEqualTo(5);
      assertThat(total(world, "object=" + hosts.get(2))).isEqualTo(1);
      assertThat(total(world, "ancestor=" + cluster)).isEqualTo(5);
      assertThat(total(world, "ancestor=" + hosts.get(0))).isEqualTo(1);
      assertThat(total(world, "objectKind=hostsystem&adapterKind=vmware")).isEqualTo(5);
      assertThat(total(world, "objectKind=Datastore")).isEqualTo(0);
      assertThat(total(world, "q=cpu%20esx-3")).isEqualTo(1);
      assertThat(total(world, "owner=nobody&flapping=false&definition=" + threshold)).isEqualTo(5);
      assertThat(total(world, "from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z")).isEqualTo(0);
      assertThat(total(world, "from=2020-01-01T00:00:00Z")).isEqualTo(5);
      assertThat(api.get("/alerts?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z").status())
          .isEqualTo(400);
      assertThat(pages(api, "sort=-severity")).hasSize(5).doesNotHaveDuplicates();
      assertThat(pages(api, "sort=definition")).hasSize(5).doesNotHaveDuplicates();
      assertThat(pages(api, "sort=-openedAt")).hasSize(5).doesNotHaveDuplicates();

      List<String> csv =
          api.with("Accept", "text/csv").get("/alerts?sort=object&limit=2").body().lines().toList();
      assertThat(csv).hasSize(3);
      assertThat(csv.get(0))
          .startsWith("id,number,source,definitionId,definition,objectId,object,");
      assertThat(csv.get(1))
          .contains(",threshold," + threshold + ",Host CPU is high," + hosts.get(0) + ",esx-1,")
          .contains(",health,critical,")
          .contains("CPU usage is 99");

      assertThat(counts(api, "severity")).containsExactly("warning 4", "critical 1");
      assertThat(counts(api, "cluster")).containsExactly("prod-a 5");
      assertThat(counts(api, "owner")).containsExactly("nobody 5");
      assertThat(counts(api, "definition")).containsExactly("Host CPU is high 5");
      assertThat(counts(api, "object")).hasSize(5);
      assertThat(counts(api, "object-kind")).containsExactly("HostSystem 5");
      assertThat(counts(api, "control-state")).containsExactly("open 5");
      assertThat(counts(api, "impact")).containsExactly("health 5");
      assertThat(counts(api, "hour").getLast()).endsWith(" 5");

      howThingsStandAndWhatWasOpenIsToldInBrief(world, hosts.get(0));

      JsonNode alert = world.one("object=" + hosts.get(0));
      String id = alert.get("id").asString();
      JsonNode related = api.get("/alerts/" + id + "/related").json();
      assertThat(related.get("symptoms").get(0).get("relation").asString()).isEqualTo("self");
      assertThat(
              related.get("symptoms").get(0).get("symptom").get("threshold").get("name").asString())
          .isEqualTo("Also high");
      assertThat(related.get("symptoms").get(1).get("relation").asString()).isEqualTo("sibling");
      assertThat(related.get("symptoms").size()).isEqualTo(9);

      List<String> ids = ids(api);
      UUID unknown = UUID.randomUUID();
      JsonNode done =
          api.post(
                  "/alerts/actions",
                  "{\"ids\": [\"%s\", \"%s\"], \"action\": \"assign\", \"owner\": \"anna\", \"note\": \"yours\"}"
                      .formatted(String.join("\", \"", ids), unknown))
              .json()
              .get("items");
      assertThat(done.size()).isEqualTo(6);
      assertThat(done.get(5).get("reason").asString()).isEqualTo("There is no such alert.");
      assertThat(counts(api, "owner")).containsExactly("anna 5");
      assertThat(total(world, "owner=anna")).isEqualTo(5);
      JsonNode noted = api.get("/alerts/" + id).json();
      assertThat(noted.get("noteCount").asInt()).isEqualTo(1);
      JsonNode again =
          api.post("/alerts/actions", "{\"ids\": [\"%s\"], \"action\": \"resume\"}".formatted(id))
              .json();
      assertThat(again.get("items").get(0).get("done").asBoolean()).isFalse();
      assertThat(
              api.post(
                      "/alerts/actions",
                      "{\"ids\": [\"%s\"], \"action\": \"suspend\"}".formatted(id))
                  .status())
          .isEqualTo(400);
      assertThat(api.get("/alerts/" + unknown).status()).isEqualTo(404);

      String viewer =
          api.post("/tokens", "{\"name\": \"v\", \"role\": \"viewer\"}")
              .json()
              .get("secret")
              .asString();
      ApiClient reader = new ApiClient(world.url(), viewer);
      assertThat(reader.get("/alerts").status()).isEqualTo(200);
      assertThat(
              reader
                  .post(
                      "/alerts/actions", "{\"ids\": [\"%s\"], \"action\": \"take\"}".formatted(id))
                  .status())
          .isEqualTo(403);
      assertThat(new ApiClient(world.url(), null).get("/alerts").status()).isEqualTo(401);
      definitions(world);
      pagesLoseNothingWhenTheirLastItemGoes(world);
    }
  }

  private static void pagesLoseNothingWhenTheirLastItemGoes(AlertWorld world) {
    String hot = world.threshold("Hotter", "HostSystem", "");
    List<String> paths = new ArrayList<>();
    for (String name : List.of("Page A", "Page B", "Page C")) {
      ApiClient.Answer made =
          world.api.post(
              "/alert-definitions",
              """
              {"name": "%s", "objectKind": {"adapterKind": "VMWARE", "objectKind": "HostSystem"}, "impact": "risk",
               "condition": {"type": "threshold", "threshold": "%s"}}
              """
                  .formatted(name, hot));
      assertThat(made.status()).as(made.body()).isEqualTo(201);
      paths.add("/alert-definitions/" + made.json().get("id").asString());
    }
    String list = "/alert-definitions?limit=1&q=page&sort=-name";
    JsonNode first = world.api.get(list).json();
    assertThat(first.path("items").path(0).path("name").asString()).isEqualTo("Page C");
    world.delete(paths.getLast());

    JsonNode second = world.api.get(list + "&cursor=" + first.path("nextCursor").asString()).json();
    assertThat(second.path("items").path(0).path("name").asString()).isEqualTo("Page B");
  }

  /** Create, change, history, restore, file. */
  private static void definitions(AlertWorld world) {
    ApiClient api = world.api;
    String hot = world.threshold("Hot", "HostSystem", "");
    String body =
        """
        {"name": "%s", "objectKind": {"adapterKind": "VMWARE", "objectKind": "HostSystem"}, "impact": "risk",
         "condition": {"type": "%s", "conditions": [{"type": "threshold", "threshold": "%s"}]}}
        """;
    ApiClient.Answer made = api.post("/alert-definitions", body.formatted("D", "all", hot));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    String path = "/alert-definitions/" + made.json().get("id").asString();
    assertThat(api.post("/alert-definitions", body.formatted("D", "all", hot)).status())
        .isEqualTo(409);
    assertThat(
            api.post("/alert-definitions", body.formatted("E", "all", UUID.randomUUID())).status())
        .isEqualTo(400);
    assertThat(api.put(path, body.formatted("D2", "any", hot)).status()).isEqualTo(428);
    ApiClient.Answer changed =
        api.with("If-Match", made.header("ETag")).put(path, body.formatted("D2", "any", hot));
    assertThat(changed.status()).as(changed.body()).isEqualTo(200);
    assertThat(api.with("If-Match", made.header("ETag")).delete(path).status()).isEqualTo(412);
    assertThat(api.get(path + "/history").json().get("items").get(0).get("changes").toString())
        .contains("\"name\"", "D2", "condition.type");
    assertThat(api.get("/alert-definitions?q=d2&threshold=" + hot).json().get("total").asInt())
        .isEqualTo(1);
    ApiClient.Answer file = api.get("/rules/export");
    assertThat(file.body()).contains("alertDefinitions", "D2");
    world.delete(path);
    assertThat(api.get(path).status()).isEqualTo(404);
    assertThat(api.post(path + "/history/1/restore", "").status()).isEqualTo(200);
    assertThat(api.get(path).json().get("name").asString()).isEqualTo("D");
    ApiClient.Answer imported = api.post("/rules/import?onConflict=overwrite", file.body());
    assertThat(imported.status()).as(imported.body()).isEqualTo(200);
    assertThat(api.get(path).json().get("name").asString()).isEqualTo("D2");
  }

  private static int total(AlertWorld world, String query) {
    ApiClient.Answer answer = world.api.get("/alerts?" + query);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json().get("total").asInt();
  }

  private static List<String> names(ApiClient api, String query) {
    return api.get("/alerts?" + query)
        .json()
        .get("items")
        .valueStream()
        .map(alert -> alert.get("object").get("name").asString())
        .toList();
  }

  private static List<String> ids(ApiClient api) {
    return api.get("/alerts")
        .json()
        .get("items")
        .valueStream()
        .map(alert -> alert.get("id").asString())
        .toList();
  }

  /** All ids, two at a time. */
  private static List<String> pages(ApiClient api, String query) {
    List<String> ids = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = api.get("/alerts?limit=2&" + query + cursor).json();
      page.get("items").forEach(alert -> ids.add(alert.get("id").asString()));
      cursor =
          page.get("nextCursor").isNull() ? "" : "&cursor=" + page.get("nextCursor").asString();
    } while (!cursor.isEmpty());
    return ids;
  }

  private static List<String> counts(ApiClient api, String by) {
    ApiClient.Answer answer = api.get("/alerts/counts?by=" + by);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer
        .json()
        .get("items")
        .valueStream()
        .map(item -> item.get("label").asString() + " " + item.get("count").asInt())
        .toList();
  }

  private static void howThingsStandAndWhatWasOpenIsToldInBrief(AlertWorld world, String host) {
    JsonNode summary = world.api.get("/summary").json();
    assertThat(summary.get("openAlerts").toString())
        .isEqualTo(
            "[{\"count\":1,\"severity\":\"critical\"},{\"count\":4,\"severity\":\"warning\"}]");
    assertThat(summary.get("openOutlierEvents").asInt()).isZero();
    assertThat(summary.get("unfinishedJobs").asInt()).isZero();
    assertThat(summary.get("links").asBoolean()).isFalse();
    assertThat(summary.get("history").get("times").isArray()).isTrue();
    world.data.sql(
        """
        insert into outlier_event (id, group_id, group_name, object_id, status, opened_at, since, last_bucket, updated_at, side,
          severity, evidence, peak_score, peak_at, violations, of, judged, members, metrics, explanation)
        select gen_random_uuid(), gen_random_uuid(), 'hosts of prod', id, 'unknown', now(), now() - interval '1 hour', now(), now(),
          'high', 3, 'level', 9, now(), 4, 4, 8, 8, '[]', '{}'
        from object where name = 'esx-2'
        """);
    assertThat(world.api.get("/summary").json().get("openOutlierEvents").asInt()).isEqualTo(1);
    JsonNode timeline = world.api.get("/timeline").json();
    assertThat(timeline.get("total").asInt()).isEqualTo(6);
    assertThat(texts(timeline, "severity"))
        .containsExactly("critical", "immediate", "warning", "warning", "warning", "warning");
    assertThat(texts(timeline, "kind")).startsWith("alert", "outlier-event", "alert");
    JsonNode event = timeline.get("items").get(1);
    assertThat(event.get("title").asString()).isEqualTo("hosts of prod");
    assertThat(event.get("fromGroup").asBoolean()).isTrue();
    assertThat(event.get("object").get("name").asString()).isEqualTo("esx-2");
    assertThat(event.path("until").isMissingNode()).isTrue();
    JsonNode first = world.api.get("/timeline?limit=1").json();
    assertThat(first.get("items").size()).isEqualTo(1);
    assertThat(first.get("total").asInt()).isEqualTo(6);
    assertThat(first.path("changes").isMissingNode()).isTrue();
    assertThat(
            world
                .api
                .post(
                    "/changes",
                    """
                    {"object": "%s", "time": "%s", "title": "Firmware 2.1", "sort": "firmware"}
                    """
                        .formatted(host, Instant.now().minusSeconds(60)))
                .status())
        .isEqualTo(201);
    JsonNode changes = world.api.get("/changes?limit=3").json().get("items");
    assertThat(changes.size()).isPositive();
    assertThat(world.api.get("/timeline?changes=3").json().get("changes")).isEqualTo(changes);
    assertThat(world.api.get("/timeline?ancestor=" + host).json().get("total").asInt())
        .isEqualTo(1);
    String before = "/timeline?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z";
    assertThat(world.api.get(before).json().get("total").asInt()).isZero();
    assertThat(world.api.get("/timeline?to=2020-01-01T00:00:00Z&from=now").status()).isEqualTo(400);
    assertThat(
            world
                .api
                .get("/timeline?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z")
                .json()
                .get("detail")
                .asString())
        .contains("from");
    world.data.sql(
        "update outlier_event set archived_at = now(), status = 'closed', closed_at = now()");
    assertThat(world.api.get("/summary").json().get("openOutlierEvents").asInt()).isZero();
  }

  private static List<String> texts(JsonNode page, String field) {
    List<String> texts = new ArrayList<>();
    page.get("items").forEach(item -> texts.add(item.get(field).asString()));
    return texts;
  }
}
