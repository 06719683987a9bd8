package io.peerlens.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.TestKafka;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Results of benchmarks from the upload to objects, metrics and changes. */
class BenchmarkRunsIT {

  /** A run of fio 3.33 on this project's own machines. */
  private static final Path FIO = Path.of("src/test/resources/benchmark-runs/fio-8k-70");

  private static SampleData data;
  private static PeerlensServer server;
  private static UUID cluster;

  @BeforeAll
  static void start() {
    data = SampleData.create();
    data.object("VMWARE", "ClusterComputeResource", "prod");
    cluster =
        data.jdbc().sql("select uuid from object where name = 'prod'").query(UUID.class).single();
    String topic = "benchmark-runs-" + UUID.randomUUID();
    TestKafka.createTopic(TestKafka.shared().bootstrap(), topic, 1);
    server =
        PeerlensServer.start(
            data.database(),
            Set.of(Role.API, Role.INGEST),
            "peerlens.ingest.bootstrap-servers=" + TestKafka.shared().bootstrap(),
            "peerlens.ingest.topic=" + topic,
            "peerlens.ingest.group=" + topic,
            "peerlens.ingest.dead-letter-topic=" + topic + "-dead");
  }

  private static ApiClient client(String role) {
    Answer token =
        server.admin().post("/tokens", "{\"name\": \"%1$s\", \"role\": \"%1$s\"}".formatted(role));
    return new ApiClient(server.url(), token.json().path("secret").asString());
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
  }

  private static byte[] zip(Map<String, byte[]> files) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        zip.putNextEntry(new ZipEntry(file.getKey()));
        zip.write(file.getValue());
        zip.closeEntry();
      }
    }
    return bytes.toByteArray();
  }

  private static Map<String, byte[]> folder(Path folder) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(folder)) {
      for (Path file : all.toList()) {
        files.put("rr/" + file.getFileName(), Files.readAllBytes(file));
      }
    }
    return files;
  }

  private static JsonNode imported(byte[] file, String query) {
    Answer answer = server.admin().upload("/benchmark-runs" + query, "application/zip", file);
    assertThat(answer.status()).as(answer.body()).isEqualTo(202);
    String path = "/benchmark-imports/" + answer.json().path("id").asString();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> !server.admin().get(path).json().path("state").asString().equals("reading"));
    return server.admin().get(path).json();
  }

  @Test
  void aRunIsAnObjectWithMetricsAndAChangeOnWhatWasTested() throws IOException {
    Map<String, byte[]> files = folder(FIO);
    files.put("rr/notes.json", "{ this is no JSON".getBytes(StandardCharsets.UTF_8));
    byte[] zip = zip(files);
    JsonNode done =
        imported(zip, "?fileName=rr.zip&object=" + cluster + "&note=after%20the%20update");
    assertThat(done.path("state").asString()).as(done.toString()).isEqualTo("done");
    assertThat(done.path("runs").asInt()).as(done.toString()).isEqualTo(1);
    String benchmarkImport = done.path("id").asString();

    JsonNode page =
        server.admin().get("/benchmark-runs?object=" + cluster + "&q=update&tool=fio").json();
    assertThat(page.path("total").asLong()).isEqualTo(1);
    String id = page.at("/items/0/id").asString();
    JsonNode run = server.admin().get("/benchmark-runs/" + id).json();
    JsonNode summary = run.path("summary");
    assertThat(summary.at("/parameters/block_size").asString()).isEqualTo("8192");
    assertThat(summary.at("/object/name").asString()).isEqualTo("prod");
    assertThat(summary.path("benchmarkImport").asString()).isEqualTo(benchmarkImport);
    double iops =
        summary
            .path("figures")
            .valueStream()
            .filter(one -> one.path("name").asString().equals("iops"))
            .findAny()
            .orElseThrow()
            .path("value")
            .asDouble();
    assertThat(iops).isPositive();
    assertThat(run.path("latencies")).isNotEmpty();

    // Its object, with properties, below what was tested.
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              JsonNode object = server.admin().get("/objects/" + id).json();
              assertThat(object.path("objectKind").asString()).isEqualTo("BenchmarkRun");
              assertThat(object.at("/properties/parameter|block_size").asString())
                  .isEqualTo("8192");
            });
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> assertThat(metric(id, summary, "total|iops")).isCloseTo(iops, within(0.01)));
    assertThat(server.admin().get("/objects/" + id + "/ancestors").body()).contains("prod");

    // What was tested has a change from the start to the end.
    JsonNode changes =
        server.admin().get("/changes?object=" + cluster + "&from=2020-01-01T00:00:00Z").json();
    JsonNode change =
        changes
            .path("items")
            .valueStream()
            .filter(one -> one.path("id").asLong() == run.path("change").asLong())
            .findAny()
            .orElseThrow();
    assertThat(change.toString()).contains("Benchmark: ");
    assertThat(Instant.parse(change.path("time").asString()))
        .isEqualTo(Instant.parse(summary.path("start").asString()));

    // The file as it came.
    Answer file = server.admin().get("/benchmark-imports/" + benchmarkImport + "/file");
    assertThat(Arrays.equals(file.response().body(), zip)).isTrue();
    assertThat(file.header("Content-Disposition")).contains("rr.zip");

    assertThat(page.at("/items/0/loadShape")).isNotEmpty();
    assertThat(page.at("/items/0/loadShape"))
        .filteredOn(JsonNode::isNumber)
        .extracting(JsonNode::asDouble)
        .allMatch(share -> share >= 0 && share <= 1)
        .contains(1.0);

    JsonNode series = server.admin().get("/benchmark-runs/" + id + "/series").json();
    assertThat(series.path("series"))
        .extracting(one -> one.path("metric").asString())
        .contains("read_iops");

    // What people say of it.
    Answer changed =
        server
            .admin()
            .send(
                "PATCH",
                "/benchmark-runs/" + id,
                "{\"reference\": true, \"parameters\": {\"policy\": \"RAID-1\"}}");
    assertThat(changed.status()).as(changed.body()).isEqualTo(200);
    assertThat(changed.json().at("/summary/parameters/policy").asString()).isEqualTo("RAID-1");
    assertThat(changed.json().at("/summary/note").asString()).isEqualTo("after the update");
    assertThat(changed.json().path("ownParameters").toString())
        .isEqualTo("{\"policy\":\"RAID-1\"}");
    Answer refused =
        server
            .admin()
            .send("PATCH", "/benchmark-runs/" + id, "{\"parameters\": {\"block_size\": \"1\"}}");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("given by the tool");

    // Deleted with its object, its change and its file.
    assertThat(server.admin().delete("/benchmark-runs/" + id).status()).isEqualTo(204);
    assertThat(server.admin().get("/benchmark-runs/" + id).status()).isEqualTo(404);
    assertThat(server.admin().get("/benchmark-imports/" + benchmarkImport).status()).isEqualTo(404);
    assertThat(server.admin().get("/changes/" + run.path("change").asLong()).status())
        .isEqualTo(404);
  }

  private static double metric(String id, JsonNode summary, String key) {
    Instant start = Instant.parse(summary.path("start").asString());
    Answer answer =
        server
            .admin()
            .post(
                "/series/query",
                """
                {"objects": ["%s"], "metrics": ["%s"], "from": "%s", "to": "%s", "maxPoints": 1000}
                """
                    .formatted(id, key, start.minusSeconds(60), start.plus(Duration.ofHours(1))));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer
        .json()
        .at("/series/0/values")
        .valueStream()
        .filter(JsonNode::isNumber)
        .mapToDouble(JsonNode::asDouble)
        .max()
        .orElse(Double.NaN);
  }

  @Test
  void runsAreReadTogetherComparedAndJudged() throws IOException {
    String json = Files.readString(FIO.resolve("fio.json"));
    Map<String, byte[]> files = new TreeMap<>();
    for (String size : new String[] {"4k", "8k", "16k"}) {
      files.put(
          size + "/fio.json",
          json.replace("\"bs\" : \"8k\"", "\"bs\" : \"" + size + "\"")
              .getBytes(StandardCharsets.UTF_8));
    }
    JsonNode done = imported(zip(files), "?fileName=sizes.zip&note=sizes");
    assertThat(done.path("runs").asInt()).as(done.toString()).isEqualTo(3);
    String of = "\"benchmarkImport\": \"" + done.path("id").asString() + "\"";
    JsonNode together =
        server
            .admin()
            .post(
                "/benchmark-runs/curves",
                "{"
                    + of
                    + ", \"latency\": \"mean\", \"limit\": 1000, \"theoretical\": {\"each\": 50000, \"part\": \"drives\", \"count\": 2}}")
            .json();
    assertThat(together.path("runs").asInt()).isEqualTo(3);
    JsonNode curve = together.at("/curves/0");
    assertThat(curve.path("parameter").asString()).isEqualTo("block_size");
    assertThat(curve.path("points"))
        .extracting(one -> one.path("value").asString())
        .containsExactly("4096", "8192", "16384");
    assertThat(curve.path("reading").asString()).startsWith("At least ");
    assertThat(curve.path("readingState").asString()).isEqualTo("at-least");
    assertThat(curve.path("readingLoad").asDouble())
        .isEqualTo(curve.at("/points/0/load").asDouble());
    assertThat(curve.at("/theoretical/maximum").asDouble()).isEqualTo(100_000);
    assertThat(curve.at("/theoretical/percent").asDouble())
        .isCloseTo(curve.path("readingLoad").asDouble() / 1000, within(1e-6));
    assertThat(curve.at("/theoretical/sentence").asString())
        .contains("of the theoretical 100,000 IOPS, 2 drives of 50,000");

    JsonNode page = server.admin().get("/benchmark-runs?q=sizes").json();
    String a = page.at("/items/0/id").asString();
    String b = page.at("/items/1/id").asString();
    assertThat(curve.path("points"))
        .extracting(one -> one.at("/runs/0").asString())
        .contains(a, b)
        .doesNotHaveDuplicates();
    assertThat(page.at("/items/0/steady").asString()).isEqualTo("not-known");
    JsonNode compared =
        server
            .admin()
            .post("/benchmark-runs/compare", "{\"run\": \"%s\", \"base\": \"%s\"}".formatted(a, b))
            .json();
    assertThat(compared.path("sentence").asString()).isNotBlank();
    assertThat(compared.path("differences"))
        .extracting(one -> one.path("parameter").asString())
        .contains("block_size");
    assertThat(compared.path("totals"))
        .filteredOn(one -> one.path("name").asString().equals("iops"))
        .extracting(one -> one.path("percent").asDouble())
        .containsExactly(0.0);
    Answer unknown =
        server
            .admin()
            .post(
                "/benchmark-runs/compare",
                "{\"run\": \"%s\", \"base\": \"%s\"}".formatted(a, UUID.randomUUID()));
    assertThat(unknown.status()).isEqualTo(400);

    JsonNode judged =
        server
            .admin()
            .post(
                "/benchmark-runs/check",
                """
                {%s, "criteria": {"name": "acceptance", "criteria": [
                  {"figure": "iops", "operator": ">=", "limit": 1, "unit": "IO/s"},
                  {"figure": "latency", "operator": "<=", "limit": 0.000001, "unit": "ms"}]}}
                """
                    .formatted(of))
            .json();
    assertThat(judged.path("outcomes"))
        .extracting(one -> one.path("state").asString())
        .containsExactly("pass", "fail");
    assertThat(judged.at("/outcomes/1/margin").asDouble()).isNegative();
    Answer wrong =
        server
            .admin()
            .post(
                "/benchmark-runs/check",
                "{%s, \"criteria\": {\"name\": \"x\", \"criteria\": [{\"figure\": \"iops\", \"operator\": \"~\"}]}}"
                    .formatted(of));
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.body()).contains("criteria.criteria[0].operator");
    JsonNode run = server.admin().get("/benchmark-runs/" + a).json();
    assertThat(run.path("steadySentence").asString()).isNotBlank();
    assertThat(run.has("drift") && !run.path("drift").isNull()).isFalse();
  }

  /** Two runs of the same parameters, of which the second carries a fifth less. */
  private static byte[] twice() throws IOException {
    StringBuilder csv = new StringBuilder("repeat,depth,seconds,iops\n");
    for (int repeat = 0; repeat < 2; repeat++) {
      for (int second = 10; second <= 600; second += 10) {
        double iops = (1 - 0.2 * repeat) * (10_000 + 40 * Math.sin(second));
        csv.append("%d,8,%d,%.0f%n".formatted(repeat, second, iops));
      }
    }
    String mapping =
        """
        {"csvMapping": 1, "tool": "made", "time": {"column": "seconds", "format": "seconds"}, "runs": ["repeat", "depth"],
         "parameters": {"depth": "outstanding"}, "metrics": [{"column": "iops", "metric": "iops", "unit": "IO/s"}]}
        """;
    return zip(
        Map.of(
            "runs.csv", csv.toString().getBytes(StandardCharsets.UTF_8),
            "mapping.json", mapping.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void aRunIsNoRepeatOfTheOneItIsComparedWith() throws IOException {
    data.object("VMWARE", "ClusterComputeResource", "twice");
    UUID object =
        data.jdbc().sql("select uuid from object where name = 'twice'").query(UUID.class).single();
    imported(twice(), "?fileName=twice.zip&from=2026-11-01T00:00:00Z&object=" + object);
    JsonNode runs = server.admin().get("/benchmark-runs?object=" + object).json().path("items");
    assertThat(runs).hasSize(2);
    JsonNode compared =
        server
            .admin()
            .post(
                "/benchmark-runs/compare",
                "{\"run\": \"%s\", \"base\": \"%s\"}"
                    .formatted(
                        runs.get(0).path("id").asString(), runs.get(1).path("id").asString()))
            .json();
    assertThat(compared.path("sentence").asString())
        .contains("IOPS")
        .doesNotContain("repeats differ");
    assertThat(compared.path("remarks").toString()).doesNotContain("Repeats differ");
  }

  @Test
  void criteriaAreKeptForAll() {
    String path = "/benchmark-runs/criteria";
    ApiClient viewer = client("viewer");
    Answer none = viewer.get(path);
    assertThat(none.status()).as(none.body()).isEqualTo(200);
    assertThat(none.json().path("items")).isEmpty();
    String one =
        "{\"name\": \"acceptance\", \"criteria\": [{\"figure\": \"iops\", \"operator\": \"%s\", \"limit\": 5, \"unit\": \"IO/s\"}]}";
    String wanted = "{\"items\": [" + one.formatted(">=") + "]}";
    ApiClient operator = client("operator");
    assertThat(operator.put(path, wanted).status()).isEqualTo(428);
    ApiClient editor = operator.with("If-Match", none.header("ETag"));
    assertThat(viewer.with("If-Match", "*").put(path, wanted).status()).isEqualTo(403);
    Answer wrong = editor.put(path, wanted.replace(">=", "~"));
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.body()).contains("items[0].criteria[0].operator");
    Answer twice =
        editor.put(
            path, "{\"items\": [%s, %s]}".formatted(one.formatted(">="), one.formatted("<=")));
    assertThat(twice.status()).isEqualTo(400);
    assertThat(twice.body()).contains("items[1].name");
    Answer kept = editor.put(path, wanted);
    assertThat(kept.status()).as(kept.body()).isEqualTo(200);
    assertThat(editor.put(path, wanted).status()).isEqualTo(412);
    Answer read = viewer.get(path);
    assertThat(read.header("ETag")).isEqualTo(kept.header("ETag"));
    assertThat(read.json().at("/items/0/criteria/0/limit").asInt()).isEqualTo(5);
  }

  @Test
  void hostsAndTheRealLoadStandBesideARun() throws IOException {
    JsonNode done = imported(zip(folder(FIO)), "?fileName=hosts.zip&note=hosts&object=" + cluster);
    String run =
        server
            .admin()
            .get("/benchmark-runs?benchmarkImport=" + done.path("id").asString())
            .json()
            .at("/items/0/id")
            .asString();
    JsonNode nothing = server.admin().get("/benchmark-runs/" + run + "/hosts").json();
    assertThat(nothing.path("metrics")).isEmpty();
    assertThat(nothing.path("sentence").asString())
        .isEqualTo("Not known: prod has no host in the inventory.");
    JsonNode match = server.admin().get("/benchmark-runs/" + run + "/load-profile").json();
    assertThat(match.path("sentence").asString())
        .isEqualTo("Not known: there is no load profile of what was tested.");
    assertThat(match.path("test").asString()).isEqualTo("8K 70/30");
    assertThat(
            server
                .admin()
                .get("/benchmark-runs/" + run + "/load-profile?profile=" + UUID.randomUUID())
                .status())
        .isEqualTo(404);
  }

  @Test
  void whatCannotBeReadIsSaidAndNothingElseStops() throws IOException {
    JsonNode done =
        imported(zip(Map.of("a/readme.txt", "nothing".getBytes(StandardCharsets.UTF_8))), "");
    assertThat(done.path("runs").asInt()).isZero();
    JsonNode broken = imported("PK this is no ZIP".getBytes(StandardCharsets.UTF_8), "");
    assertThat(broken.path("runs").asInt()).isZero();
    assertThat(broken.path("problems")).isNotEmpty();
    assertThat(broken.at("/problems/0/what").asString()).isNotBlank();
    assertThat(broken.at("/problems/0/remedy").asString()).isNotBlank();
    Answer empty = server.admin().upload("/benchmark-runs", "application/zip", new byte[0]);
    assertThat(empty.status()).isEqualTo(400);
    assertThat(
            server
                .admin()
                .upload(
                    "/benchmark-runs?object=" + UUID.randomUUID(), "application/zip", zip(Map.of()))
                .status())
        .isEqualTo(404);
  }

  @Test
  void listsGoOnWhereTheyEnded() throws IOException {
    byte[] zip = zip(folder(FIO));
    for (int i = 0; i < 3; i++) {
      imported(zip, "?fileName=list.zip&note=listed");
    }
    JsonNode first = server.admin().get("/benchmark-runs?q=listed&limit=2").json();
    assertThat(first.path("items")).hasSize(2);
    assertThat(first.path("total").asLong()).isEqualTo(3);
    JsonNode second =
        server
            .admin()
            .get("/benchmark-runs?q=listed&limit=2&cursor=" + first.path("nextCursor").asString())
            .json();
    assertThat(second.path("items")).hasSize(1);
    assertThat(second.at("/items/0/id").asString())
        .isNotIn(first.at("/items/0/id").asString(), first.at("/items/1/id").asString());
    assertThat(second.has("nextCursor") && !second.path("nextCursor").isNull()).isFalse();
    assertThat(server.admin().get("/benchmark-runs?q=li_ted").json().path("total").asLong())
        .isZero();
  }
}
