package io.peerlens.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
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

/** Dashboards and views as people make, share, change and lose them. */
class DashboardsIT {

  private static final String VIEW =
      """
      {'name': '%s', 'folder': 'Capacity', 'kind': 'VMWARE/HostSystem', 'columns': [
        {'name': 'host', 'attribute': 'name'},
        {'name': 'cpu', 'metric': {'any': ['cpu|usage_average']}, 'transform': 'avg', 'unit': '%%'}]}
      """;

  private static PeerlensServer server;
  private static ApiClient admin;
  private static ApiClient operator;
  private static ApiClient ann;
  private static ApiClient ben;
  private static JdbcClient jdbc;

  @BeforeAll
  static void start() {
    server =
        PeerlensServer.start(
            TestDatabase.migrated(), Set.of(Role.API), "peerlens.dashboards.max-private=3");
    admin = server.admin();
    operator = client("olaf", "operator");
    ann = client("ann", "viewer");
    ben = client("ben", "viewer");
    jdbc = server.context().getBean(JdbcClient.class);
  }

  private static ApiClient client(String name, String role) {
    Answer token = admin.post("/tokens", "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(name, role));
    assertThat(token.status()).as(token.body()).isEqualTo(201);
    return new ApiClient(server.url(), token.json().path("secret").asString());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void empty() {
    for (String table :
        List.of("dashboard", "dashboard_history", "dashboard_view", "dashboard_view_history")) {
      jdbc.sql("delete from " + table).update();
    }
  }

  // ---------------------------------------------------------------------------------- definitions

  /** A dashboard with one panel, in single quotes. */
  private static String dashboard(String name, String panel) {
    return """
    {'name': '%s', 'folder': 'Operations/Daily', 'description': 'Hosts of a cluster',
     'variables': [{'name': 'cluster', 'type': 'object', 'kind': 'VMWARE/ClusterComputeResource', 'default': {'first': {}}}],
     'panels': {'hosts': %s},
     'layout': [{'items': [{'panel': 'hosts', 'x': 1, 'y': 1, 'w': 6, 'h': 6}]}]}
    """
        .formatted(name, panel);
  }

  private static String dashboard(String name) {
    return dashboard(
        name,
        """
        {'type': 'top', 'kind': 'VMWARE/HostSystem', 'subject': '$cluster',
         'columns': [{'name': 'cpu', 'metric': {'any': ['cpu|usage_average']}, 'transform': 'avg', 'unit': '%'}]}
        """);
  }

  private static String body(String visibility, String definition, String more) {
    return "{'visibility': '%s', 'definition': %s%s}"
        .formatted(visibility, definition, more)
        .replace('\'', '"');
  }

  private static Answer make(ApiClient by, String path, String visibility, String definition) {
    return by.post(path, body(visibility, definition, ""));
  }

  private static String id(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return answer.json().path("id").asString();
  }

  private static Answer put(ApiClient by, String path, String body) {
    return by.with("If-Match", "*").put(path, body);
  }

  private static Answer delete(ApiClient by, String path) {
    return by.with("If-Match", "*").delete(path);
  }

  private static List<String> names(ApiClient by, String list) {
    Answer answer = by.get(list);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer
        .json()
        .path("items")
        .valueStream()
        .map(one -> one.path("name").asString())
        .toList();
  }

  // ----------------------------------------------------------------------------------------- life

  @Test
  void aDashboardIsStoredChangedDeletedAndBroughtBack() {
    Answer made = make(ann, "/dashboards", "private", dashboard("Hosts"));
    String id = id(made);
    JsonNode json = made.json();
    assertThat(json.path("owner").asString()).isEqualTo("ann");
    assertThat(json.path("folder").asString()).isEqualTo("Operations/Daily");
    assertThat(json.path("kinds").path(0).asString()).isEqualTo("VMWARE/ClusterComputeResource");
    assertThat(json.path("panels").asInt()).isEqualTo(1);
    assertThat(made.header("ETag")).isEqualTo("\"1\"");
    assertThat(made.header("Location")).endsWith("/api/v1/dashboards/" + id);

    Answer sentBack =
        ann.with("If-Match", "\"1\"")
            .put("/dashboards/" + id, made.body().replace("\"Hosts\"", "\"Hosts now\""));
    assertThat(sentBack.status()).as(sentBack.body()).isEqualTo(200);
    assertThat(sentBack.json().path("name").asString()).isEqualTo("Hosts now");
    assertThat(ann.with("If-Match", "\"1\"").put("/dashboards/" + id, made.body()).status())
        .isEqualTo(412);
    assertThat(ann.put("/dashboards/" + id, made.body()).status()).isEqualTo(428);

    JsonNode history = ann.get("/dashboards/" + id + "/history").json();
    assertThat(history.path("total").asInt()).isEqualTo(2);
    assertThat(history.at("/items/0/changes/0/field").asString()).isEqualTo("definition.name");
    assertThat(history.at("/items/0/changes/0/after").asString()).isEqualTo("Hosts now");

    assertThat(delete(ann, "/dashboards/" + id).status()).isEqualTo(204);
    assertThat(ann.get("/dashboards/" + id).status()).isEqualTo(404);
    Answer restored = ann.post("/dashboards/" + id + "/history/1/restore", "");
    assertThat(restored.status()).as(restored.body()).isEqualTo(200);
    assertThat(restored.json().path("name").asString()).isEqualTo("Hosts");
    assertThat(restored.json().path("version").asInt()).isEqualTo(4);
  }

  @Test
  void membersKeepTheOrderInWhichTheirAuthorWroteThem() {
    String panels =
        "{'zebra': {'type': 'text', 'markdown': 'z'}, 'ape': {'type': 'text', 'markdown': 'a'}}";
    String definition =
        "{'name': 'Order', 'panels': %s, 'layout': [{'items': [%s, %s]}], 'x-note': {'b': 1, 'a': 2}}"
            .formatted(
                panels,
                "{'panel': 'zebra', 'x': 1, 'y': 1, 'w': 1, 'h': 1}",
                "{'panel': 'ape', 'x': 2, 'y': 1, 'w': 1, 'h': 1}");
    String id = id(make(ann, "/dashboards", "private", definition));
    JsonNode read = ann.get("/dashboards/" + id).json().path("definition");
    assertThat(read.path("panels").propertyNames()).containsExactly("zebra", "ape");
    assertThat(read.path("x-note").propertyNames()).containsExactly("b", "a");
  }

  @Test
  void everyMistakeIsNamedWithItsPathAndHowToMendIt() {
    Answer answer =
        make(
            ann,
            "/dashboards",
            "private",
            dashboard(
                "Hosts",
                """
                {'type': 'top', 'kind': 'VMWARE/HostSystem', 'subject': '$custer',
                 'columns': [{'name': 'cpu', 'metric': {'any': []}, 'colour': 'red'}]}
                """));
    assertThat(answer.status()).isEqualTo(400);
    List<String> fields =
        answer
            .json()
            .path("errors")
            .valueStream()
            .map(one -> one.path("field").asString())
            .toList();
    assertThat(fields)
        .anyMatch(field -> field.equals("definition.panels.hosts"))
        .anyMatch(field -> field.startsWith("definition.panels.hosts.columns[0].metric"))
        .anyMatch(field -> field.startsWith("definition.panels.hosts.columns[0].colour"));
    assertThat(jdbc.sql("select count(*) from dashboard").query(Integer.class).single()).isZero();
  }

  @Test
  void aDefinitionOfMoreThanOneMegabyteIsRefused() {
    String text = "x".repeat(19_000);
    StringBuilder panels = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      panels
          .append(i == 0 ? "" : ",")
          .append("'p%d': {'type': 'text', 'markdown': '%s'}".formatted(i, text));
    }
    Answer answer =
        make(
            ann,
            "/dashboards",
            "private",
            "{'name': 'Large', 'panels': {%s}, 'layout': []}".formatted(panels));
    assertThat(answer.status()).isIn(400, 413);
  }

  // --------------------------------------------------------------------------------------- rights

  @Test
  void aPrivateDashboardIsNowhereForOthers() {
    String id = id(make(ann, "/dashboards", "private", dashboard("Secret plans")));
    for (ApiClient other : List.of(ben, operator)) {
      assertThat(names(other, "/dashboards")).isEmpty();
      assertThat(names(other, "/dashboards?q=secret")).isEmpty();
      assertThat(other.get("/dashboards/" + id).status()).isEqualTo(404);
      assertThat(other.get("/dashboards/" + id + "/history").status()).isEqualTo(404);
      assertThat(other.post("/dashboards/" + id + "/history/1/restore", "").status())
          .isEqualTo(404);
      assertThat(put(other, "/dashboards/" + id, body("private", dashboard("Mine"), "")).status())
          .isEqualTo(404);
      assertThat(delete(other, "/dashboards/" + id).status()).isEqualTo(404);
      // The name is free for others, whoever has it as a private one.
      assertThat(make(other, "/dashboards", "private", dashboard("Secret plans")).status())
          .isEqualTo(201);
    }
    assertThat(make(ann, "/dashboards", "private", dashboard("Secret plans")).status())
        .isEqualTo(409);
    assertThat(names(admin, "/dashboards")).hasSize(3);
    assertThat(admin.get("/dashboards/" + id).status()).isEqualTo(200);

    assertThat(delete(ann, "/dashboards/" + id).status()).isEqualTo(204);
    assertThat(ben.get("/dashboards/" + id + "/history").status()).isEqualTo(404);
    assertThat(ben.post("/dashboards/" + id + "/history/1/restore", "").status()).isEqualTo(404);
  }

  @Test
  void versionsOfBeforeADashboardWasSharedStayItsOwners() {
    String id = id(make(operator, "/dashboards", "private", dashboard("Draft")));
    assertThat(put(operator, "/dashboards/" + id, body("shared", dashboard("Public"), "")).status())
        .isEqualTo(200);
    JsonNode seen = ben.get("/dashboards/" + id + "/history").json();
    assertThat(seen.path("items").size()).isEqualTo(1);
    assertThat(seen.at("/items/0/changes").size()).isZero();
    assertThat(seen.toString()).doesNotContain("Draft");
    assertThat(operator.get("/dashboards/" + id + "/history").json().path("items").size())
        .isEqualTo(2);
  }

  @Test
  void operatorsShareAndViewersDoNot() {
    assertThat(make(ann, "/dashboards", "shared", dashboard("Mine")).status()).isEqualTo(403);
    String own = id(make(ann, "/dashboards", "private", dashboard("Mine")));
    assertThat(put(ann, "/dashboards/" + own, body("shared", dashboard("Mine"), "")).status())
        .isEqualTo(403);

    String shared = id(make(operator, "/dashboards", "shared", dashboard("Everybody reads it")));
    assertThat(ann.get("/dashboards/" + shared).status()).isEqualTo(200);
    assertThat(put(ann, "/dashboards/" + shared, body("shared", dashboard("X"), "")).status())
        .isEqualTo(403);
    assertThat(put(ann, "/dashboards/" + shared, body("private", dashboard("X"), "")).status())
        .isEqualTo(403);
    assertThat(delete(ann, "/dashboards/" + shared).status()).isEqualTo(403);
    assertThat(make(operator, "/dashboards", "shared", dashboard("Everybody reads it")).status())
        .isEqualTo(409);
  }

  @Test
  void anOwnerIsNamedByAdministratorsOnly() {
    String id = id(make(operator, "/dashboards", "shared", dashboard("Rota")));
    Answer refused =
        put(operator, "/dashboards/" + id, body("shared", dashboard("Rota"), ", 'owner': 'ann'"));
    assertThat(refused.status()).isEqualTo(403);
    assertThat(
            put(admin, "/dashboards/" + id, body("private", dashboard("Rota"), ", 'owner': 'ann'"))
                .json()
                .path("owner")
                .asString())
        .isEqualTo("ann");
    assertThat(operator.get("/dashboards/" + id).status()).isEqualTo(404);
    assertThat(ann.get("/dashboards/" + id).status()).isEqualTo(200);
  }

  @Test
  void nobodyMakesAnotherOnesSharedDashboardPrivate() {
    ApiClient other = client("otto", "operator");
    String id = id(make(operator, "/dashboards", "shared", dashboard("Rota")));
    assertThat(put(other, "/dashboards/" + id, body("private", dashboard("Rota"), "")).status())
        .isEqualTo(403);
    assertThat(put(other, "/dashboards/" + id, body("shared", dashboard("Rota 2"), "")).status())
        .isEqualTo(200);
  }

  @Test
  void anOwnerHasAtMostSoManyPrivateOnes() {
    for (int i = 0; i < 3; i++) {
      id(make(ann, "/dashboards", "private", dashboard("D" + i)));
    }
    Answer refused = make(ann, "/dashboards", "private", dashboard("D3"));
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.body()).contains("peerlens.dashboards.max-private");
    id(make(ben, "/dashboards", "private", dashboard("D3")));
  }

  @Test
  void aCopyRemembersItsOrigin() {
    String id = id(make(operator, "/dashboards", "shared", dashboard("Rota")));
    Answer copy =
        ann.post(
            "/dashboards",
            body(
                "private",
                dashboard("My rota"),
                ", 'origin': {'id': '%s', 'version': 1}".formatted(id)));
    assertThat(id(copy)).isNotEqualTo(id);
    assertThat(copy.json().at("/origin/name").asString()).isEqualTo("Rota");
    assertThat(copy.json().at("/origin/version").asInt()).isEqualTo(1);

    String hidden = id(make(ben, "/dashboards", "private", dashboard("Hidden")));
    Answer guess =
        ann.post(
            "/dashboards",
            body(
                "private",
                dashboard("Guess"),
                ", 'origin': {'id': '%s', 'version': 1}".formatted(hidden)));
    assertThat(guess.body()).doesNotContain("Hidden");
  }

  @Test
  void aDashboardThatCannotBeReadIsShownToAdministratorsOnly() {
    String id = id(make(ann, "/dashboards", "private", dashboard("Secret plans")));
    jdbc.sql("update dashboard set form = 9").update();
    Answer seen = admin.get("/dashboards/" + id);
    assertThat(seen.status()).isEqualTo(409);
    // Notices say the same, and everybody reads them.
    assertThat(seen.body()).contains("newer version").doesNotContain("Secret plans");
    for (ApiClient other : List.of(ann, operator)) {
      assertThat(other.get("/dashboards/" + id).status()).isEqualTo(404);
      assertThat(put(other, "/dashboards/" + id, body("private", dashboard("X"), "")).status())
          .isEqualTo(404);
      assertThat(delete(other, "/dashboards/" + id).status()).isEqualTo(404);
    }
    assertThat(
            put(admin, "/dashboards/" + id, body("private", dashboard("X"), ", 'owner': 'ann'"))
                .status())
        .isEqualTo(200);
    assertThat(names(ann, "/dashboards")).containsExactly("X");
  }

  // ---------------------------------------------------------------------------------------- lists

  @Test
  void listsAreFilteredSortedAndPaged() {
    id(make(operator, "/dashboards", "shared", dashboard("B")));
    id(make(operator, "/dashboards", "private", dashboard("C")));
    String text = "{'name': '%s', 'folder': 'Other', 'panels': {}, 'layout': []}";
    id(make(operator, "/dashboards", "shared", text.formatted("A")));
    assertThat(names(operator, "/dashboards")).containsExactly("A", "B", "C");
    assertThat(names(operator, "/dashboards?sort=-name")).containsExactly("C", "B", "A");
    assertThat(names(operator, "/dashboards?kind=VMWARE/ClusterComputeResource"))
        .containsExactly("B", "C");
    assertThat(names(operator, "/dashboards?folder=operations")).containsExactly("B", "C");
    assertThat(names(operator, "/dashboards?folder=oper")).isEmpty();
    assertThat(names(operator, "/dashboards?name=b")).containsExactly("B");
    assertThat(names(operator, "/dashboards?visibility=private")).containsExactly("C");
    assertThat(names(ann, "/dashboards?mine=true")).isEmpty();
    assertThat(names(operator, "/dashboards?mine=true")).hasSize(3);
    assertThat(names(operator, "/dashboards?q=hosts+cluster")).containsExactly("B", "C");
    JsonNode first = operator.get("/dashboards?limit=2").json();
    assertThat(first.path("total").asInt()).isEqualTo(3);
    assertThat(first.at("/items/0/definition").isMissingNode()).isTrue();
    assertThat(names(operator, "/dashboards?limit=2&cursor=" + first.path("nextCursor").asString()))
        .containsExactly("C");
  }

  // ---------------------------------------------------------------------------------------- views

  @Test
  void aViewThatADashboardShowsCannotBeDeleted() {
    String view = id(make(operator, "/views", "shared", VIEW.formatted("Hosts")));
    String byId = "{'type': 'table', 'view': '%s'}".formatted(view);
    String dashboard = id(make(operator, "/dashboards", "shared", dashboard("By id", byId)));
    id(
        make(
            ann,
            "/dashboards",
            "private",
            dashboard("By name", "{'type': 'table', 'view': {'name': 'Hosts'}}")));
    Answer refused = delete(operator, "/views/" + view);
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.body())
        .contains("By id", "a private dashboard of somebody else")
        .doesNotContain("By name");
    assertThat(operator.get("/views/" + view).json().path("usedBy").toString())
        .contains(dashboard)
        .doesNotContain("By name");
    assertThat(ann.get("/views/" + view).json().path("usedBy").size()).isEqualTo(2);

    Answer unshared = put(operator, "/views/" + view, body("private", VIEW.formatted("Hosts"), ""));
    assertThat(unshared.status()).isEqualTo(409);
  }

  @Test
  void aSuperMetricSaysWhichDashboardsAndViewsOfTheCallerReadIt() {
    JsonNode metric =
        operator
            .post(
                "/super-metrics",
                """
                {"name": "Load of readers", "formula": "avg(${this, metric=cpu|usage_average})",
                 "kinds": [{"adapterKind": "VMWARE", "objectKind": "HostSystem"}]}
                """)
            .json();
    String id = metric.path("id").asString();
    String column = "{'name': 'load', 'metric': {'any': ['%s']}}";
    String byId = column.formatted("Super Metric|sm_" + id);
    String byName = column.formatted("Super metric:Load of readers");
    String panel = "{'type': 'top', 'kind': 'VMWARE/HostSystem', 'columns': [%s]}";
    String shared =
        id(make(operator, "/dashboards", "shared", dashboard("Load", panel.formatted(byId))));
    String hers =
        id(make(ann, "/dashboards", "private", dashboard("My load", panel.formatted(byName))));
    id(
        make(
            operator,
            "/dashboards",
            "shared",
            dashboard("No load", panel.formatted(column.formatted("mem|usage_average")))));
    String view =
        id(
            make(
                operator,
                "/views",
                "shared",
                "{'name': 'By load', 'kind': 'VMWARE/HostSystem', 'show': 'table', 'columns': [%s]}"
                    .formatted(byName)));
    assertThat(users(ann, id))
        .containsExactlyInAnyOrder("dashboard " + shared, "dashboard " + hers, "view " + view);
    assertThat(users(operator, id))
        .containsExactlyInAnyOrder("dashboard " + shared, "view " + view);
  }

  private static List<String> users(ApiClient client, String superMetric) {
    List<String> users = new ArrayList<>();
    for (JsonNode one :
        client.get("/super-metrics/" + superMetric + "/used-by").json().path("usedBy")) {
      users.add(one.path("kind").asString() + " " + one.path("id").asString());
    }
    return users;
  }

  @Test
  void aSharedDashboardShowsNoPrivateView() {
    String view = id(make(operator, "/views", "private", VIEW.formatted("Mine")));
    String panel = "{'type': 'table', 'view': '%s'}".formatted(view);
    Answer refused = make(operator, "/dashboards", "shared", dashboard("Shared", panel));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("definition.panels.hosts.view");
    id(make(operator, "/dashboards", "private", dashboard("Private", panel)));
  }

  @Test
  void aDashboardSaysWhichOfItsViewsAreGone() {
    String id =
        id(
            make(
                ann,
                "/dashboards",
                "private",
                dashboard("Gone", "{'type': 'table', 'view': '%s'}".formatted(UUID.randomUUID()))));
    assertThat(ann.get("/dashboards/" + id).json().at("/issues/0/field").asString())
        .isEqualTo("definition.panels.hosts.view");
  }

  @Test
  void editingADashboardMovesNoNumberOfRules() {
    long rules = number("rule_version");
    long notifications = number("notification_version");
    long own = number("dashboard_version");
    id(make(ann, "/dashboards", "private", dashboard("Hosts")));
    assertThat(number("dashboard_version")).isEqualTo(own + 1);
    assertThat(number("rule_version")).isEqualTo(rules);
    assertThat(number("notification_version")).isEqualTo(notifications);
  }

  private static long number(String table) {
    return jdbc.sql("select version from " + table).query(Long.class).single();
  }

  @Test
  void theAuditLogNamesDashboardsAndViewsAndTheFieldsThatChanged() {
    String id = id(make(operator, "/dashboards", "shared", dashboard("Audited")));
    put(operator, "/dashboards/" + id, body("shared", dashboard("Audited 2"), ""));
    String view = id(make(operator, "/views", "shared", VIEW.formatted("Audited view")));
    JsonNode entries = admin.get("/audit?kind=dashboards").json().path("items");
    assertThat(entries.at("/0/object").asString()).isEqualTo(id);
    assertThat(entries.at("/0/objectName").asString()).isEqualTo("Audited 2");
    assertThat(entries.at("/0/details").toString()).contains("definition.name");
    assertThat(admin.get("/audit?kind=views").json().at("/items/0/objectName").asString())
        .isEqualTo("Audited view");
    assertThat(view).isNotEmpty();
  }
}
