package io.peerlens.supermetric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SuperMetricImportIT {

  private static final Path CORPUS = Path.of("..", "..", "shared", "corpus", "super-metrics");
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
  private static final String A = "3f0c2a52-6c1e-4b0e-9d55-0a6f1f1b7c01";
  private static final String B = "9a1d7a1e-0d3b-4e0a-8c2b-6d9be5b6a702";
  private static final String C = "11111111-2222-4333-8444-555555555555";

  private static PeerlensServer server;
  private static ApiClient api;

  @BeforeAll
  static void start() {
    server =
        PeerlensServer.start(
            TestDatabase.create(), Set.of(Role.API), "peerlens.web.max-import-size=1MB");
    api = server.admin();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void empty() {
    server.context().getBean(JdbcClient.class).sql("delete from super_metric").update();
  }

  /** A super metric of a file, with members that the format does not know. */
  private static String member(String id, String name, String formula) {
    return """
    "%s": {"resourceKinds": [{"resourceKindKey": "HostSystem", "adapterKindKey": "VMWARE", "odd": [1.10, null]}],
      "modificationTime": 1763683200000, "name": "%s", "formula": "%s", "description": "", "unitId": "percent",
      "modifiedBy": "", "zebra": {"z": 1e2, "a": 1.0}, "ant": 12345678901234567890}\
    """
        .formatted(id, name, formula);
  }

  private static String file(String... members) {
    return "{" + String.join(",", members) + "}";
  }

  private static Answer load(String query, String file) {
    Answer answer = api.post("/super-metrics/import" + query, file);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer;
  }

  private static List<String> outcome(Answer answer) {
    List<String> outcome = new ArrayList<>();
    answer
        .json()
        .path("items")
        .forEach(
            item ->
                outcome.add(
                    item.path("name").asString()
                        + " "
                        + item.path("state").asString()
                        + " "
                        + item.path("action").asString()));
    return outcome;
  }

  @Test
  void aDryRunSaysWhatTheImportDoes() {
    String file =
        file(
            member(A, "One", "1"),
            member(B, "Two", "avg(1"),
            member(C, "Three", "${this, metric=no|such}"));
    Answer dry = load("?dryRun=true&fileName=my.json", file);
    assertThat(api.get("/super-metrics").json().path("total").asInt()).isZero();
    assertThat(outcome(dry))
        .containsExactly("One new create", "Two new create", "Three new create");
    JsonNode items = dry.json().path("items");
    assertThat(dry.json().path("file").asString()).isEqualTo("my.json");
    assertThat(items.path(1).path("validity").asString()).isEqualTo("invalid");
    assertThat(items.path(1).path("issues").path(0).path("rendered").asString()).contains("^");
    assertThat(items.path(2).path("validity").asString()).isEqualTo("no-data-here");
    assertThat(dry.json().path("counts").path("invalid").asInt()).isEqualTo(1);

    Answer real = load("?fileName=my.json", file);
    assertThat(real.json().path("items")).isEqualTo(dry.json().path("items"));
    assertThat(real.json().path("counts")).isEqualTo(dry.json().path("counts"));
    JsonNode stored = api.get("/super-metrics").json();
    assertThat(stored.path("total").asInt()).isEqualTo(3);
    assertThat(api.get("/super-metrics/" + A).json().path("policy").path("enabled").asBoolean())
        .isTrue();
    assertThat(outcome(load("", file)))
        .containsExactly("One same skip", "Two same skip", "Three same skip");
  }

  @Test
  void importedSuperMetricsUseTheCycleOfVropsAndThoseThatCountCyclesAreNamed() {
    String down =
        "max([${this, metric=Super Metric|sm_" + A + "}, 0]) + 5 * (${this, metric=cpu|x} < 1)";
    String file =
        file(
            member(A, "Down", down),
            member(B, "Up", "min([300, ${this, metric=sys|osUptime_latest}])"),
            member(C, "Load", "${this, metric=cpu|x} / 12"));
    Answer dry = load("?dryRun=true", file);
    assertThat(dry.json().findValuesAsString("interval")).containsExactly("5m", "5m", "5m");
    assertThat(remarks(dry, 0))
        .containsExactly(
            "It reads its own last value, so its result depends on how often it is computed: every"
                + " 300 s here, every 300 s in vRealize Operations.");
    assertThat(remarks(dry, 1)).singleElement().asString().startsWith("It calculates with 300,");
    assertThat(remarks(dry, 2)).isEmpty();

    load("", file);
    JsonNode stored = api.get("/super-metrics/" + A).json();
    assertThat(stored.path("interval").asString()).isEqualTo("5m");
    assertThat(stored.path("policy").path("enabled").asBoolean()).isTrue();
    change("update super_metric set interval_s = 60, name = 'Renamed' where id = '" + A + "'");
    Answer again = load("?onConflict=overwrite", file);
    assertThat(outcome(again).getFirst()).isEqualTo("Down conflict overwrite");
    assertThat(remarks(again, 0))
        .singleElement()
        .asString()
        .contains("every 60 s here")
        .endsWith("set its interval to that.");
    assertThat(api.get("/super-metrics/" + A).json().path("interval").asString()).isEqualTo("1m");

    Answer pack = api.post("/super-metrics/packs/vm-basics/install", "");
    assertThat(pack.status()).as(pack.body()).isEqualTo(200);
    assertThat(Set.copyOf(pack.json().findValuesAsString("interval"))).containsExactly("1m");
  }

  private static List<String> remarks(Answer answer, int item) {
    List<String> remarks = new ArrayList<>();
    answer
        .json()
        .path("items")
        .path(item)
        .path("remarks")
        .forEach(remark -> remarks.add(remark.asString()));
    return remarks;
  }

  /** Changes what is stored behind the back of the API. */
  private static void change(String sql) {
    JdbcClient jdbc = server.context().getBean(JdbcClient.class);
    jdbc.sql(sql).update();
    jdbc.sql("update super_metric_version set version = version + 1").update();
  }

  @Test
  void anExportEqualsTheImportMemberForMember() {
    String file = file(member(A, "\u200bOne", " 1\\t+\\n2 "), member(B, "Two", "avg(1"));
    load("", file);
    Answer export = api.get("/super-metrics/export?id=" + A + "," + B);
    assertThat(JSON.readTree(export.body())).isEqualTo(JSON.readTree(file));
    assertThat(export.header("Content-Disposition")).contains("supermetric.json");
    JsonNode one = JSON.readTree(export.body()).path(A);
    assertThat(one.propertyNames())
        .containsExactly(
            "resourceKinds",
            "modificationTime",
            "name",
            "formula",
            "description",
            "unitId",
            "modifiedBy",
            "zebra",
            "ant");
    assertThat(one.path("zebra").propertyNames()).containsExactly("z", "a");
    assertThat(api.get("/super-metrics/export?id=" + C).status()).isEqualTo(404);
  }

  @Test
  void conflictsAreResolvedAsChosenForAllOrForOne() {
    load("", file(member(A, "One", "1"), member(B, "Two", "2")));
    String changed = file(member(A, "One", "10"), member(B, "Two", "20"), member(C, "Three", "3"));
    assertThat(outcome(load("?dryRun=true", changed)))
        .containsExactly("One changed skip", "Two changed skip", "Three new create");
    assertThat(outcome(load("?dryRun=true&overwrite=" + B, changed)))
        .containsExactly("One changed skip", "Two changed overwrite", "Three new create");
    assertThat(outcome(load("?dryRun=true&onConflict=overwrite&skip=" + A + "," + C, changed)))
        .containsExactly("One changed skip", "Two changed overwrite", "Three new skip");
    assertThat(outcome(load("?dryRun=true&only=" + C, changed)))
        .containsExactly("One changed skip", "Two changed skip", "Three new create");
    Answer real = load("?overwrite=" + B, changed);
    JsonNode change = real.json().path("items").path(1).path("changes").path(0);
    assertThat(change.path("field").asString()).isEqualTo("formula");
    assertThat(change.path("before").asString()).isEqualTo("2");
    assertThat(change.path("lines").size()).isEqualTo(2);
    assertThat(formula(A)).isEqualTo("1");
    assertThat(formula(B)).isEqualTo("20");
    assertThat(formula(C)).isEqualTo("3");
    JsonNode history = api.get("/super-metrics/" + B + "/history").json().path("items");
    assertThat(history.path(0).path("action").asString()).isEqualTo("imported");
  }

  private static String formula(String id) {
    return api.get("/super-metrics/" + id).json().path("formula").asString();
  }

  @Test
  void aSuperMetricOfTheSameNameReplacesTheStoredOneAndKeepsItsSettings() {
    load("", file(member(A, "One", "1")));
    String path = "/super-metrics/" + A;
    api.with("If-Match", api.get(path).header("ETag"))
        .put(path + "/policy", "{\"enabled\":false,\"rules\":[]}");
    Answer answer = load("?onConflict=overwrite", file(member(B, "One", "2")));
    assertThat(outcome(answer)).containsExactly("One conflict overwrite");
    assertThat(api.get(path).status()).isEqualTo(404);
    JsonNode now = api.get("/super-metrics/" + B).json();
    assertThat(now.path("policy").path("enabled").asBoolean()).isFalse();
    assertThat(api.get(path + "/history").json().path("items").path(0).path("action").asString())
        .isEqualTo("deleted");
  }

  @Test
  void namesCanBeExchanged() {
    load("", file(member(A, "One", "1"), member(B, "Two", "2")));
    Answer answer =
        load("?onConflict=overwrite", file(member(A, "Two", "1"), member(B, "One", "2")));
    assertThat(answer.json().path("counts").path("overwritten").asInt()).isEqualTo(2);
    assertThat(api.get("/super-metrics/" + A).json().path("name").asString()).isEqualTo("Two");
  }

  @Test
  void importedSuperMetricsCanBeLeftDisabled() {
    load("?enable=false", file(member(A, "One", "1")));
    assertThat(api.get("/super-metrics/" + A).json().path("state").asString())
        .isEqualTo("disabled");
  }

  @Test
  void aZipGoesOutAndComesIn() {
    load("", file(member(A, "One", "1"), member(B, "Two", "2")));
    Answer zip = api.get("/super-metrics/export?format=zip");
    assertThat(zip.header("Content-Type")).startsWith("application/zip");
    empty();
    Answer answer = api.upload("/super-metrics/import", "application/zip", zip.response().body());
    assertThat(outcome(answer)).containsExactly("One new create", "Two new create");
    assertThat(answer.json().path("items").path(0).path("document").asString())
        .isEqualTo("file!/supermetrics.json");
    empty();
    Answer stream =
        api.upload("/super-metrics/import", "application/octet-stream", zip.response().body());
    assertThat(outcome(stream)).hasSize(2);
  }

  @Test
  void aFileThatCannotBeReadSaysWhyAndWhere() {
    Answer broken = api.post("/super-metrics/import?fileName=x.json", "{\n \"a\": ");
    assertThat(broken.status()).isEqualTo(400);
    assertThat(broken.json().path("detail").asString()).contains("x.json, line 2");
    Answer partly =
        api.post("/super-metrics/import", file("\"no-uuid\": {}", member(A, "One", "1")));
    assertThat(partly.json().path("problemCount").asInt()).isEqualTo(1);
    assertThat(partly.json().path("problems").path(0).path("place").asString()).contains("no-uuid");
    assertThat(outcome(partly)).containsExactly("One new create");
    byte[] large = ("{\"" + "x".repeat(1 << 20) + "\": 1}").getBytes(StandardCharsets.UTF_8);
    Answer tooLarge = api.upload("/super-metrics/import", "application/json", large);
    assertThat(tooLarge.status()).isEqualTo(413);
    assertThat(tooLarge.json().path("hint").asString()).contains("peerlens.web.max-import-size");
  }

  @Test
  void packsAreInstalledByName() {
    JsonNode packs = api.get("/super-metrics/packs").json().path("items");
    assertThat(packs.size()).isPositive();
    String name = packs.path(0).path("name").asString();
    int size = packs.path(0).path("superMetrics").size();
    assertThat(packs.path(0).path("installed").asInt()).isZero();
    Answer installed = api.post("/super-metrics/packs/" + name + "/install", "");
    assertThat(installed.json().path("counts").path("created").asInt()).isEqualTo(size);
    assertThat(installed.json().path("counts").path("invalid").asInt()).isZero();
    JsonNode now = api.get("/super-metrics/packs").json().path("items").path(0);
    assertThat(now.path("installed").asInt()).isEqualTo(size);
    assertThat(now.path("superMetrics").path(0).path("installed").asString())
        .isEqualTo("installed");
    assertThat(api.get("/super-metrics?pack=" + name).json().path("total").asInt()).isEqualTo(size);
    assertThat(JSON.readTree(api.get("/super-metrics/export?pack=" + name).body()).size())
        .isEqualTo(size);
    Answer none = api.post("/super-metrics/packs/none/install", "");
    assertThat(none.status()).isEqualTo(404);
    assertThat(none.json().path("hint").asString()).contains(name);
  }

  /** All published files through the API: each comes out as it went in. */
  @Test
  void publishedExportsComeBackMemberForMember() throws IOException {
    assumeTrue(Files.isDirectory(CORPUS), "skipped: no published exports in " + CORPUS);
    int superMetrics = 0;
    int valid = 0;
    for (Path path : files()) {
      String content = Files.readString(path);
      Answer answer = load("?onConflict=overwrite", content);
      assertThat(answer.json().path("problemCount").asInt()).as(path.toString()).isZero();
      Set<String> ids = new LinkedHashSet<>();
      for (JsonNode item : answer.json().path("items")) {
        ids.add(item.path("id").asString());
        valid += item.path("validity").asString().equals("invalid") ? 0 : 1;
        assertThat(item.path("state").asString()).isNotEqualTo("duplicate");
      }
      JsonNode export =
          JSON.readTree(api.get("/super-metrics/export?id=" + String.join(",", ids)).body());
      JsonNode original = JSON.readTree(content);
      assertThat(export).as(path.toString()).isEqualTo(original);
      assertThat(members(export)).as(path.toString()).isEqualTo(members(original));
      superMetrics += ids.size();
    }
    assertThat(superMetrics).isGreaterThanOrEqualTo(254);
    assertThat(valid).isEqualTo(superMetrics);
    // Fewer than were imported: some files hold the same names, and the last one wins.
    Answer all = api.get("/super-metrics?limit=1000");
    assertThat(all.json().path("total").asInt()).isGreaterThan(150);
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(CORPUS)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }

  private static List<String> members(JsonNode document) {
    List<String> members = new ArrayList<>();
    for (Map.Entry<String, JsonNode> member : document.properties()) {
      members.add(UUID.fromString(member.getKey()) + "" + member.getValue().propertyNames());
    }
    return members;
  }
}
