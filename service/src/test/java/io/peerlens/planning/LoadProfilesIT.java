package io.peerlens.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Load profiles of stored history of which the mixture is known. */
class LoadProfilesIT {

  private static final int DAYS = 30;
  private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.HOURS);

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
    assertThat(prod.at("/iops/peak").asDouble()).isCloseTo(2000, within(0.1));
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
