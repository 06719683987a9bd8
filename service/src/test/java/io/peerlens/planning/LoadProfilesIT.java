package io.peerlens.planning;

import static io.peerlens.planning.LoadProfileData.BURST;
import static io.peerlens.planning.LoadProfileData.DAYS;
import static io.peerlens.planning.LoadProfileData.group;
import static io.peerlens.planning.LoadProfileData.period;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Load profiles of stored history of which the mixture is known. */
class LoadProfilesIT {

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
  void hoursFallIntoTheProfilesThatTheyWereMadeOf() {
    JsonNode done = made.computed("{" + period() + ", \"by\": \"cluster\"}");
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
  void theDisksOfAMachineAreAddedUp() {
    JsonNode done = made.computed("{" + period() + ", \"by\": \"vm\"}");
    JsonNode whole = group(done, "db-1");
    JsonNode disks = group(done, "elsewhere");
    for (String figure :
        List.of("/iops/mean", "/iops/p95", "/throughput/mean", "/readShare", "/blockSize")) {
      assertThat(disks.at(figure).asDouble())
          .as(figure)
          .isPositive()
          .isCloseTo(whole.at(figure).asDouble(), withinPercentage(0.01));
    }
    // Each disk's latency by its operations.
    assertThat(disks.at("/latencyMillis/p50").asDouble())
        .isCloseTo(whole.at("/latencyMillis/p50").asDouble(), withinPercentage(0.1));
  }

  @Test
  void tablesAndLoadsOfAProfile() {
    String id =
        made.computed("{" + period() + ", \"by\": \"tag\", \"tag\": \"tier\"}")
            .at("/summary/id")
            .asString();
    assertThat(
            group(made.admin().get("/load-profiles/" + id).json(), "db").path("machines").asInt())
        .isEqualTo(3);
    assertThat(made.admin().get("/load-profiles/" + id + "/csv").body()).contains("All", "db");
    assertThat(made.admin().get("/load-profiles/" + id + "/csv?table=clusters").body())
        .contains("8K 70/30");
    for (String tool : List.of("fio", "vdbench", "diskspd", "hcibench")) {
      Answer load =
          made.admin()
              .get(
                  "/load-profiles/"
                      + id
                      + "/load?group=db&cluster=8K%2070%2F30&at=p95&tool="
                      + tool);
      assertThat(load.status()).as(load.body()).isEqualTo(200);
      assertThat(load.body()).contains("randomness is not known");
    }
    assertThat(made.admin().get("/load-profiles/" + id + "/load?group=db&tool=fio").body())
        .contains("rwmixread=");
    Answer wrong = made.admin().get("/load-profiles/" + id + "/load?group=db&cluster=4K&tool=fio");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.body()).contains("8K 70/30");
    assertThat(made.admin().get("/load-profiles").json().at("/items/0/id").asString()).isNotBlank();
    assertThat(made.admin().delete("/load-profiles/" + id).status()).isEqualTo(204);
    assertThat(made.admin().get("/load-profiles/" + id).status()).isEqualTo(404);
  }

  @Test
  void aPeakTellsItsMachinesAndTheChangesAroundIt() {
    JsonNode done = made.computed("{" + period() + ", \"by\": \"cluster\"}");
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
    Answer answer = made.admin().get(path + "/peak?group=prod&at=" + BURST);
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
    assertThat(made.admin().get(path + "/peak?group=All&at=" + BURST).json().path("changes"))
        .extracting(one -> one.path("after").asString())
        .contains("another machine");

    Answer wrong = made.admin().get(path + "/peak?group=prod&at=" + BURST.plusSeconds(3600));
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.body()).contains(BURST.toString());
    assertThat(made.admin().get(path + "/peak?group=nobody&at=" + BURST).status()).isEqualTo(400);
    assertThat(made.admin().get(path + "/csv?table=peaks").body())
        .contains("All,1," + BURST)
        .contains(",db-2,0.");
  }

  private static void change(String object, Instant at, Instant until, String title) {
    UUID id =
        made.data()
            .jdbc()
            .sql("select uuid from object where name = ?")
            .param(object)
            .query(UUID.class)
            .single();
    Answer answer =
        made.admin()
            .post(
                "/changes",
                "{\"object\": \"%s\", \"time\": \"%s\", \"title\": \"%s\"%s}"
                    .formatted(
                        id, at, title, until == null ? "" : ", \"until\": \"" + until + "\""));
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
  }

  @Test
  void onlySomeHoursAndMachinesCountIfAsked() {
    JsonNode done =
        made.computed(
            """
            {%s, "by": "vm", "ancestor": "%s",
             "onlyDuring": {"days": ["mon", "tue", "wed", "thu", "fri"], "begins": "08:00", "ends": "18:00", "zone": "Europe/Berlin"}}
            """
                .formatted(period(), made.cluster()));
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
      Answer answer = made.admin().post("/load-profiles", wrong);
      assertThat(answer.status()).as(wrong + answer.body()).isEqualTo(400);
    }
    assertThat(
            made.admin()
                .post("/load-profiles", "{\"ancestor\": \"" + UUID.randomUUID() + "\"}")
                .status())
        .isEqualTo(404);
  }
}
