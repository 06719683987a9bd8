package io.peerlens.planning;

import static io.peerlens.planning.LoadProfileData.group;
import static io.peerlens.planning.LoadProfileData.period;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.SampleData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is added to load profiles, and what is made of them. */
class LoadProfileAdditionsIT {

  /** Output of a real ESXi. */
  private static final Path VSCSI =
      Path.of("../sizing/src/test/resources/io/peerlens/profile/vscsistats/sample.csv");

  private static LoadProfileData made;

  @BeforeAll
  static void start() {
    made = new LoadProfileData();
  }

  @AfterAll
  static void stop() {
    made.close();
  }

  @Test
  void whatIsUnknownIsAddedFromVscsiStatsAndFromARun() throws IOException {
    JsonNode done = made.computed("{" + period() + ", \"by\": \"cluster\"}");
    String path = "/load-profiles/" + done.at("/summary/id").asString();
    String text = Files.readString(VSCSI);
    JsonNode added =
        accesses(
            path,
            Map.of(
                "vscsiStats",
                text,
                "machine",
                SampleData.uuid("VirtualMachine", "db-1").toString()));
    assertThat(added.path("kind").asString()).isEqualTo("vscsi-stats");
    assertThat(added.at("/machine/name").asString()).isEqualTo("db-1");
    assertThat(added.path("source").asString()).contains("vscsiStats of db-1, 1 disk");
    UUID run = run("4k-read", 90, 40_000);
    JsonNode ofRun = accesses(path, Map.of("run", run.toString()));
    assertThat(ofRun.has("group")).isFalse();

    JsonNode profile = made.admin().get(path).json();
    assertThat(profile.path("accesses")).hasSize(2);
    JsonNode prod = group(profile, "prod");
    assertThat(prod.path("unknown")).isEmpty();
    assertThat(prod.at("/accesses/randomSource").asString()).contains("vscsiStats of db-1");
    assertThat(prod.at("/accesses/workingSet").asDouble()).isEqualTo(1L << 30);
    assertThat(prod.at("/accesses/workingSetSource").asString())
        .isEqualTo("parameters of run 4k-read");
    assertThat(prod.at("/accesses/readSizes/sizes/0").asLong()).isEqualTo(4_096);
    assertThat(prod.at("/accesses/randomShare").asDouble()).isBetween(0.0, 1.0);
    String fio = made.admin().get(path + "/load?group=prod&tool=fio").body();
    assertThat(fio)
        .contains("; Randomness: vscsiStats of db-1")
        .contains("; Working set: parameters of run 4k-read")
        .contains("; Sizes are those of vscsiStats of db-1")
        .contains("\nsize=1073741824\n")
        .doesNotContain("randomness is not known");
    for (String tool : List.of("vdbench", "diskspd", "hcibench")) {
      assertThat(made.admin().get(path + "/load?group=prod&tool=" + tool).body())
          .as(tool)
          .contains("vscsiStats of db-1")
          .contains("ASSUMPTION: outstanding operations are not known");
    }

    // The same kind for the same place takes its place.
    String again =
        accesses(
                path,
                Map.of(
                    "vscsiStats",
                    text,
                    "randomBeyond",
                    500_000,
                    "machine",
                    SampleData.uuid("VirtualMachine", "db-1").toString()))
            .path("id")
            .asString();
    assertThat(again).isEqualTo(added.path("id").asString());
    accesses(path, Map.of("vscsiStats", text, "group", "prod"));
    assertThat(made.admin().get(path).json().path("accesses")).hasSize(3);
    assertThat(made.admin().delete(path + "/accesses/" + ofRun.path("id").asString()).status())
        .isEqualTo(204);
    assertThat(group(made.admin().get(path).json(), "prod").path("unknown"))
        .extracting(JsonNode::asString)
        .containsExactly("working set");
    assertThat(made.admin().delete(path + "/accesses/" + UUID.randomUUID()).status())
        .isEqualTo(404);
  }

  private static JsonNode accesses(String path, Map<String, Object> request) {
    Answer answer =
        made.admin().post(path + "/accesses", JsonMapper.shared().writeValueAsString(request));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  /** A stored run of 4 KB reads on the made.cluster(). */
  private static UUID run(String name, int random, double iops) {
    UUID benchmarkImport = UUID.randomUUID();
    UUID run = UUID.randomUUID();
    made.data()
        .jdbc()
        .sql(
            """
            with i as (
              insert into benchmark_import (id, job_id, file_name, size, state, imported_at, imported_by)
              values (?, ?, 'made', 1, 'done', now(), 'test') returning id)
            insert into benchmark_run (id, import_id, position, tested_id, tool, version, name, parameters, figures, latencies, remarks, series)
            select ?, i.id, 0, (select id from object where name = 'prod'), 'fio', '3.33', ?,
              jsonb_build_object('random_share', ?::text, 'working_set', '1073741824', 'block_size', '4096', 'read_share', '100'),
              jsonb_build_array(
                jsonb_build_object('name', 'iops', 'unit', 'IO/s', 'value', ?::float8, 'reason', ''),
                jsonb_build_object('name', 'latency', 'unit', 'ms', 'value', 0.8, 'reason', '')),
              '[]', '[]', ? from i
            """)
        .params(
            benchmarkImport, UUID.randomUUID(), run, name, String.valueOf(random), iops, gzip("[]"))
        .update();
    return run;
  }

  private static byte[] gzip(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
      zip.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  @Test
  void averageMachinesFitIntoWhatARunMeasured() {
    JsonNode done = made.computed("{" + period() + ", \"by\": \"cluster\"}");
    String path = "/load-profiles/" + done.at("/summary/id").asString();
    UUID run = run("capacity", 100, 40_000);
    Answer missing = made.admin().get(path + "/fits?run=" + run);
    assertThat(missing.status()).isEqualTo(400);
    assertThat(missing.body()).contains("on how many hosts");
    JsonNode fits = made.admin().get(path + "/fits?group=prod&hosts=4&run=" + run).json();
    assertThat(fits.path("left").asDouble()).isEqualTo(30_000);
    assertThat(fits.path("machines").asInt()).isEqualTo(2);
    JsonNode p95 = fits.at("/fits/2");
    assertThat(p95.path("at").asString()).isEqualTo("p95");
    // Six hours in ten have 1,000 operations: that is the 95th percentile of both machines.
    assertThat(p95.path("iops").asDouble()).isCloseTo(1000, within(0.01));
    assertThat(p95.path("fit").asDouble()).isEqualTo(30);
    assertThat(p95.path("low").asDouble()).isEqualTo(30);
    assertThat(fits.at("/fits/0/fit").asDouble()).isBetween(40.0, 42.0);
    assertThat(fits.path("sentence").asString())
        .isEqualTo(
            "30 machines (30 to 30) of 1,000 IO/s each fit, by the 95th percentile of each, into the 30,000 IO/s that are left when 1 of 4 hosts fails.");
    // No hour is 4K reads.
    assertThat(fits.path("alike").asDouble()).isZero();
    assertThat(fits.path("alikeSentence").asString())
        .startsWith("The test was 4K all reads; no hour looks like that.");
    assertThat(fits.path("remarks"))
        .extracting(JsonNode::asString)
        .anyMatch(one -> one.startsWith("Few hours look like the test"))
        .anyMatch(one -> one.startsWith("Only 2 machines are known"));
    assertThat(made.admin().get(path + "/fits?group=prod&hosts=2&failures=2&run=" + run).status())
        .isEqualTo(400);
    assertThat(made.admin().get(path + "/fits?hosts=2&run=" + UUID.randomUUID()).status())
        .isEqualTo(400);
    // The tested cluster says how many hosts there are.
    int host = made.data().object("VMWARE", "HostSystem", "esx-1");
    int other = made.data().object("VMWARE", "HostSystem", "esx-2");
    for (int one : List.of(host, other)) {
      made.data()
          .sql(
              "insert into relation (parent_id, child_id) select id, %d from object where name = 'prod'"
                  .formatted(one));
    }
    made.data()
        .sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(made.admin().get(path + "/fits?run=" + run).json().path("hosts").asInt())
                    .isEqualTo(2));
  }

  @Test
  void accessesThatMakeNoSenseAreRefused() throws IOException {
    JsonNode done = made.computed("{" + period() + "}");
    String path = "/load-profiles/" + done.at("/summary/id").asString() + "/accesses";
    UUID silent = run("silent", 900, 1);
    made.data()
        .jdbc()
        .sql("update benchmark_run set parameters = '{}' where id = ?")
        .param(silent)
        .update();
    for (Map<String, Object> wrong :
        List.<Map<String, Object>>of(
            Map.of(),
            Map.of("vscsiStats", "nothing", "run", silent.toString()),
            Map.of("vscsiStats", "nothing"),
            Map.of("run", silent.toString()),
            Map.of("run", UUID.randomUUID().toString()),
            Map.of("vscsiStats", Files.readString(VSCSI), "group", "nobody"),
            Map.of("vscsiStats", Files.readString(VSCSI), "machine", made.cluster().toString()))) {
      Answer answer = made.admin().post(path, JsonMapper.shared().writeValueAsString(wrong));
      assertThat(answer.status()).as(wrong + answer.body()).isEqualTo(400);
    }
    assertThat(
            made.admin()
                .post(
                    "/load-profiles/" + UUID.randomUUID() + "/accesses", "{\"vscsiStats\": \"x\"}")
                .status())
        .isEqualTo(404);
  }

  @Test
  void aReportComputesAProfileEachTime() throws IOException {
    change();
    Answer stored =
        made.admin()
            .post(
                "/reports",
                """
                {"name": "Load of the year", "time": {"last": "30d"},
                 "loadProfile": {"by": "cluster", "ancestor": "%s",
                   "onlyDuring": {"days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "begins": "00:00", "ends": "00:00", "zone": "UTC"}},
                 "schedule": {"days": ["mon"], "time": "07:00", "zone": "Europe/Berlin"}}
                """
                    .formatted(made.cluster()));
    assertThat(stored.status()).as(stored.body()).isEqualTo(201);
    String id = stored.json().path("id").asString();
    assertThat(made.admin().get("/reports/" + id).json().at("/loadProfile/by").asString())
        .isEqualTo("cluster");
    Answer ran = made.admin().post("/reports/" + id + "/run", "{}");
    assertThat(ran.status()).as(ran.body()).isEqualTo(200);
    assertThat(ran.json().path("panels").asInt()).isEqualTo(3);
    assertThat(ran.json().path("failed").asInt()).isZero();
    String run = "/reports/" + id + "/runs/" + ran.json().path("id").asString();
    JsonNode part = made.admin().get(run).json().at("/content/0");
    assertThat(part.path("words"))
        .extracting(JsonNode::asString)
        .contains("Machines below prod", "By cluster");
    String csv = made.admin().get(run + "/csv?part=1&panel=load").body();
    assertThat(csv)
        .startsWith("Group,Machines,Mean (IO/s),p50 (IO/s),p95 (IO/s)")
        .contains("\r\nAll,2,")
        .contains("\r\nprod,2,")
        .doesNotContain("NaN");
    assertThat(made.admin().get(run + "/csv?part=1&panel=profiles").body())
        .contains("prod,8K 70/30,");
    assertThat(made.admin().get(run + "/csv?part=1&panel=peaks").body())
        .contains(LoadProfileData.BURST.toString())
        .contains("db-2 ")
        .contains("prod: moved to new disks")
        .contains("No flows come in");
    try (PDDocument pdf = Loader.loadPDF(made.admin().get(run + "/pdf?part=1").response().body())) {
      assertThat(new PDFTextStripper().getText(pdf))
          .contains("Load of the year", "Machines below prod", "8K 70/30", "db-2")
          .contains("Percentiles and peaks are exact over means of an hour");
    }
    for (String wrong :
        List.of(
            "{\"by\": \"tag\"}",
            "{\"ancestor\": \"" + UUID.randomUUID() + "\"}",
            "{\"onlyDuring\": {\"days\": [\"mon\"], \"begins\": \"08:00\", \"ends\": \"18:00\", \"zone\": \"Nowhere\"}}")) {
      assertThat(
              made.admin()
                  .post("/reports", "{\"name\": \"x\", \"loadProfile\": " + wrong + "}")
                  .status())
          .as(wrong)
          .isIn(400, 404);
    }
    assertThat(
            made.admin()
                .post(
                    "/reports",
                    "{\"name\": \"x\", \"loadProfile\": {}, \"view\": \"%s\"}"
                        .formatted(UUID.randomUUID()))
                .status())
        .isEqualTo(400);
  }

  private static void change() {
    Answer answer =
        made.admin()
            .post(
                "/changes",
                "{\"object\": \"%s\", \"time\": \"%s\", \"title\": \"moved to new disks\"}"
                    .formatted(made.cluster(), LoadProfileData.BURST));
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
  }
}
