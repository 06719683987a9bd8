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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Packs of dashboards: installed, copied, brought up to date. */
class DashboardPacksIT {

  private static PeerlensServer server;
  private static ApiClient operator;
  private static ApiClient viewer;
  private static JdbcClient jdbc;

  @BeforeAll
  static void start() {
    server = PeerlensServer.start(TestDatabase.migrated(), Set.of(Role.API));
    operator = client("olaf", "operator");
    viewer = client("ann", "viewer");
    jdbc = server.context().getBean(JdbcClient.class);
  }

  private static ApiClient client(String name, String role) {
    Answer token =
        server.admin().post("/tokens", "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(name, role));
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

  private static JsonNode installed(String pack) {
    Answer answer = operator.post("/dashboards/packs/" + pack + "/install", "");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  private static JsonNode pack(String name) {
    return viewer
        .get("/dashboards/packs")
        .json()
        .path("items")
        .valueStream()
        .filter(one -> one.path("name").asString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void everyPackIsInstalledWithoutAnErrorAndReadByEverybody() {
    List<String> names = new ArrayList<>();
    for (JsonNode one : viewer.get("/dashboards/packs").json().path("items")) {
      names.add(one.path("name").asString());
      assertThat(one.path("installed").asInt()).isZero();
      JsonNode report = installed(one.path("name").asString());
      assertThat(report.at("/figures/invalid").asInt()).as(report.toString()).isZero();
      assertThat(report.at("/figures/missing").asInt()).as(report.toString()).isZero();
    }
    assertThat(names).containsExactly("ingest", "network", "outliers", "vsan", "vsphere");
    JsonNode list = viewer.get("/dashboards").json();
    assertThat(list.path("total").asInt()).isEqualTo(10);
    assertThat(list.at("/items/0/visibility").asString()).isEqualTo("shared");
    for (JsonNode one : list.path("items")) {
      JsonNode whole = viewer.get("/dashboards/" + one.path("id").asString()).json();
      assertThat(whole.path("issues").size()).as(whole.path("name").asString()).isZero();
    }
    assertThat(viewer.get("/dashboards?kind=VMWARE/HostSystem").json().path("total").asInt())
        .isEqualTo(2);
    assertThat(pack("vsphere").path("installed").asInt()).isEqualTo(5);
    assertThat(viewer.post("/dashboards/packs/vsan/install", "").status()).isEqualTo(403);
    assertThat(operator.post("/dashboards/packs/nothing/install", "").body()).contains("vsphere");
  }

  @Test
  void nobodyChangesADashboardOfAPackAndACopyRemembersIt() {
    installed("outliers");
    String id = pack("outliers").at("/dashboards/0/id").asString();
    Answer stored = operator.get("/dashboards/" + id);
    Answer refused = server.admin().with("If-Match", "*").put("/dashboards/" + id, stored.body());
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.body()).contains("origin");
    ObjectNode copy = JsonMapper.shared().createObjectNode();
    copy.putObject("origin").put("id", id).put("version", 1);
    copy.set("definition", stored.json().path("definition"));
    Answer made = viewer.post("/dashboards", copy.toString());
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    assertThat(made.json().at("/origin/pack").asString()).isEqualTo("outliers");
    assertThat(made.json().path("pack").isNull()).isTrue();
    assertThat(made.json().path("visibility").asString()).isEqualTo("private");
  }

  @Test
  void aSecondInstallationBringsBackWhatThePackHasAndRemovesTheRest() {
    installed("vsphere");
    JsonNode again = installed("vsphere");
    assertThat(again.at("/figures/skipped").asInt()).isEqualTo(9);
    jdbc.sql(
            """
            update dashboard set name = 'Old', definition =
              replace(definition::text, '"name":"Clusters"', '"name":"Old"')::json where name = 'Clusters'
            """)
        .update();
    jdbc.sql(
            """
            insert into dashboard (id, name, definition, pack, created_at, created_by, updated_at, updated_by)
            select gen_random_uuid(), 'Gone', replace(definition::text, '"name":"Hosts"', '"name":"Gone"')::json, 'vsphere',
              created_at, created_by, updated_at, updated_by from dashboard where name = 'Hosts'
            """)
        .update();
    assertThat(pack("vsphere").at("/dashboards/0/installed").asString()).isEqualTo("changed");
    JsonNode dry = operator.post("/dashboards/packs/vsphere/install?dryRun=true", "").json();
    assertThat(dry.at("/dashboards/0/changes/0").asString())
        .isEqualTo("The name is \"Clusters\" instead of \"Old\".");
    assertThat(viewer.get("/dashboards?name=Gone").json().path("total").asInt()).isOne();
    assertThat(installed("vsphere").at("/figures/overwritten").asInt()).isOne();
    assertThat(viewer.get("/dashboards?name=Gone").json().path("total").asInt()).isZero();
    assertThat(viewer.get("/dashboards?name=Clusters").json().path("total").asInt()).isOne();
  }

  @Test
  void aNameThatIsTakenDoesNotStopTheOthersOfAPack() {
    Answer made =
        operator.post(
            "/dashboards",
            "{\"visibility\": \"shared\", \"definition\": {\"name\": \"Hosts\", \"panels\": {}, \"layout\": []}}");
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    JsonNode report = installed("vsphere");
    assertThat(report.at("/dashboards/1/state").asString()).isEqualTo("invalid");
    assertThat(report.at("/dashboards/1/reason").asString()).contains("taken");
    assertThat(report.at("/figures/created").asInt()).isEqualTo(8);
  }
}
