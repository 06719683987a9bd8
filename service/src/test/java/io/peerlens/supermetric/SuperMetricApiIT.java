package io.peerlens.supermetric;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class SuperMetricApiIT {

  private static final String HOST = "{\"adapterKind\":\"VMWARE\",\"objectKind\":\"HostSystem\"}";
  private static final JsonMapper JSON = JsonMapper.shared();

  private static PeerlensServer server;
  private static ApiClient api;
  private static JdbcClient jdbc;

  @BeforeAll
  static void start() {
    server =
        PeerlensServer.start(
            TestDatabase.migrated(),
            Set.of(Role.API),
            "peerlens.super-metrics.vocabulary-age=1ms",
            "peerlens.scopes.age=1ms",
            "peerlens.super-metrics.history=10");
    api = server.admin();
    jdbc = server.context().getBean(JdbcClient.class);
    object("Datacenter", "dc", "{}", "{}");
    object(
        "HostSystem",
        "esx-01",
        "{\"runtime|maintenanceState\":\"notInMaintenance\"}",
        "{\"env\":\"prod\"}");
    object("HostSystem", "esx-02", "{\"runtime|maintenanceState\":\"notInMaintenance\"}", "{}");
    object("HostSystem", "esx-03", "{\"runtime|maintenanceState\":\"inMaintenance\"}", "{}");
    jdbc.sql(
            """
            insert into relation select p.id, c.id from object p, object c
            where p.name = 'dc' and c.name in ('esx-02', 'esx-03')
            """)
        .update();
    jdbc.sql(
            """
            insert into metric_group (adapter_kind, object_kind, name, metrics, units)
            values ('VMWARE', 'HostSystem', 'cpu', '{usage_average,usagemhz_average}', '{%,MHz}'),
                   ('VMWARE', 'HostSystem', 'net', '{usage_average}', '{KBps}')
            """)
        .update();
    jdbc.sql(
            """
            insert into metric_set (object_id, group_id, instance)
            select o.id, g.id, case g.name when 'net' then 'vmnic0' else '' end
            from object o join metric_group g on g.object_kind = o.object_kind and g.adapter_kind = 'VMWARE'
            where g.name = 'cpu' or o.name = 'esx-01'
            """)
        .update();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void empty() {
    jdbc.sql("delete from super_metric").update();
    jdbc.sql("delete from super_metric_state").update();
    jdbc.sql("delete from super_metric_history").update();
  }

  private static void object(String kind, String name, String properties, String tags) {
    jdbc.sql(
            """
            insert into object (uuid, adapter_kind, object_kind, external_id, name, properties, tags, attributes_time,
              first_seen)
            values (gen_random_uuid(), 'VMWARE', ?, ?, ?, ?::jsonb, ?::jsonb, now(), now())
            """)
        .params(kind, name, name, properties, tags)
        .update();
  }

  private static String body(String name, String formula, String kinds, String more) {
    ObjectNode node = JSON.createObjectNode();
    node.put("name", name);
    node.put("formula", formula);
    node.set("kinds", JSON.readTree("[" + kinds + "]"));
    node.setAll((ObjectNode) JSON.readTree("{" + more + "}"));
    return JSON.writeValueAsString(node);
  }

  private static Answer create(String name, String formula) {
    return create(name, formula, HOST, "");
  }

  private static Answer create(String name, String formula, String kinds, String more) {
    Answer answer = api.post("/super-metrics", body(name, formula, kinds, more));
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return answer;
  }

  private static String id(Answer answer) {
    return answer.json().path("id").asString();
  }

  private static String text(Answer answer, String field) {
    return answer.json().path(field).asString();
  }

  private static List<String> names(Answer answer) {
    List<String> names = new ArrayList<>();
    answer.json().path("items").forEach(item -> names.add(item.path("name").asString()));
    return names;
  }

  // -----------------------------------------------------------------------------------------
  // change

  @Test
  void aSuperMetricIsCreatedReadChangedAndDeleted() {
    Answer created =
        create(
            "Busy",
            "${this, metric=cpu|usage_average} > 80",
            HOST,
            "\"description\":\"1 ="
                + " busy\",\"unitId\":\"none\",\"tags\":[\"cpu\",\"cpu\"],\"interval\":\"30s\"");
    assertThat(created.header("Location")).isEqualTo("/api/v1/super-metrics/" + id(created));
    assertThat(text(created, "key")).isEqualTo("Super Metric|sm_" + id(created));
    assertThat(created.json().path("policy").path("enabled").asBoolean()).isTrue();
    assertThat(created.json().path("tags").size()).isEqualTo(1);
    assertThat(text(created, "state")).isEqualTo("waiting");
    assertThat(text(created, "validity")).isEqualTo("valid");
    assertThat(text(created, "owner")).isNotEmpty();
    Answer read = api.get("/super-metrics/" + id(created));
    assertThat(read.json()).isEqualTo(created.json());
    assertThat(read.header("ETag")).isEqualTo(created.header("ETag")).isEqualTo("\"1\"");

    String change = body("Busier", "${this, metric=cpu|usage_average} > 90", HOST, "");
    String path = "/super-metrics/" + id(created);
    assertThat(api.put(path, change).status()).isEqualTo(428);
    Answer changed = api.with("If-Match", "\"1\"").put(path, change);
    assertThat(changed.status()).isEqualTo(200);
    assertThat(text(changed, "name")).isEqualTo("Busier");
    assertThat(changed.json().path("interval").asString()).isEqualTo("1m");
    assertThat(changed.header("ETag")).isEqualTo("\"2\"");
    Answer late = api.with("If-Match", "\"1\"").put(path, change);
    assertThat(late.status()).isEqualTo(412);
    assertThat(text(late, "detail")).contains("changed by");

    assertThat(api.delete(path).status()).isEqualTo(428);
    assertThat(api.with("If-Match", "\"1\"").delete(path).status()).isEqualTo(412);
    assertThat(api.with("If-Match", "\"2\"").delete(path).status()).isEqualTo(204);
    assertThat(api.get(path).status()).isEqualTo(404);
    assertThat(api.with("If-Match", "\"2\"").put(path, change).status()).isEqualTo(404);
  }

  @Test
  void severalCanBeDeletedOneAfterTheOther() {
    List<Answer> created =
        List.of(create("First", "1"), create("Second", "2"), create("Third", "3"));
    for (Answer one : created) {
      Answer deleted = api.with("If-Match", "\"1\"").delete("/super-metrics/" + id(one));
      assertThat(deleted.status()).as(deleted.body()).isEqualTo(204);
    }
    assertThat(names(api.get("/super-metrics"))).isEmpty();
  }

  @Test
  void deletedSuperMetricsAreListedOnlyByThatState() {
    create("Stays", "1");
    for (String name : List.of("Gone b", "Gone a", "Gone c")) {
      Answer created = create(name, "${this, metric=cpu|usage_average}");
      api.with("If-Match", "\"1\"").delete("/super-metrics/" + id(created));
    }
    Answer broken = create("Gone broken", "agv(1)");
    api.with("If-Match", "\"1\"").delete("/super-metrics/" + id(broken));
    assertThat(names(api.get("/super-metrics"))).containsExactly("Stays");
    assertThat(names(api.get("/super-metrics?q=gone"))).isEmpty();
    assertThat(names(api.get("/super-metrics?state=invalid"))).isEmpty();
    Answer first = api.get("/super-metrics?state=deleted&limit=2");
    assertThat(names(first)).containsExactly("Gone a", "Gone b");
    assertThat(first.json().path("total").asInt()).isEqualTo(4);
    Answer second =
        api.get("/super-metrics?state=deleted&limit=2&cursor=" + text(first, "nextCursor"));
    assertThat(names(second)).containsExactly("Gone broken", "Gone c");
    assertThat(second.json().path("nextCursor").isNull()).isTrue();
    assertThat(names(api.get("/super-metrics?state=deleted,waiting&sort=-name")))
        .containsExactly("Stays", "Gone c", "Gone broken", "Gone b", "Gone a");
    JsonNode one = api.get("/super-metrics?state=deleted&q=agv").json().path("items").path(0);
    assertThat(one.path("state").asString()).isEqualTo("deleted");
    assertThat(one.path("version").asInt()).isEqualTo(2);
    assertThat(one.path("updatedBy").asString()).isNotEmpty();
    assertThat(one.path("createdAt").asString()).isEqualTo(text(broken, "createdAt"));
    Answer back = api.post("/super-metrics/" + id(broken) + "/history/2/restore", "");
    assertThat(back.status()).as(back.body()).isEqualTo(200);
    assertThat(text(back, "formula")).isEqualTo("agv(1)");
    assertThat(names(api.get("/super-metrics?state=deleted"))).doesNotContain("Gone broken");
    assertThat(text(api.get("/super-metrics/" + id(first.json().path("items").path(0))), "hint"))
        .contains("state=deleted");
  }

  private static String id(JsonNode superMetric) {
    return superMetric.path("id").asString();
  }

  @Test
  void namesAndIdsAreUnique() {
    Answer one = create("One", "1");
    Answer sameName = api.post("/super-metrics", body("One", "2", HOST, ""));
    assertThat(sameName.status()).isEqualTo(409);
    assertThat(text(sameName, "detail")).contains(id(one));
    Answer sameId =
        api.post("/super-metrics", body("Two", "2", HOST, "\"id\":\"" + id(one) + "\""));
    assertThat(sameId.status()).isEqualTo(409);
    Answer two = create("Two", "2");
    Answer renamed =
        api.with("If-Match", two.header("ETag"))
            .put("/super-metrics/" + id(two), body("One", "2", HOST, ""));
    assertThat(renamed.status()).isEqualTo(409);
    assertThat(text(api.get("/super-metrics/" + id(two)), "name")).isEqualTo("Two");
  }

  @Test
  void nonsenseIsRefusedByField() {
    Answer every =
        api.post(
            "/super-metrics",
            body("A", "1", "{\"adapterKind\":\"VMWARE\",\"objectKind\":\"*\"}", ""));
    assertThat(every.json().path("errors").path(0).path("field").asString()).isEqualTo("kinds[0]");
    Answer interval = api.post("/super-metrics", body("A", "1", HOST, "\"interval\":\"7s\""));
    assertThat(interval.json().path("errors").path(0).path("field").asString())
        .isEqualTo("interval");
    Answer nul = api.post("/super-metrics", body("A", "1\u0000", HOST, ""));
    assertThat(nul.json().path("errors").path(0).path("field").asString()).isEqualTo("formula");
    assertThat(api.post("/super-metrics", body("  ", "1", HOST, "")).status()).isEqualTo(400);
  }

  @Test
  void aFormulaWithErrorsIsStoredFlaggedAndExportedUnchanged() {
    String formula =
        "agv(${adaptertype=VMWARE,\n\tobjecttype=HostSystem, metric=cpu|usage_average}) ";
    Answer created = create("Broken", formula);
    assertThat(text(created, "validity")).isEqualTo("invalid");
    assertThat(text(created, "state")).isEqualTo("invalid");
    JsonNode issue = created.json().path("issues").path(0);
    assertThat(issue.path("offset").asInt()).isZero();
    assertThat(issue.path("end").asInt()).isEqualTo(3);
    assertThat(issue.path("hint").asString()).contains("avg");
    assertThat(issue.path("rendered").asString()).contains("^^^");
    Answer file = api.get("/super-metrics/export?id=" + id(created));
    assertThat(file.json().path(id(created)).path("formula").asString()).isEqualTo(formula);
    assertThat(server.context().getBean(SuperMetricStore.class).enabled()).isEmpty();
  }

  @Test
  void viewersReadAndValidateAndOperatorsChange() {
    Answer token = api.post("/tokens", "{\"name\":\"v\",\"role\":\"viewer\"}");
    ApiClient viewer = new ApiClient(server.url(), text(token, "secret"));
    assertThat(viewer.get("/super-metrics").status()).isEqualTo(200);
    assertThat(viewer.post("/super-metrics/validate", "{\"formula\":\"1\"}").status())
        .isEqualTo(200);
    assertThat(viewer.post("/super-metrics", body("A", "1", HOST, "")).status()).isEqualTo(403);
    assertThat(viewer.post("/super-metrics/import", "{}").status()).isEqualTo(403);
    assertThat(viewer.post("/super-metrics/packs/vm-basics/install", "").status()).isEqualTo(403);
    assertThat(server.anonymous().get("/super-metrics").status()).isEqualTo(401);
    Answer operatorToken = api.post("/tokens", "{\"name\":\"o\",\"role\":\"operator\"}");
    ApiClient operator = new ApiClient(server.url(), text(operatorToken, "secret"));
    assertThat(operator.post("/super-metrics", body("A", "1", HOST, "")).status()).isEqualTo(201);
  }

  // -------------------------------------------------------------------------------------------
  // list

  @Test
  void theListIsSearchedFilteredSortedAndPaged() {
    create("Alpha", "${this, metric=cpu|usage_average}", HOST, "\"tags\":[\"prod\"]");
    create("beta", "agv(1)", HOST, "\"description\":\"Needle\"");
    create("Gamma", "1", "{\"adapterKind\":\"VMWARE\",\"objectKind\":\"Datacenter\"}", "");
    create("Delta", "2", "", "");
    create("Off", "3", HOST, "\"enabled\":false");
    assertThat(names(api.get("/super-metrics")))
        .containsExactly("Alpha", "beta", "Delta", "Gamma", "Off");
    assertThat(names(api.get("/super-metrics?sort=-name")))
        .containsExactly("Off", "Gamma", "Delta", "beta", "Alpha");
    assertThat(names(api.get("/super-metrics?sort=updatedAt")))
        .containsExactly("Alpha", "beta", "Gamma", "Delta", "Off");
    assertThat(names(api.get("/super-metrics?q=needle"))).containsExactly("beta");
    assertThat(names(api.get("/super-metrics?q=CPU%20usage"))).containsExactly("Alpha");
    assertThat(names(api.get("/super-metrics?tag=prod"))).containsExactly("Alpha");
    assertThat(names(api.get("/super-metrics?objectKind=Datacenter"))).containsExactly("Gamma");
    assertThat(names(api.get("/super-metrics?adapterKind=None"))).isEmpty();
    assertThat(names(api.get("/super-metrics?state=invalid,unassigned")))
        .containsExactly("beta", "Delta");
    assertThat(names(api.get("/super-metrics?state=disabled"))).containsExactly("Off");
    assertThat(names(api.get("/super-metrics?state=waiting"))).containsExactly("Alpha", "Gamma");

    List<String> paged = new ArrayList<>();
    String cursor = "";
    do {
      Answer page = api.get("/super-metrics?sort=-updatedAt&limit=2" + cursor);
      assertThat(page.json().path("total").asInt()).isEqualTo(5);
      paged.addAll(names(page));
      JsonNode next = page.json().path("nextCursor");
      cursor = next.isNull() ? "" : "&cursor=" + next.asString();
    } while (!cursor.isEmpty());
    assertThat(paged).containsExactly("Off", "Delta", "Gamma", "beta", "Alpha");
    Answer wrong = api.get("/super-metrics?sort=name&limit=2&cursor=nonsense");
    assertThat(text(wrong, "code")).isEqualTo("invalid-cursor");
  }

  // ------------------------------------------------------------------------------------------
  // state

  @Test
  void theStateIsThatOfTheLastTick() {
    Answer created =
        create(
            "A",
            "${this, metric=cpu|usage_average}",
            HOST + ",{\"adapterKind\":\"VMWARE\",\"objectKind\":\"Datacenter\"}",
            "");
    tick(id(created), "HostSystem", 2, "{\"no-value\": 1}", null);
    tick(id(created), "Datacenter", 0, "{\"unknown-key\": 1, \"no-value\": 3}", null);
    tick(id(created), "VirtualMachine", 99, "{}", null); // not assigned any more
    Answer state = api.get("/super-metrics/" + id(created) + "/state");
    assertThat(text(state, "state")).isEqualTo("computing");
    JsonNode summary = state.json().path("summary");
    assertThat(summary.path("computed").asInt()).isEqualTo(2);
    assertThat(summary.path("withoutValue").asInt()).isEqualTo(5);
    assertThat(summary.path("tookMillis").asDouble()).isEqualTo(3.0);
    assertThat(summary.path("noData").path(0).path("reason").asString()).isEqualTo("no-value");
    assertThat(summary.path("noData").path(0).path("objects").asInt()).isEqualTo(4);
    assertThat(summary.path("noData").path(0).path("text").asString())
        .isEqualTo("no value at this moment");
    assertThat(state.json().path("kinds").size()).isEqualTo(2);
    assertThat(names(api.get("/super-metrics?state=computing"))).containsExactly("A");

    tick(id(created), "HostSystem", 0, "{}", "too slow");
    assertThat(text(api.get("/super-metrics/" + id(created)), "state")).isEqualTo("failing");

    // Another formula has not been computed yet.
    api.with("If-Match", "\"1\"").put("/super-metrics/" + id(created), body("A", "2", HOST, ""));
    assertThat(text(api.get("/super-metrics/" + id(created)), "state")).isEqualTo("waiting");
    tick(id(created), "HostSystem", 0, "{\"no-value\": 3}", null);
    // Another description changes nothing of that.
    api.with("If-Match", "\"2\"")
        .put("/super-metrics/" + id(created), body("A", "2", HOST, "\"description\":\"x\""));
    assertThat(text(api.get("/super-metrics/" + id(created)), "state")).isEqualTo("no-data");
  }

  private static void tick(
      String id,
      String kind,
      int computed,
      String noData,
      @org.jspecify.annotations.Nullable String error) {
    jdbc.sql(
            """
            insert into super_metric_state values (?::uuid, 'VMWARE', ?, now(), ?, ?::jsonb, 1500000, ?)
            on conflict (super_metric_id, adapter_kind, object_kind) do update
            set computed = excluded.computed, no_data = excluded.no_data, error = excluded.error
            """)
        .params(id, kind, computed, noData, error)
        .update();
  }

  // -----------------------------------------------------------------------------------------
  // policy

  @Test
  void theLastRuleThatMatchesAnObjectDecides() {
    Answer created = create("A", "1");
    assertThat(on(created)).containsExactly("esx-01", "esx-02", "esx-03");
    policy(
        created,
        "{\"enabled\":true,\"rules\":[{\"enabled\":false},{\"enabled\":true,\"tag\":\"env=prod\"}]}");
    assertThat(on(created)).containsExactly("esx-01");
    String dc =
        jdbc.sql("select uuid::text from object where name = 'dc'").query(String.class).single();
    policy(
        created,
        "{\"enabled\":true,\"rules\":[{\"enabled\":false,\"ancestor\":\""
            + dc
            + "\"},"
            + "{\"enabled\":true,\"property\":\"runtime|maintenanceState=inMaintenance\"}]}");
    assertThat(on(created)).containsExactly("esx-01", "esx-03");
    policy(
        created,
        "{\"enabled\":true,\"rules\":[{\"enabled\":false,\"name\":\"ESX-0*\"},{\"enabled\":true,\"name\":\"*2\"}]}");
    assertThat(on(created)).containsExactly("esx-02");
    policy(created, "{\"enabled\":true,\"rules\":[{\"enabled\":false,\"name\":\"esx_0%\"}]}");
    assertThat(on(created)).as("only * is a wildcard").hasSize(3);
    policy(
        created,
        "{\"enabled\":true,\"rules\":[{\"enabled\":false,\"objectKind\":\"Datacenter\"}]}");
    assertThat(on(created)).hasSize(3);
    policy(created, "{\"enabled\":false,\"rules\":[]}");
    assertThat(server.context().getBean(SuperMetricStore.class).enabled()).isEmpty();
    assertThat(text(api.get("/super-metrics/" + id(created)), "state")).isEqualTo("disabled");
  }

  private static void policy(Answer created, String policy) {
    String path = "/super-metrics/" + id(created);
    Answer answer =
        api.with("If-Match", api.get(path).header("ETag")).put(path + "/policy", policy);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.json().path("policy")).isEqualTo(JSON.readTree(policy));
  }

  /** Names of the hosts that a super metric is computed for. */
  private static List<String> on(Answer created) {
    ObjectKind host = new ObjectKind("VMWARE", "HostSystem");
    ObjectGraph.Builder builder = ObjectGraph.builder();
    jdbc.sql("select id, name from object where object_kind = 'HostSystem' order by id")
        .query(
            row -> {
              builder.object(row.getInt(1), host, row.getString(2));
            });
    ObjectGraph graph = builder.build();
    List<SuperMetricRule> definitions = server.context().getBean(SuperMetricStore.class).enabled();
    boolean[] flags =
        server
            .context()
            .getBean(Policies.class)
            .enabled(definitions, graph)
            .of(UUID.fromString(id(created)), host);
    List<String> on = new ArrayList<>();
    for (int i = 0; i < graph.count(host); i++) {
      if (flags == null || flags[i]) {
        on.add(graph.name(host, i));
      }
    }
    return on;
  }

  // ----------------------------------------------------------------------------------------
  // history

  @Test
  void everyChangeIsRememberedAndCanBeUndone() {
    Answer created = create("A", "1\n2");
    String path = "/super-metrics/" + id(created);
    api.with("If-Match", "\"1\"").put(path, body("B", "1\n3", HOST, "\"tags\":[\"t\"]"));
    api.with("If-Match", "\"2\"").put(path + "/policy", "{\"enabled\":false,\"rules\":[]}");
    JsonNode items = api.get(path + "/history").json().path("items");
    assertThat(items.size()).isEqualTo(3);
    assertThat(items.path(0).path("action").asString()).isEqualTo("policy");
    assertThat(items.path(0).path("changes").path(0).path("field").asString())
        .isEqualTo("policy.enabled");
    List<String> fields = new ArrayList<>();
    items.path(1).path("changes").forEach(change -> fields.add(change.path("field").asString()));
    assertThat(fields).contains("name", "formula", "tags").doesNotContain("modificationTime");
    JsonNode lines = items.path(1).path("changes").path(fields.indexOf("formula")).path("lines");
    assertThat(lines.path(0).path("kind").asString()).isEqualTo("same");
    assertThat(lines.size()).isEqualTo(3);
    assertThat(items.path(2).path("action").asString()).isEqualTo("created");
    assertThat(items.path(2).path("changes").size()).isZero();
    Answer page = api.get(path + "/history?limit=2");
    assertThat(page.json().path("items").path(1)).isEqualTo(items.path(1));
    Answer rest =
        api.get(path + "/history?limit=2&cursor=" + page.json().path("nextCursor").asString());
    assertThat(rest.json().path("items").path(0)).isEqualTo(items.path(2));

    assertThat(api.post(path + "/history/1/restore", "").status()).isEqualTo(428);
    Answer restored = api.with("If-Match", "\"3\"").post(path + "/history/1/restore", "");
    assertThat(restored.status()).isEqualTo(200);
    assertThat(text(restored, "name")).isEqualTo("A");
    assertThat(restored.json().path("policy").path("enabled").asBoolean()).isTrue();
    assertThat(restored.header("ETag")).isEqualTo("\"4\"");

    api.with("If-Match", "\"4\"").delete(path);
    Answer history = api.get(path + "/history");
    assertThat(history.json().path("items").path(0).path("action").asString()).isEqualTo("deleted");
    Answer back = api.post(path + "/history/2/restore", "");
    assertThat(back.status()).isEqualTo(200);
    assertThat(text(back, "name")).isEqualTo("B");
    assertThat(back.header("ETag")).isEqualTo("\"6\"");
    assertThat(api.post(path + "/history/77/restore", "").status()).isEqualTo(404);
    assertThat(api.get("/super-metrics/" + UUID.randomUUID() + "/history").status()).isEqualTo(404);
  }

  @Test
  void onlyTheNewestVersionsAreKept() {
    Answer created = create("A", "0");
    String path = "/super-metrics/" + id(created);
    for (int i = 1; i < 15; i++) {
      api.with("If-Match", "\"" + i + "\"").put(path, body("A", "" + i, HOST, ""));
    }
    JsonNode items = api.get(path + "/history").json().path("items");
    assertThat(items.size()).isEqualTo(10);
    assertThat(items.path(9).path("version").asInt()).isEqualTo(6);
  }

  @Test
  void theVersionMovesWithEveryChange() {
    SuperMetricStore store = server.context().getBean(SuperMetricStore.class);
    long before = store.version();
    assertThat(store.enabled()).isEmpty();
    Answer created =
        create("A", "${this, metric=cpu|usage_average}", HOST, "\"unitId\":\"percent\"");
    assertThat(store.version()).isGreaterThan(before);
    List<SuperMetricRule> enabled = store.enabled();
    assertThat(enabled).hasSize(1);
    assertThat(enabled.getFirst().unit()).isEqualTo("%");
    assertThat(enabled.getFirst().interval()).hasSeconds(60);
    assertThat(store.enabled()).isSameAs(enabled);
    api.with("If-Match", "\"1\"").delete("/super-metrics/" + id(created));
    assertThat(store.enabled()).isEmpty();
  }

  // -----------------------------------------------------------------------------------
  // dependencies

  @Test
  void usesAndCirclesAreShown() {
    String a = id(create("A", "1"));
    String b = id(create("B", "${this, metric=Super Metric|sm_" + a + "} + 1"));
    String broken = id(create("C", "${this, metric=Super Metric|sm_" + a + "} +"));
    JsonNode uses = api.get("/super-metrics/" + a + "/used-by").json();
    assertThat(uses.path("usedBy").path(0).path("id").asString()).isEqualTo(b);
    assertThat(uses.path("usedBy").path(0).path("active").asBoolean()).isTrue();
    assertThat(uses.path("usedBy").path(1).path("id").asString()).isEqualTo(broken);
    assertThat(uses.path("usedBy").path(1).path("active").asBoolean()).isFalse();
    assertThat(uses.path("cycle").size()).isZero();
    JsonNode order = api.get("/super-metrics/dependencies").json().path("order");
    assertThat(order.path(0).path("name").asString()).isEqualTo("A");
    assertThat(order.path(1).path("name").asString()).isEqualTo("B");

    String closing = "${this, metric=Super Metric|sm_" + b + "}";
    JsonNode check =
        api.post(
                "/super-metrics/validate",
                "{\"id\":\"" + a + "\",\"formula\":\"" + closing + "\",\"kinds\":[" + HOST + "]}")
            .json();
    assertThat(check.path("cycle").size()).isEqualTo(2);
    assertThat(check.path("reads").path(0).path("name").asString()).isEqualTo("B");
    api.with("If-Match", "\"1\"").put("/super-metrics/" + a, body("A", closing, HOST, ""));
    JsonNode cycles = api.get("/super-metrics/dependencies").json().path("cycles");
    assertThat(cycles.size()).isEqualTo(1);
    assertThat(cycles.path(0).path("members").size()).isEqualTo(2);
    assertThat(api.get("/super-metrics/" + b + "/used-by").json().path("cycle").size())
        .isEqualTo(2);
  }

  // ---------------------------------------------------------------------------------------
  // validate

  @Test
  void aCheckNamesWhatIsUnknownHereAndTheNearest() {
    JsonNode check = check("${this, metric=cpu|usage_averag}");
    assertThat(check.path("validity").asString()).isEqualTo("no-data-here");
    JsonNode issue = check.path("issues").path(0);
    assertThat(issue.path("code").asString()).isEqualTo("UNKNOWN_KEY");
    assertThat(issue.path("severity").asString()).isEqualTo("warning");
    assertThat(issue.path("hint").asString()).contains("cpu|usage_average");
    assertThat(check.path("inputs").path(0).path("known").asBoolean()).isFalse();

    JsonNode good = check("avg(${this, attribute=net|usage_average}) * 2");
    assertThat(good.path("validity").asString()).as(good.toString()).isEqualTo("valid");
    assertThat(good.path("issues").size()).isZero();
    assertThat(good.path("inputs").path(0).path("attribute").asBoolean()).isTrue();
    assertThat(good.path("formatted").asString()).contains("avg(");

    JsonNode kind =
        check("sum(${adaptertype=VMWARE, objecttype=HostSystm, metric=cpu|usage_average})");
    assertThat(kind.path("issues").path(0).path("code").asString()).isEqualTo("UNKNOWN_KIND");
    assertThat(kind.path("issues").path(0).path("hint").asString()).contains("HostSystem");

    JsonNode property = check("count(${this, metric=runtime|maintenanceState})");
    assertThat(property.path("validity").asString()).isEqualTo("valid");

    JsonNode missing = check("${this, metric=Super Metric|sm_" + UUID.randomUUID() + "}");
    assertThat(missing.path("validity").asString()).isEqualTo("no-data-here");
    assertThat(missing.path("reads").path(0).path("name").isNull()).isTrue();

    JsonNode condition =
        check(
            "count(${this, attribute=net|usage_average, where=(${metric=cpu|usage_averag} > 1)})");
    assertThat(condition.path("validity").asString()).isEqualTo("no-data-here");
    assertThat(condition.path("issues").path(0).path("hint").asString())
        .isEqualTo("did you mean cpu|usage_average?");

    String other = id(create("Powered on", "1"));
    for (String key : List.of("Super Metric|Powered on", "Powered on")) {
      JsonNode named = check("${this, metric=" + key + "}");
      assertThat(named.path("validity").asString()).isEqualTo("no-data-here");
      assertThat(named.path("issues").path(0).path("code").asString()).isEqualTo("UNKNOWN_KEY");
      assertThat(named.path("issues").path(0).path("hint").asString())
          .endsWith("metric=Super Metric|sm_" + other);
    }

    JsonNode several = check("agv(1) + \n foo(2)");
    assertThat(several.path("validity").asString()).isEqualTo("invalid");
    assertThat(several.path("issues").size()).isEqualTo(2);
    assertThat(several.path("issues").path(1).path("line").asInt()).isEqualTo(2);
    assertThat(several.path("issues").path(1).path("column").asInt()).isEqualTo(2);
    assertThat(several.path("formatted").isNull()).isTrue();
  }

  @Test
  void aFormulaWhoseInputsHaveNoDataIsNotValid() {
    Answer nothing = create("Nothing", "${this, metric=no|such}");
    String first =
        id(create("Reads nothing", "${this, metric=Super Metric|sm_" + id(nothing) + "}"));
    String second = id(create("Reads that", "${this, metric=Super Metric|sm_" + first + "} * 2"));
    assertThat(saidOf(second))
        .isEqualTo(
            "no-data-here: the super metric \"Reads nothing\" has no data here: it reads what does"
                + " not exist here");
    assertThat(check("${this, metric=Super Metric|sm_" + second + "}").path("validity").asString())
        .isEqualTo("no-data-here");

    String path = "/super-metrics/" + id(nothing);
    api.with("If-Match", "\"1\"")
        .put(path, body("Nothing", "${this, metric=cpu|usage_average}", HOST, ""));
    assertThat(saidOf(second)).isEqualTo("valid: ");
    api.with("If-Match", "\"2\"").put(path + "/policy", "{\"enabled\":false,\"rules\":[]}");
    assertThat(saidOf(first))
        .isEqualTo(
            "no-data-here: the super metric \"Nothing\" has no data here: it is switched off");
    assertThat(saidOf(second)).startsWith("no-data-here: the super metric \"Reads nothing\"");
  }

  private static String saidOf(String id) {
    JsonNode it = api.get("/super-metrics/" + id).json();
    return it.path("validity").asString()
        + ": "
        + it.path("issues").path(0).path("message").asString("");
  }

  private static JsonNode check(String formula) {
    ObjectNode request = JSON.createObjectNode();
    request.put("formula", formula);
    request.set("kinds", JSON.readTree("[" + HOST + "]"));
    Answer answer = api.post("/super-metrics/validate", JSON.writeValueAsString(request));
    assertThat(answer.status()).isEqualTo(200);
    return answer.json();
  }

  @Test
  void theLanguageAndTheNamesOfThisInstallationAreThereForCompletion() {
    JsonNode language = api.get("/super-metrics/functions").json();
    assertThat(language.path("functions").path(0).path("name").asString()).isEqualTo("avg");
    assertThat(language.path("functions").size()).isEqualTo(24);
    assertThat(language.path("clauses").size()).isGreaterThan(8);

    String id = id(create("Load", "1"));
    String path = "/adapter-kinds/VMWARE/object-kinds/HostSystem";
    JsonNode keys = api.get(path + "/keys").json().path("items");
    List<String> found = new ArrayList<>();
    keys.forEach(
        key ->
            found.add(
                key.path("key").asString()
                    + " "
                    + key.path("source").asString()
                    + " "
                    + key.path("objects").asInt()
                    + (key.path("instanced").asBoolean() ? " instanced" : "")));
    assertThat(found)
        .containsExactly(
            "cpu|usage_average metric 3",
            "cpu|usagemhz_average metric 3",
            "runtime|maintenanceState property 3",
            "net|usage_average metric 1 instanced",
            "Super Metric|sm_" + id + " super-metric 0");
    assertThat(api.get(path + "/keys?q=load").json().path("items").path(0).path("name").asString())
        .isEqualTo("Load");
    JsonNode values = api.get(path + "/values?key=runtime%7CmaintenanceState").json().path("items");
    assertThat(values.path(0).path("value").asString()).isEqualTo("notInMaintenance");
    assertThat(values.path(0).path("objects").asInt()).isEqualTo(2);
    assertThat(values.path(1).path("objects").asInt()).isEqualTo(1);
    assertThat(
            api.get(path + "/values?key=runtime%7CmaintenanceState&q=notin")
                .json()
                .path("items")
                .size())
        .isEqualTo(1);
    assertThat(api.get("/adapter-kinds/VMWARE/object-kinds/None/keys").status()).isEqualTo(404);
  }
}
