package io.peerlens.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Load profiles of stored history of which the mixture is known. */
class LoadProfilesIT {

  private static final int DAYS = 30;
  private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.HOURS);
  private static final Instant BURST = NOW.minus(Duration.ofDays(2));

  /** Output of a real ESXi. */
  private static final Path VSCSI =
      Path.of("../sizing/src/test/resources/io/peerlens/profile/vscsistats/sample.csv");

  private static SampleData data;
  private static PeerlensServer server;
  private static UUID cluster;

  /**
   * Six hours in ten are 1,000 operations of 8 KB with 70 % reads, the rest 300 of 64 KB with 20 %.
   */
  @BeforeAll
  static void start() {
    data = SampleData.create();
    int group =
        data.group(
            "VMWARE",
            "VirtualMachine",
            "virtualDisk",
            List.of(
                "numberReadAveraged_average",
                "numberWriteAveraged_average",
                "read_average",
                "write_average",
                "totalReadLatency_average",
                "totalWriteLatency_average"));
    int above = data.object("VMWARE", "ClusterComputeResource", "prod");
    cluster =
        data.jdbc().sql("select uuid from object where name = 'prod'").query(UUID.class).single();
    for (String name : List.of("db-1", "db-2", "elsewhere")) {
      int vm = data.object("VMWARE", "VirtualMachine", name);
      if (!name.equals("elsewhere")) {
        data.sql("insert into relation (parent_id, child_id) values (%d, %d)".formatted(above, vm));
      }
      data.sql(
          "update object set properties = '{\"config|hardware|memoryKB\": \"8388608\"}', tags = '{\"tier\": \"db\"}' where id = "
              + vm);
      data.jdbc()
          .sql(
              """
              insert into sample_1h (time, set_id, samples, avg)
              select t, ?, 12, case when (extract(epoch from t)::bigint / 3600) % 10 < 6
                then array[700, 300, 5600, 2400, 1.0, 2.0] else array[60, 240, 3840, 15360, 4.0, 8.0] end
              from generate_series(?::timestamptz, ?::timestamptz - interval '1 hour', interval '1 hour') t
              """)
          .params(
              data.set(vm, group, ""),
              SampleData.time(NOW.minus(Duration.ofDays(DAYS))),
              SampleData.time(NOW))
          .update();
    }
    // One burst of one machine, two days ago.
    data.jdbc()
        .sql(
            """
            update sample_1h set avg = array[9000, 1000, 72000, 8000, 1.0, 2.0]
            where time = ? and set_id = (select s.id from metric_set s join object o on o.id = s.object_id where o.name = 'db-2')
            """)
        .param(SampleData.time(BURST))
        .update();
    data.jdbc().sql("update level_state set rolled_until = ?").param(SampleData.time(NOW)).update();
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
    server = PeerlensServer.start(data.database(), Set.of(Role.API));
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
  }

  private static String period() {
    return "\"from\": \"%s\", \"to\": \"%s\"".formatted(NOW.minus(Duration.ofDays(DAYS)), NOW);
  }

  private static JsonNode computed(String request) {
    Answer answer = server.admin().post("/load-profiles", request);
    assertThat(answer.status()).as(answer.body()).isEqualTo(202);
    String path = "/load-profiles/" + answer.json().path("id").asString();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                !server
                    .admin()
                    .get(path)
                    .json()
                    .at("/summary/state")
                    .asString()
                    .equals("computing"));
    JsonNode done = server.admin().get(path).json();
    assertThat(done.at("/summary/state").asString()).as(done.toString()).isEqualTo("done");
    return done;
  }

  private static JsonNode group(JsonNode profile, String name) {
    return profile
        .path("groups")
        .valueStream()
        .filter(one -> one.path("name").asString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void hoursFallIntoTheProfilesThatTheyWereMadeOf() {
    JsonNode done = computed("{" + period() + ", \"by\": \"cluster\"}");
    assertThat(done.at("/summary/machines").asInt()).isEqualTo(3);
    assertThat(done.at("/groups/0/name").asString()).isEqualTo("All");
    JsonNode prod = group(done, "prod");
    assertThat(prod.path("machines").asInt()).isEqualTo(2);
    assertThat(prod.path("hours").asInt()).isEqualTo(DAYS * 24);
    assertThat(prod.path("hoursWithIops").asInt()).isEqualTo(DAYS * 24);
    assertThat(prod.at("/iops/peak").asDouble()).isBetween(10_300.0, 11_000.0);
    assertThat(prod.at("/iops/peakAt").asString()).isEqualTo(BURST.toString());
    assertThat(prod.path("percentilesOf").asString()).isEqualTo("hour");
    assertThat(prod.at("/iops/mean").asDouble()).isCloseTo(2 * (600 + 120), within(15.0));
    assertThat(prod.at("/iops/p95").asDouble()).isCloseTo(2000, within(0.1));
    assertThat(prod.at("/clusters/0/name").asString()).isEqualTo("8K 70/30");
    assertThat(prod.at("/clusters/0/shareOfHours").asDouble()).isCloseTo(0.6, within(0.01));
    assertThat(prod.at("/clusters/1/name").asString()).isEqualTo("64K 20/80");
    // Latency by operations: 0.7 x 1 + 0.3 x 2 in the busy hours.
    assertThat(prod.at("/latencyMillis/p50").asDouble()).isCloseTo(1.3, within(0.01));
    double operations = 0.6 * 1000 + 0.4 * 300;
    double bytes = 0.6 * 1000 * 8192 + 0.4 * 300 * 65536;
    assertThat(prod.path("blockSize").asDouble())
        .isCloseTo(bytes / operations, within(bytes / operations * 0.01));
    assertThat(prod.at("/perMemoryGb/mean").asDouble())
        .isCloseTo(operations / 8, within(operations / 8 * 0.02));
    assertThat(prod.path("unknown"))
        .extracting(JsonNode::asString)
        .contains("randomness", "working set");
    assertThat(prod.path("peaks")).isNotEmpty();
  }

  @Test
  void tablesAndLoadsOfAProfile() {
    String id =
        computed("{" + period() + ", \"by\": \"tag\", \"tag\": \"tier\"}")
            .at("/summary/id")
            .asString();
    assertThat(
            group(server.admin().get("/load-profiles/" + id).json(), "db").path("machines").asInt())
        .isEqualTo(3);
    assertThat(server.admin().get("/load-profiles/" + id + "/csv").body()).contains("All", "db");
    assertThat(server.admin().get("/load-profiles/" + id + "/csv?table=clusters").body())
        .contains("8K 70/30");
    for (String tool : List.of("fio", "vdbench", "diskspd", "hcibench")) {
      Answer load =
          server
              .admin()
              .get(
                  "/load-profiles/"
                      + id
                      + "/load?group=db&cluster=8K%2070%2F30&at=p95&tool="
                      + tool);
      assertThat(load.status()).as(load.body()).isEqualTo(200);
      assertThat(load.body()).contains("randomness is not known");
    }
    assertThat(server.admin().get("/load-profiles/" + id + "/load?group=db&tool=fio").body())
        .contains("rwmixread=");
    Answer wrong =
        server.admin().get("/load-profiles/" + id + "/load?group=db&cluster=4K&tool=fio");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.body()).contains("8K 70/30");
    assertThat(server.admin().get("/load-profiles").json().at("/items/0/id").asString())
        .isNotBlank();
    assertThat(server.admin().delete("/load-profiles/" + id).status()).isEqualTo(204);
    assertThat(server.admin().get("/load-profiles/" + id).status()).isEqualTo(404);
  }

  @Test
  void aPeakTellsItsMachinesAndTheChangesAroundIt() {
    JsonNode done = computed("{" + period() + ", \"by\": \"cluster\"}");
    String path = "/load-profiles/" + done.at("/summary/id").asString();
    JsonNode peak = group(done, "prod").at("/peaks/0");
    assertThat(peak.path("at").asString()).isEqualTo(BURST.toString());
    assertThat(peak.path("reporting").asInt()).isEqualTo(2);
    assertThat(peak.at("/machines/0/name").asString()).isEqualTo("db-2");
    assertThat(peak.at("/machines/0/iops").asDouble()).isEqualTo(10_000);
    assertThat(peak.at("/machines/0/share").asDouble())
        .isCloseTo(10_000 / peak.path("iops").asDouble(), within(1e-6));
    assertThat(peak.at("/machines/0/object/id").asString())
        .isEqualTo(SampleData.uuid("VirtualMachine", "db-2").toString());

    change("prod", BURST.minus(Duration.ofMinutes(20)), null, "new storage policy");
    change(
        "db-2", BURST.minus(Duration.ofHours(30)), BURST.plusSeconds(60), "copy of the database");
    change(
        "db-2",
        BURST.minus(Duration.ofHours(30)),
        BURST.minus(Duration.ofHours(9)),
        "over by then");
    change("db-1", BURST.plus(Duration.ofHours(2)), null, "later");
    change("elsewhere", BURST, null, "another machine");
    Answer answer = server.admin().get(path + "/peak?group=prod&at=" + BURST);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    JsonNode around = answer.json();
    assertThat(around.path("changes"))
        .extracting(one -> one.path("after").asString())
        .containsExactly("new storage policy", "copy of the database");
    assertThat(around.path("changeCount").asInt()).isEqualTo(2);
    assertThat(around.path("from").asString())
        .isEqualTo(BURST.minus(Duration.ofHours(1)).toString());
    assertThat(around.path("noTalkers").asString()).startsWith("No flows come in");
    assertThat(around.has("talkers")).isFalse();
    assertThat(server.admin().get(path + "/peak?group=All&at=" + BURST).json().path("changes"))
        .extracting(one -> one.path("after").asString())
        .contains("another machine");

    Answer wrong = server.admin().get(path + "/peak?group=prod&at=" + BURST.plusSeconds(3600));
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.body()).contains(BURST.toString());
    assertThat(server.admin().get(path + "/peak?group=nobody&at=" + BURST).status()).isEqualTo(400);
    assertThat(server.admin().get(path + "/csv?table=peaks").body())
        .contains("All,1," + BURST)
        .contains(",db-2,0.");
  }

  private static void change(String object, Instant at, Instant until, String title) {
    UUID id =
        data.jdbc()
            .sql("select uuid from object where name = ?")
            .param(object)
            .query(UUID.class)
            .single();
    Answer answer =
        server
            .admin()
            .post(
                "/changes",
                "{\"object\": \"%s\", \"time\": \"%s\", \"title\": \"%s\"%s}"
                    .formatted(
                        id, at, title, until == null ? "" : ", \"until\": \"" + until + "\""));
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
  }

  @Test
  void whatIsUnknownIsAddedFromVscsiStatsAndFromARun() throws IOException {
    JsonNode done = computed("{" + period() + ", \"by\": \"cluster\"}");
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

    JsonNode profile = server.admin().get(path).json();
    assertThat(profile.path("accesses")).hasSize(2);
    JsonNode prod = group(profile, "prod");
    assertThat(prod.path("unknown")).isEmpty();
    assertThat(prod.at("/accesses/randomSource").asString()).contains("vscsiStats of db-1");
    assertThat(prod.at("/accesses/workingSet").asDouble()).isEqualTo(1L << 30);
    assertThat(prod.at("/accesses/workingSetSource").asString())
        .isEqualTo("parameters of run 4k-read");
    assertThat(prod.at("/accesses/readSizes/sizes/0").asLong()).isEqualTo(4_096);
    assertThat(prod.at("/accesses/randomShare").asDouble()).isBetween(0.0, 1.0);
    String fio = server.admin().get(path + "/load?group=prod&tool=fio").body();
    assertThat(fio)
        .contains("; Randomness: vscsiStats of db-1")
        .contains("; Working set: parameters of run 4k-read")
        .contains("; Sizes are those of vscsiStats of db-1")
        .contains("\nsize=1073741824\n")
        .doesNotContain("randomness is not known");
    for (String tool : List.of("vdbench", "diskspd", "hcibench")) {
      assertThat(server.admin().get(path + "/load?group=prod&tool=" + tool).body())
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
    assertThat(server.admin().get(path).json().path("accesses")).hasSize(3);
    assertThat(server.admin().delete(path + "/accesses/" + ofRun.path("id").asString()).status())
        .isEqualTo(204);
    assertThat(group(server.admin().get(path).json(), "prod").path("unknown"))
        .extracting(JsonNode::asString)
        .containsExactly("working set");
    assertThat(server.admin().delete(path + "/accesses/" + UUID.randomUUID()).status())
        .isEqualTo(404);
  }

  private static JsonNode accesses(String path, Map<String, Object> request) {
    Answer answer =
        server.admin().post(path + "/accesses", JsonMapper.shared().writeValueAsString(request));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  /** A stored run of 4 KB reads on the cluster. */
  private static UUID run(String name, int random, double iops) {
    UUID benchmarkImport = UUID.randomUUID();
    UUID run = UUID.randomUUID();
    data.jdbc()
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
    JsonNode done = computed("{" + period() + ", \"by\": \"cluster\"}");
    String path = "/load-profiles/" + done.at("/summary/id").asString();
    UUID run = run("capacity", 100, 40_000);
    Answer missing = server.admin().get(path + "/fits?run=" + run);
    assertThat(missing.status()).isEqualTo(400);
    assertThat(missing.body()).contains("on how many hosts");
    JsonNode fits = server.admin().get(path + "/fits?group=prod&hosts=4&run=" + run).json();
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
        .isEqualTo("The test was 4K 100/0; 0 % of the hours look like that.");
    assertThat(fits.path("remarks"))
        .extracting(JsonNode::asString)
        .anyMatch(one -> one.startsWith("Few hours look like the test"))
        .anyMatch(one -> one.startsWith("Only 2 machines are known"));
    assertThat(server.admin().get(path + "/fits?group=prod&hosts=2&failures=2&run=" + run).status())
        .isEqualTo(400);
    assertThat(server.admin().get(path + "/fits?hosts=2&run=" + UUID.randomUUID()).status())
        .isEqualTo(400);
    // The tested cluster says how many hosts there are.
    int host = data.object("VMWARE", "HostSystem", "esx-1");
    int other = data.object("VMWARE", "HostSystem", "esx-2");
    for (int one : List.of(host, other)) {
      data.sql(
          "insert into relation (parent_id, child_id) select id, %d from object where name = 'prod'"
              .formatted(one));
    }
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(
                        server.admin().get(path + "/fits?run=" + run).json().path("hosts").asInt())
                    .isEqualTo(2));
  }

  @Test
  void accessesThatMakeNoSenseAreRefused() throws IOException {
    JsonNode done = computed("{" + period() + "}");
    String path = "/load-profiles/" + done.at("/summary/id").asString() + "/accesses";
    UUID silent = run("silent", 900, 1);
    data.jdbc()
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
            Map.of("vscsiStats", Files.readString(VSCSI), "machine", cluster.toString()))) {
      Answer answer = server.admin().post(path, JsonMapper.shared().writeValueAsString(wrong));
      assertThat(answer.status()).as(wrong + answer.body()).isEqualTo(400);
    }
    assertThat(
            server
                .admin()
                .post(
                    "/load-profiles/" + UUID.randomUUID() + "/accesses", "{\"vscsiStats\": \"x\"}")
                .status())
        .isEqualTo(404);
  }

  @Test
  void onlySomeHoursAndMachinesCountIfAsked() {
    JsonNode done =
        computed(
            """
            {%s, "by": "vm", "ancestor": "%s",
             "onlyDuring": {"days": ["mon", "tue", "wed", "thu", "fri"], "begins": "08:00", "ends": "18:00", "zone": "Europe/Berlin"}}
            """
                .formatted(period(), cluster));
    assertThat(done.at("/summary/machines").asInt()).isEqualTo(2);
    assertThat(done.path("groups"))
        .extracting(one -> one.path("name").asString())
        .containsExactly("All", "db-1", "db-2");
    assertThat(done.at("/groups/0/hours").asInt()).isBetween(190, 230);
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    for (String wrong :
        List.of(
            "{\"from\": \"2026-01-02T00:00:00Z\", \"to\": \"2026-01-01T00:00:00Z\"}",
            "{\"from\": \"2020-01-02T00:00:00Z\", \"to\": \"2026-01-01T00:00:00Z\"}",
            "{\"to\": \"2100-01-01T00:00:00Z\"}",
            "{\"by\": \"tag\"}",
            "{\"onlyDuring\": {\"days\": [\"mon\"], \"begins\": \"08:00\", \"ends\": \"18:00\", \"zone\": \"Nowhere\"}}")) {
      Answer answer = server.admin().post("/load-profiles", wrong);
      assertThat(answer.status()).as(wrong + answer.body()).isEqualTo(400);
    }
    assertThat(
            server
                .admin()
                .post("/load-profiles", "{\"ancestor\": \"" + UUID.randomUUID() + "\"}")
                .status())
        .isEqualTo(404);
  }
}
