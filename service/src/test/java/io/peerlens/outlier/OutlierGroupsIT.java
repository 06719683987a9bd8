package io.peerlens.outlier;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Definitions of peer groups by the API. */
class OutlierGroupsIT {

  /** Single quotes are double ones. */
  private static final String WEB =
      """
      'name': 'shop/web',
      'objectKind': {'adapterKind': 'VMWARE', 'objectKind': 'VirtualMachine'},
      'metrics': [{'key': 'cpu|usage_average'}]
      """;

  private static SampleData data;
  private static PeerlensServer server;
  private static ApiClient api;

  @BeforeAll
  static void start() {
    data = SampleData.create();
    data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average", "ready"));
    data.sql("update metric_group set units = array['percent', null]");
    data.object("VMWARE", "VirtualMachine", "web-01");
    data.object("VMWARE", "HostSystem", "esx-01");
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
    server =
        PeerlensServer.start(
            data.database(), Set.of(Role.API), "peerlens.super-metrics.vocabulary-age=1ms");
    api = server.admin();
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
  }

  @BeforeEach
  void empty() {
    data.sql("delete from outlier_group");
    data.sql("delete from outlier_event");
    data.sql("delete from outlier_state");
    data.sql("delete from object_group");
    data.sql("delete from super_metric");
  }

  private static String json(String text) {
    return "{" + text.replace('\'', '"') + "}";
  }

  private static Answer create(String body) {
    Answer answer = api.post("/outlier-groups", json(body));
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return answer;
  }

  private static List<String> names(String query) {
    Answer answer = api.get("/outlier-groups" + query);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    List<String> names = new ArrayList<>();
    answer.json().get("items").forEach(item -> names.add(item.get("name").asString()));
    return names;
  }

  @Test
  void aGroupIsCreatedReadChangedDeletedAndRestored() {
    Answer created = create(WEB);
    String id = created.json().get("id").asString();
    String path = "/outlier-groups/" + id;
    assertThat(created.header("Location")).isEqualTo("/api/v1" + path);
    JsonNode group = created.json();
    assertThat(group.get("side").asString()).isEqualTo("both");
    assertThat(group.get("method").get("type").asString()).isEqualTo("peers");
    assertThat(group.get("sensitivity").asString()).isEqualTo("medium");
    assertThat(group.get("opensAt").asDouble()).isEqualTo(4.5);
    assertThat(group.get("bucketMillis").asLong()).isEqualTo(300_000);
    assertThat(group.get("opens").get("of").asInt()).isEqualTo(4);
    assertThat(group.get("metrics").get(0).get("unit").asString()).isEqualTo("percent");
    assertThat(group.get("metrics").get(0).get("proposedMinDeviation").asDouble()).isEqualTo(5);
    assertThat(group.get("now").get("state").asString()).isEqualTo("not-judged-yet");
    assertThat(group.get("issues").size()).isZero();

    String changed = json(WEB + ", 'sensitivity': '5.5', 'enabled': false");
    assertThat(api.put(path, changed).status()).isEqualTo(428);
    Answer put = api.with("If-Match", "\"1\"").put(path, changed);
    assertThat(put.status()).as(put.body()).isEqualTo(200);
    assertThat(put.header("ETag")).isEqualTo("\"2\"");
    assertThat(put.json().get("opensAt").asDouble()).isEqualTo(5.5);
    assertThat(put.json().get("now").get("state").asString()).isEqualTo("disabled");
    assertThat(api.with("If-Match", "\"1\"").put(path, changed).status()).isEqualTo(412);
    assertThat(api.get(path).body()).isEqualTo(put.body());

    assertThat(api.with("If-Match", "\"2\"").delete(path).status()).isEqualTo(204);
    assertThat(api.get(path).status()).isEqualTo(404);
    JsonNode history = api.get(path + "/history").json();
    assertThat(history.get("total").asInt()).isEqualTo(3);
    assertThat(history.get("items").get(0).get("action").asString()).isEqualTo("deleted");
    assertThat(history.get("items").get(1).get("changes").toString()).contains("sensitivity");
    Answer restored = api.post(path + "/history/1/restore", "{}");
    assertThat(restored.status()).as(restored.body()).isEqualTo(200);
    assertThat(restored.json().get("sensitivity").asString()).isEqualTo("medium");
    assertThat(restored.header("ETag")).isEqualTo("\"4\"");
  }

  @ParameterizedTest(name = "{0} is refused at {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "'bucket': '7m' | bucket",
        "'bucket': '2h' | bucket",
        "'evaluationDelay': '2h' | evaluationDelay",
        "'sensitivity': 'very' | sensitivity",
        "'opens': {'violations': 5, 'of': 4} | opens.of",
        "'method': {'type': 'peers', 'tolerance': 3} | method.tolerance",
        "'method': {'type': 'dbscan', 'percent': 20} | method.percent",
        "'method': {'type': 'mad', 'tolerance': 3, 'sensitivity': 0.5} | method.tolerance",
        "'method': {'type': 'mad', 'window': '2d'} | method.window",
        "'method': {'type': 'mad', 'interchangeable': true} | method.interchangeable",
        "'alert': {'severity': 'loud', 'impact': 'health'} | alert.severity",
        "'closesAfter': 0 | closesAfter",
        "'scope': {'tags': ['=web']} | scope.tags[0]"
      })
  void anInvalidGroupIsRefusedWithTheFieldAtFault(String more, String field) {
    Answer answer = api.post("/outlier-groups", json(WEB + ", " + more));
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.json().get("errors").get(0).get("field").asString()).isEqualTo(field);
  }

  @Test
  void namesAreUniqueAndMetricsAreNamedOnce() {
    create(WEB);
    assertThat(api.post("/outlier-groups", json(WEB)).status()).isEqualTo(409);
    Answer twice =
        api.post(
            "/outlier-groups",
            json(
                WEB.replace("shop/web", "other")
                    .replace("}]", "}, {'key': 'cpu|usage_average'}]")));
    assertThat(twice.status()).isEqualTo(400);
    assertThat(twice.body()).contains("metrics[1].key");
  }

  @Test
  void unknownMetricsAreReportedButNoError() {
    JsonNode issues = create(WEB.replace("usage_average", "usage_averag")).json().get("issues");
    assertThat(issues.get(0).get("field").asString()).isEqualTo("metrics[0].key");
    assertThat(issues.get(0).get("hint").asString()).contains("cpu|usage_average");
  }

  @Test
  void parametersOfOtherProductsAreAccepted() {
    JsonNode datadog =
        create(WEB + ", 'method': {'type': 'dbscan', 'tolerance': 2.5, 'window': '2h'}").json();
    assertThat(datadog.get("method").get("tolerance").asDouble()).isEqualTo(2.5);
    assertThat(datadog.get("opensAt").asDouble()).isEqualTo(2.5);
    JsonNode grafana =
        create(WEB.replace("shop/web", "b") + ", 'method': {'type': 'mad', 'sensitivity': 0.5}")
            .json();
    assertThat(grafana.get("opensAt").asDouble()).isBetween(2.9, 2.95);
  }

  @Test
  void listsAreFilteredSortedAndPaged() {
    create(WEB);
    create(WEB.replace("shop/web", "b") + ", 'enabled': false");
    create(WEB.replace("shop/web", "c").replace("VirtualMachine", "HostSystem"));
    assertThat(names("?sort=name")).containsExactly("b", "c", "shop/web");
    assertThat(names("")).containsExactly("c", "shop/web", "b");
    assertThat(names("?enabled=false")).containsExactly("b");
    assertThat(names("?objectKind=HostSystem")).containsExactly("c");
    assertThat(names("?q=WEB")).containsExactly("shop/web");
    assertThat(names("?state=disabled")).containsExactly("b");
    JsonNode page = api.get("/outlier-groups?sort=name&limit=2").json();
    assertThat(page.get("total").asInt()).isEqualTo(3);
    assertThat(names("?sort=name&limit=2&cursor=" + page.get("nextCursor").asString()))
        .containsExactly("shop/web");
  }

  @Test
  void aSuperMetricThatAGroupReadsCannotBeDeleted() {
    Answer scope = api.post("/groups", json("'name': 'Web', 'scope': {'tags': ['tier=web']}"));
    String id = scope.json().get("id").asString();
    create(WEB + ", 'scope': {'groups': ['" + id + "']}");
    Answer refused = api.with("If-Match", scope.header("ETag")).delete("/groups/" + id);
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.body()).contains("shop/web");
  }

  @Test
  void aSuperMetricSaysWhichGroupsAreComparedInIt() {
    Answer made =
        api.post(
            "/super-metrics",
            json(
                "'name': 'Load', 'formula': 'avg(${this, metric=cpu|usage_average})',"
                    + " 'kinds': [{'adapterKind': 'VMWARE', 'objectKind': 'VirtualMachine'}]"));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    String id = made.json().get("id").asString();
    create(WEB.replace("cpu|usage_average", "Super Metric|sm_" + id));
    JsonNode uses = api.get("/super-metrics/" + id + "/used-by").json().get("usedBy");
    assertThat(uses.get(0).get("kind").asString()).isEqualTo("outlier-group");
    assertThat(uses.get(0).get("name").asString()).isEqualTo("shop/web");
  }

  @Test
  void groupsTravelInRulesFiles() {
    Answer created = create(WEB + ", 'sensitivity': 'high'");
    String id = created.json().get("id").asString();
    String file = api.get("/rules/export").body();
    assertThat(file).contains("outlierGroups");
    api.with("If-Match", "\"1\"").delete("/outlier-groups/" + id);
    Answer imported =
        api.upload("/rules/import", "application/json", file.getBytes(StandardCharsets.UTF_8));
    assertThat(imported.status()).as(imported.body()).isEqualTo(200);
    assertThat(imported.json().get("created").asInt()).isEqualTo(1);
    assertThat(api.get("/outlier-groups/" + id).json().get("sensitivity").asString())
        .isEqualTo("high");
  }

  @Test
  void onlyMembersOfTheKindAreMarked() {
    String id = create(WEB).json().get("id").asString();
    String path = "/outlier-groups/" + id + "/exceptions";
    UUID host = SampleData.uuid("HostSystem", "esx-01");
    assertThat(api.post(path, "{\"object\": \"" + host + "\"}").status()).isEqualTo(400);
    UUID vm = SampleData.uuid("VirtualMachine", "web-01");
    assertThat(
            api.post(
                    path, "{\"object\": \"%s\", \"until\": \"2020-01-01T00:00:00Z\"}".formatted(vm))
                .status())
        .isEqualTo(400);
    assertThat(api.post(path, "{\"object\": \"" + vm + "\"}").status()).isEqualTo(200);
    assertThat(api.get("/outlier-groups/" + id).header("ETag")).isEqualTo("\"1\"");
  }

  @Test
  void eventsAreArchivedAndAnnotated() {
    String group = create(WEB).json().get("id").asString();
    UUID event = UUID.randomUUID();
    data.jdbc()
        .sql(
            """
            insert into outlier_event (id, group_id, group_name, object_id, status, opened_at, since, last_bucket, updated_at,
              side, severity, evidence, score, peak_score, peak_at, violations, of, judged, members, metrics, explanation)
            select ?, ?::uuid, 'shop/web', o.id, 'open', now(), now(), now(), now(), 'high', 3, 'level', 6.2, 7.1, now(), 3, 4,
              5, 6, '[{"key": "cpu|usage_average", "name": "cpu usage average", "unit": "%", "value": 96, "centre": 40,
                       "lower": 20, "upper": 60, "score": 6.2, "factor": 2.4}]',
              '{"text": "web-01: cpu usage average is 96 %.", "strong": [], "key": "cpu|usage_average",
                "metricName": "cpu usage average", "limit": 4.5, "evidence": "level", "violations": 3, "of": 4,
                "since": "2026-11-20T14:00:00Z", "judged": 5, "notJudged": [], "notJudgedCount": 0, "floorDecided": false,
                "groupMoved": false, "others": [], "setting": {"name": "shop/web", "href": "/outliers/1"}}'
            from object o where o.name = 'web-01'
            """)
        .params(event, group)
        .update();
    assertThat(act(event, "archive", ", 'note': 'Pool corrected'")).isTrue();
    assertThat(act(event, "archive", "")).isFalse();
    assertThat(api.get("/outlier-events?archived=false").json().get("total").asInt()).isZero();
    JsonNode archived =
        api.get("/outlier-events?archived=true&q=WEB-01").json().get("items").get(0);
    assertThat(archived.get("state").asString()).isEqualTo("open");
    assertThat(archived.get("noteCount").asInt()).isEqualTo(1);
    assertThat(act(event, "unarchive", "")).isTrue();
    JsonNode steps = api.get("/outlier-events/" + event + "/history").json();
    assertThat(steps.get("items").valueStream().map(step -> step.get("event").asString()))
        .containsExactly("unarchived", "note", "archived");
    JsonNode details = api.get("/outlier-events/" + event).json();
    assertThat(details.get("event").get("explanation").get("subject").get("name").asString())
        .isEqualTo("web-01");
    assertThat(api.get("/outlier-groups/" + group).json().get("openEvents").asInt()).isEqualTo(1);
    assertThat(
            data.jdbc()
                .sql("select severity || ' ' || object || ' ' || metric from outlier")
                .query(String.class)
                .single())
        .isEqualTo("immediate web-01 cpu|usage_average");
    Answer none =
        api.post("/outlier-events/actions", json("'ids': ['" + event + "'], 'action': 'note'"));
    assertThat(none.status()).isEqualTo(400);
    assertThat(act(UUID.randomUUID(), "archive", "")).isFalse();
  }

  private static boolean act(UUID event, String action, String more) {
    Answer answer =
        api.post(
            "/outlier-events/actions",
            json("'ids': ['" + event + "'], 'action': '" + action + "'" + more));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json().get("items").get(0).get("done").asBoolean();
  }
}
