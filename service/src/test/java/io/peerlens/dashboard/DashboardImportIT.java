package io.peerlens.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Files of dashboards: imported, exported, imported elsewhere, checked. */
class DashboardImportIT {

  private static final String VIEW = "5a0e2c1e-0000-4000-8000-000000000001";
  private static final String DASHBOARD = "91d2a4b3-0000-4000-8000-000000000002";
  private static final String METRIC = "7b3c1a90-0000-4000-8000-000000000003";

  private static SampleData data;
  private static PeerlensServer server;
  private static ApiClient admin;
  private static ApiClient operator;
  private static ApiClient other;
  private static ApiClient viewer;
  private static JdbcClient jdbc;

  @BeforeAll
  static void start() {
    data = SampleData.create();
    server = PeerlensServer.start(data.database(), Set.of(Role.API));
    admin = server.admin();
    operator = client("olaf", "operator");
    other = client("otto", "operator");
    viewer = client("ann", "viewer");
    jdbc = server.context().getBean(JdbcClient.class);
    int host = data.object("VMWARE", "HostSystem", "esx-1");
    data.object("VMWARE", "HostSystem", "esx-2");
    jdbc.sql("insert into object_liveness (object_id, last_seen) values (:id, now())")
        .param("id", host)
        .update();
    int group =
        jdbc.sql(
                """
                insert into metric_group (adapter_kind, object_kind, name, metrics, units)
                values ('VMWARE', 'HostSystem', 'cpu', '{usage_average}', '{%}') returning id
                """)
            .query(Integer.class)
            .single();
    jdbc.sql("insert into metric_set (object_id, group_id, instance) values (:object, :group, '')")
        .param("object", host)
        .param("group", group)
        .update();
  }

  private static ApiClient client(String name, String role) {
    Answer token = admin.post("/tokens", "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(name, role));
    assertThat(token.status()).as(token.body()).isEqualTo(201);
    return new ApiClient(server.url(), token.json().path("secret").asString());
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
  }

  @BeforeEach
  void empty() {
    for (String table :
        List.of(
            "dashboard_original",
            "dashboard",
            "dashboard_history",
            "dashboard_view",
            "dashboard_view_history",
            "super_metric",
            "super_metric_history")) {
      jdbc.sql("delete from " + table).update();
    }
  }

  // ----------------------------------------------------------------------------------------- files

  private static final String FILE =
      """
      {'format': 'peerlens-dashboards', 'version': 1,
       'superMetrics': {'%s': {'resourceKinds': [{'resourceKindKey': 'HostSystem', 'adapterKindKey': 'VMWARE'}],
         'name': 'Busy', 'formula': 'avg(${this, metric=cpu|usage_average})', 'description': ''}},
       'views': [{'id': '%s', 'name': 'Hosts', 'kind': 'VMWARE/HostSystem', 'columns': [
         {'name': 'cpu', 'metric': {'any': ['cpu|usage_average']}, 'transform': 'avg', 'unit': '%%'},
         {'name': 'ready', 'metric': {'any': ['cpu|max_cpu_ready']}, 'transform': 'avg', 'unit': '%%'},
         {'name': 'busy', 'metric': {'any': ['Super metric:Busy']}, 'unit': '%%'}]}],
       'dashboards': [{'id': '%s', 'name': 'Overview', 'folder': 'Hosts',
         'panels': {
           'hosts': {'type': 'table', 'view': '%s'},
           'note': {'type': 'text', 'markdown': 'Hello'},
           'gone': {'type': 'table', 'view': {'name': 'Nowhere'}},
           'top': {'type': 'top', 'title': 'Top', 'kind': 'VMWARE/HostSystem',
             'columns': [{'name': 'x', 'metric': {'any': ['Super metric:Unknown']}, 'unit': '%%'}]}},
         'layout': [{'items': [
           {'panel': 'hosts', 'x': 1, 'y': 1, 'w': 6, 'h': 4}, {'panel': 'note', 'x': 7, 'y': 1, 'w': 6, 'h': 2},
           {'panel': 'gone', 'x': 7, 'y': 3, 'w': 6, 'h': 2}, {'panel': 'top', 'x': 1, 'y': 5, 'w': 6, 'h': 4}]}]}]}
      """
          .formatted(METRIC, VIEW, DASHBOARD, VIEW)
          .replace('\'', '"');

  private static Answer send(ApiClient by, String query, String file) {
    return by.upload("/dashboards/import" + query, "application/json", file.getBytes(UTF_8));
  }

  private static JsonNode imported(ApiClient by, String query, String file) {
    Answer answer = send(by, query, file);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  private static List<String> texts(JsonNode list) {
    return list.valueStream().map(JsonNode::asString).toList();
  }

  private static long count(String table) {
    return jdbc.sql("select count(*) from " + table).query(Long.class).single();
  }

  // ---------------------------------------------------------------------------------------- import

  @Test
  void aDryRunSaysWhatTheImportDoesAndChangesNothing() {
    JsonNode dry = imported(operator, "?dryRun=true", FILE);
    assertThat(count("dashboard") + count("dashboard_view") + count("super_metric")).isZero();
    assertThat(count("dashboard_history") + count("dashboard_original")).isZero();
    JsonNode real = imported(operator, "", FILE);
    assertThat(real.toString().replace("\"dryRun\":false", "\"dryRun\":true"))
        .isEqualTo(dry.toString());
    assertThat(real.at("/figures/created").asInt()).isEqualTo(2);
    assertThat(real.at("/superMetrics/counts/created").asInt()).isEqualTo(1);
    assertThat(operator.get("/dashboards/" + DASHBOARD).json().path("owner").asString())
        .isEqualTo("olaf");
    assertThat(viewer.get("/dashboards/" + DASHBOARD).status()).isEqualTo(404);
    assertThat(operator.get("/super-metrics/" + METRIC).status()).isEqualTo(200);
  }

  @Test
  void theReportSaysOfEveryColumnWhetherItHasDataToday() {
    JsonNode report = imported(operator, "?dryRun=true", FILE);
    JsonNode columns = report.at("/views/0/columns");
    assertThat(columns.at("/0/outcome").asString()).isEqualTo("carried");
    assertThat(columns.at("/0/objects").asInt()).isEqualTo(2);
    assertThat(columns.at("/0/reporting").asInt()).isEqualTo(1);
    assertThat(columns.at("/1/outcome").asString()).isEqualTo("waits");
    assertThat(columns.at("/2/outcome").asString()).isEqualTo("waits");
    assertThat(texts(columns.at("/2/collectors"))).containsExactly("super-metrics");
    JsonNode panels = report.at("/dashboards/0/panels");
    assertThat(panels.valueStream().map(one -> one.path("outcome").asString()))
        .containsExactly("waits", "carried", "missing", "missing");
    assertThat(panels.at("/3/columns/0/text").asString()).contains("Super metric:Unknown");
    JsonNode figures = report.path("figures");
    assertThat(figures.path("columns").asInt()).isEqualTo(6);
    assertThat(figures.path("answerable").asInt()).isEqualTo(2);
    assertThat(figures.path("answerablePercent").asInt()).isEqualTo(33);
    assertThat(figures.path("answerableWithSourcesPercent").asInt()).isGreaterThanOrEqualTo(50);
  }

  @Test
  void aSecondImportShowsTheDifferenceInWordsAndReplacesWhenAsked() {
    imported(operator, "?visibility=shared", FILE);
    assertThat(imported(operator, "", FILE).at("/dashboards/0/state").asString()).isEqualTo("same");
    String changed =
        FILE.replace("\"note\": {\"type\": \"text\"", "\"memo\": {\"type\": \"text\"")
            .replace("\"panel\": \"note\"", "\"panel\": \"memo\"")
            .replace("\"Top\"", "\"Top hosts\"");
    JsonNode kept = imported(other, "", changed).at("/dashboards/0");
    assertThat(kept.path("action").asString()).isEqualTo("skip");
    assertThat(texts(kept.path("changes")))
        .containsExactlyInAnyOrder(
            "The panel memo is new.",
            "The panel note is gone.",
            "The panel top has another title.",
            "The layout is another one.");
    JsonNode replaced = imported(other, "?onConflict=overwrite", changed).at("/dashboards/0");
    assertThat(replaced.path("action").asString()).isEqualTo("overwrite");
    JsonNode now = viewer.get("/dashboards/" + DASHBOARD).json();
    assertThat(now.path("owner").asString()).isEqualTo("olaf");
    assertThat(now.path("version").asInt()).isEqualTo(2);
    assertThat(
            viewer
                .get("/dashboards/" + DASHBOARD + "/history")
                .json()
                .at("/items/0/action")
                .asString())
        .isEqualTo("imported");
  }

  @Test
  void anImportDoesNotTouchWhatItMayNotKnowOf() {
    imported(operator, "", FILE);
    JsonNode second = imported(other, "?onConflict=overwrite", FILE);
    String id = second.at("/dashboards/0/id").asString();
    assertThat(id).isNotEqualTo(DASHBOARD);
    assertThat(second.at("/dashboards/0/action").asString()).isEqualTo("create");
    assertThat(operator.get("/dashboards/" + DASHBOARD).json().path("version").asInt()).isOne();
    JsonNode own = other.get("/dashboards/" + id).json();
    assertThat(own.at("/definition/panels/hosts/view").asString())
        .isEqualTo(second.at("/views/0/id").asString())
        .isNotEqualTo(VIEW);
  }

  @Test
  void oneItemThatFailsDoesNotStopTheOthers() {
    String bad = FILE.replace("\"columns\": [\n", "\"colums\": [], \"columns\": [\n");
    JsonNode report = imported(operator, "", bad);
    assertThat(report.at("/views/0/state").asString()).isEqualTo("invalid");
    assertThat(report.at("/views/0/errors/0/field").asString()).startsWith("views[0]");
    assertThat(report.at("/dashboards/0/action").asString()).isEqualTo("create");
    assertThat(report.at("/figures/invalid").asInt()).isOne();
    assertThat(count("dashboard")).isOne();
  }

  @Test
  void onlyTheChosenDashboardsAndTheirViewsAreTaken() {
    JsonNode report = imported(operator, "?only=" + UUID.randomUUID(), FILE);
    assertThat(report.at("/figures/created").asInt()).isZero();
    assertThat(report.at("/dashboards/0/reason").asString()).contains("left out");
    assertThat(imported(operator, "?only=" + DASHBOARD, FILE).at("/figures/created").asInt())
        .isEqualTo(2);
  }

  @Test
  void whatIsNoFileOfDashboardsIsRefusedWithTheReason() {
    for (String nothing : List.of("", "[]", "{}", "{\"format\": \"peerlens-rules\"}", "PK\u0003")) {
      Answer answer = send(operator, "", nothing);
      assertThat(answer.status()).as(nothing).isEqualTo(400);
    }
    Answer version = send(operator, "", FILE.replace("\"version\": 1", "\"version\": 9"));
    assertThat(version.status()).isEqualTo(400);
    assertThat(version.body()).contains("version");
    assertThat(send(viewer, "", FILE).status()).isEqualTo(403);
  }

  @Test
  void theFileIsKeptForTheOneWhoImportedItUntilNothingOfItIsLeft() {
    imported(operator, "?visibility=shared&fileName=two+of+them.json", FILE);
    Answer original = operator.get("/dashboards/" + DASHBOARD + "/original");
    assertThat(original.status()).isEqualTo(200);
    assertThat(original.body()).isEqualTo(FILE);
    assertThat(original.header("Content-Disposition")).contains("two");
    assertThat(admin.get("/dashboards/" + DASHBOARD + "/original").status()).isEqualTo(200);
    assertThat(other.get("/dashboards/" + DASHBOARD + "/original").status()).isEqualTo(403);
    ApiClient any = operator.with("If-Match", "*");
    assertThat(any.delete("/dashboards/" + DASHBOARD).status()).isEqualTo(204);
    assertThat(count("dashboard_original")).isOne();
    assertThat(any.delete("/views/" + VIEW).status()).isEqualTo(204);
    assertThat(count("dashboard_original")).isZero();
  }

  // ------------------------------------------------------------------- exports of vRealize
  // Operations

  private static final String VROPS =
      """
      {"uuid": "x", "entries": {
        "resourceKind": [{"resourceKindKey": "HostSystem", "internalId": "resourceKind:id:0_::_", "adapterKindKey": "VMWARE"}],
        "resource": [{"resourceKindKey": "HostSystem", "internalId": "resource:id:0_::_", "adapterKindKey": "VMWARE",
          "identifiers": [{"key": "VMEntityName", "value": "esx-7"}], "name": "esx-7"}]},
       "dashboards": [{"id": "6ae321a8-87c0-4bd8-b20b-4828bd4d9bae", "name": "Ops/Hosts", "gridsterMaxColumns": 12, "columnCount": 1,
         "widgets": [
           {"id": "w1", "type": "Scoreboard", "title": "CPU", "gridsterCoords": {"x": 1, "y": 1, "w": 6, "h": 4},
            "config": {"metric": {"mode": "resourceKind", "resourceKindMetrics": [
              {"metricKey": "cpu|usage_average", "metricName": "CPU|Usage", "label": "", "resourceKindId": "resourceKind:id:0_::_",
               "colorMethod": 0, "yellowBound": 70, "orangeBound": 80, "redBound": 90, "metricUnitId": "percent", "unit": "%", "isStringMetric": false},
              {"metricKey": "cpu|max_cpu_ready", "metricName": "Ready", "label": "", "resourceKindId": "resourceKind:id:0_::_",
               "colorMethod": 2, "isStringMetric": false}]},
              "selfProvider": {"selfProvider": true}, "relationshipMode": {"relationshipMode": 0}, "resource": ["resource:id:0_::_"], "depth": 1}},
           {"id": "w2", "type": "LogAnalysis", "title": "Logs", "gridsterCoords": {"x": 7, "y": 1, "w": 6, "h": 4}, "config": {}}],
         "widgetInteractions": []}]}
      """;

  private static byte[] zipped(String name, String text) {
    java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
    try (java.util.zip.ZipOutputStream zip = new java.util.zip.ZipOutputStream(bytes)) {
      zip.putNextEntry(new java.util.zip.ZipEntry(name));
      zip.write(text.getBytes(UTF_8));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  @Test
  void anExportOfVRealizeOperationsIsImportedWithAReportOfItsPanels() {
    byte[] file = zipped("dashboard/dashboard.json", VROPS);
    Answer answer =
        operator.upload("/dashboards/import?fileName=Dashboard.zip", "application/zip", file);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    JsonNode report = answer.json();
    assertThat(report.path("format").asString()).isEqualTo("vrops");
    JsonNode item = report.at("/dashboards/0");
    assertThat(item.path("action").asString()).as(answer.body()).isEqualTo("create");
    JsonNode panel = item.at("/panels/0");
    assertThat(panel.path("from").asString()).isEqualTo("Scoreboard");
    assertThat(panel.path("type").asString()).isEqualTo("scoreboard");
    assertThat(panel.at("/columns/0/reporting").asInt()).isOne();
    assertThat(panel.at("/columns/0/objects").asInt()).isEqualTo(2);
    assertThat(texts(panel.at("/columns/1/collectors"))).contains("vcenter");
    assertThat(item.at("/panels/1/outcome").asString()).isEqualTo("cannot");
    assertThat(report.at("/sources/0/name").asString()).isEqualTo("vcenter");
    assertThat(report.path("settle").toString()).contains("esx-7");

    String id = item.path("id").asString();
    JsonNode stored = operator.get("/dashboards/" + id).json();
    assertThat(stored.path("folder").asString()).isEqualTo("Ops");
    assertThat(stored.path("name").asString()).isEqualTo("Hosts");
    assertThat(operator.get("/dashboards/" + id + "/original").response().body()).isEqualTo(file);
    assertThat(
            operator
                .upload("/dashboards/import", "application/zip", file)
                .json()
                .at("/dashboards/0/state")
                .asString())
        .isEqualTo("same");
  }

  @Test
  void whatWasChosenForAnObjectThatIsNotHereIsTaken() {
    JsonNode open = imported(operator, "?dryRun=true", VROPS);
    String key = open.at("/settle/0/key").asString();
    String choices = java.net.URLEncoder.encode("{\"%s\": \"esx-1\"}".formatted(key), UTF_8);
    JsonNode settled = imported(operator, "?dryRun=true&choices=" + choices, VROPS);
    assertThat(settled.at("/dashboards/0/panels/0/outcome").asString())
        .isNotEqualTo(open.at("/dashboards/0/panels/0/outcome").asString());
    assertThat(send(operator, "?choices=nonsense", VROPS).status()).isEqualTo(400);
  }

  // ---------------------------------------------------------------------------------------- export

  @Test
  void anExportHasTheViewsAndSuperMetricsThatItsDashboardsReadAndCanBeImported() {
    imported(operator, "?visibility=shared", FILE);
    Answer file = viewer.get("/dashboards/export?id=" + DASHBOARD);
    assertThat(file.status()).isEqualTo(200);
    assertThat(file.json().at("/views/0/id").asString()).isEqualTo(VIEW);
    assertThat(file.json().at("/superMetrics/" + METRIC + "/name").asString()).isEqualTo("Busy");
    assertThat(file.json().at("/needs/superMetrics/0/name").asString()).isEqualTo("Unknown");
    empty();
    JsonNode again = imported(operator, "", file.body());
    assertThat(again.at("/figures/created").asInt()).isEqualTo(2);
    assertThat(operator.get("/dashboards/export?id=" + DASHBOARD).body()).isEqualTo(file.body());
  }

  @Test
  void anExportHasNoPrivateDashboardsOfOthers() {
    imported(operator, "", FILE);
    assertThat(other.get("/dashboards/export").json().path("dashboards").size()).isZero();
    assertThat(other.get("/dashboards/export?id=" + DASHBOARD).status()).isEqualTo(404);
    assertThat(operator.get("/dashboards/export").json().path("dashboards").size()).isOne();
  }

  // -------------------------------------------------------------------------------------- validate

  @Test
  void aCheckNamesMistakesAndThenWhatKeepsAFileFromWorkingElsewhere() {
    Answer right = viewer.upload("/dashboards/validate", "application/json", FILE.getBytes(UTF_8));
    assertThat(right.status()).as(right.body()).isEqualTo(200);
    assertThat(right.json().path("valid").asBoolean()).isTrue();
    Map<String, String> found =
        right
            .json()
            .path("findings")
            .valueStream()
            .collect(
                java.util.stream.Collectors.toMap(
                    one -> one.path("code").asString(), one -> one.path("path").asString()));
    assertThat(found)
        .containsEntry("view-not-included", "dashboards[0].panels.gone.view")
        .containsEntry("super-metric-not-included", "dashboards[0].panels.top.columns[0]");
    JsonNode wrong =
        viewer
            .upload(
                "/dashboards/validate",
                "application/json",
                FILE.replace("\"type\": \"top\"", "\"type\": \"tops\"").getBytes(UTF_8))
            .json();
    assertThat(wrong.path("valid").asBoolean()).isFalse();
    assertThat(wrong.at("/errors/0/field").asString()).isEqualTo("dashboards[0].panels.top.type");
    assertThat(wrong.path("findings").size()).isZero();
  }

  /** What is stored here has no part in it: the objects are those of the example. */
  private static String withTest(double expected) {
    String test =
        """
        , "tests": [{"name": "one host", "objects": [
          {"name": "example", "kind": "VMWARE/HostSystem", "metrics": {"cpu|usage_average": 40, "Super metric:Busy": 3}}],
          "expect": [{"view": "Hosts", "rows": [{"object": "example", "cells": {"cpu": %s, "busy": 3}}]}]}]}
        """
            .formatted(expected);
    return FILE.strip().substring(0, FILE.strip().length() - 1) + test;
  }

  @Test
  void aCheckRunsTheTestsOfAFileOverTheirExamples() {
    assertThat(
            viewer
                .upload("/dashboards/validate", "application/json", withTest(40).getBytes(UTF_8))
                .json()
                .path("findings")
                .findValuesAsString("code"))
        .contains("view-not-included")
        .doesNotContain("test-failed");
    JsonNode wrong =
        viewer
            .upload("/dashboards/validate", "application/json", withTest(41).getBytes(UTF_8))
            .json();
    assertThat(wrong.path("valid").asBoolean()).isTrue();
    JsonNode last = wrong.path("findings").get(wrong.path("findings").size() - 1);
    assertThat(last.path("code").asString()).isEqualTo("test-failed");
    assertThat(last.path("path").asString()).isEqualTo("tests[0].expect[0]");
    assertThat(last.path("text").asString())
        .isEqualTo(
            "Test \"one host\", view \"Hosts\", row 1 (example), column cpu: 41 is expected, 40 is found.");
  }

  @Test
  void anImportSaysWhichTestIsNotMetAndStoresTheFileAllTheSame() {
    assertThat(
            imported(operator, "?dryRun=true", withTest(40))
                .path("problems")
                .findValuesAsString("place"))
        .noneMatch(place -> place.startsWith("tests"));
    JsonNode problems = imported(operator, "", withTest(41)).path("problems");
    JsonNode last = problems.get(problems.size() - 1);
    assertThat(last.path("place").asString()).isEqualTo("tests[0].expect[0]");
    assertThat(last.path("text").asString()).contains("41 is expected, 40 is found.");
    assertThat(count("dashboard")).isOne();
    assertThat(count("dashboard_view")).isOne();
  }
}
