package io.peerlens.slow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * A cluster of three hosts and twelve machines on one datastore. For 50 minutes etl-02 has asked
 * for more than its limit allows; report-05, which talks with it, does less meanwhile.
 */
class WhySlowIT {

  private static final int MACHINES = 12;
  private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.MINUTES);
  private static final Instant BEGAN = NOW.minus(Duration.ofMinutes(50));
  private static final UUID ALERT = UUID.fromString("0197a3c4-0000-7000-8000-000000000042");

  private static SampleData data;
  private static PeerlensServer server;
  private static int disks;
  private static int cpu;
  private static int net;

  @BeforeAll
  static void start() {
    data = SampleData.create();
    disks =
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
    cpu =
        data.group(
            "VMWARE",
            "VirtualMachine",
            "cpu",
            List.of("usage_average", "usagemhz_average", "readyPct"));
    net = data.group("VMWARE", "VirtualMachine", "net", List.of("usage_average"));
    int cluster = data.object("VMWARE", "ClusterComputeResource", "Cluster B");
    int store = data.object("VMWARE", "Datastore", "ds-1");
    values(
        data.set(
            store,
            data.group(
                "VMWARE",
                "Datastore",
                "datastore",
                List.of(
                    "totalLatency_average",
                    "numberReadAveraged_average",
                    "numberWriteAveraged_average")),
            ""),
        7,
        "2.5",
        "900",
        "300");
    List<Integer> hosts = new ArrayList<>();
    int hostCpu = data.group("VMWARE", "HostSystem", "cpu", List.of("usage_average"));
    int hostMemory = data.group("VMWARE", "HostSystem", "mem", List.of("usage_average"));
    int hostDisk =
        data.group(
            "VMWARE",
            "HostSystem",
            "disk",
            List.of("kernelLatency_average", "commandsAveraged_average"));
    int hostNet = data.group("VMWARE", "HostSystem", "net", List.of("droppedPct"));
    for (int h = 0; h < 4; h++) {
      int host = data.object("VMWARE", "HostSystem", "esx-" + h);
      hosts.add(host);
      if (h < 3) {
        below(cluster, host);
        values(data.set(host, hostCpu, ""), 7, "45");
        values(data.set(host, hostMemory, ""), 7, "70");
        values(data.set(host, hostDisk, ""), 7, "0.1", "400");
        values(data.set(host, hostNet, ""), 7, "0.001");
      }
    }
    for (int i = 0; i < MACHINES; i++) {
      String name =
          i == 0 ? "etl-02" : i == 1 ? "report-05" : String.format(Locale.ROOT, "vm-%02d", i);
      machine(name, hosts.get(i % 3), store, i == 0 ? 170 : 7, i == 0, i == 1);
    }
    data.sql(
        """
        update object set properties = '{"virtualDisk:scsi0:0|iopsLimit": "400", "virtualDisk:scsi0:0|label": "Hard disk 2",
          "virtualDisk:scsi0:0|storagePolicy": "silver-400"}' where name = 'etl-02'
        """);
    // On a host of which nothing is told.
    machine("lonely", hosts.get(3), store, 7, true, false);
    flows();
    data.sql(
        """
        insert into object_change (time, object_id, kind, key, old_value, new_value)
        select '%s', id, 'property', 'virtualDisk:scsi0:0|storagePolicy', 'gold', 'silver-400' from object where name = 'etl-02'
        """
            .formatted(BEGAN.minusSeconds(60)));
    alert();
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
    server = PeerlensServer.start(data.database(), Set.of(Role.API));
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
  }

  private static void below(int parent, int child) {
    data.sql("insert into relation (parent_id, child_id) values (%d, %d)".formatted(parent, child));
  }

  private static void machine(
      String name, int host, int store, int hours, boolean delayed, boolean waits) {
    int vm = data.object("VMWARE", "VirtualMachine", name);
    below(host, vm);
    below(vm, store);
    String more = delayed ? now("1.3", "1") : "1";
    String latency = delayed ? "(3.2 + " + now("17.8", "0") + ")" : "3.2";
    values(
        data.set(vm, disks, ""),
        hours,
        "150 * " + more,
        "50 * " + more,
        "7350 * " + more,
        "2450 * " + more,
        latency,
        latency);
    values(data.set(vm, cpu, ""), hours, "30", "1400", "0.4");
    values(data.set(vm, net, ""), hours, "5000 * " + (waits ? now("0.4", "1") : "1"));
  }

  private static String now(String during, String otherwise) {
    return "(case when t >= '%s' then %s else %s end)".formatted(BEGAN, during, otherwise);
  }

  /** With noise of some per cent that is the same every time. */
  private static void values(int set, int hours, String... columns) {
    List<String> noisy = new ArrayList<>();
    for (int i = 0; i < columns.length; i++) {
      noisy.add(
          "(%s) * (1 + 0.04 * sin(extract(epoch from t) * 0.0137 + %d) + 0.03 * sin(extract(epoch from t) / 97 + %d))"
              .formatted(columns[i], set * 7 + i, set * 3 + i * 5));
    }
    data.sql(
        """
        insert into sample (time, set_id, values)
        select t, %d, array[%s] from generate_series('%s'::timestamptz, '%s'::timestamptz, interval '1 minute') t
        """
            .formatted(
                set,
                String.join(", ", noisy),
                NOW.minus(Duration.ofHours(hours)),
                NOW.minusSeconds(20)));
  }

  private static void flows() {
    data.sql("update flow_level_state set rolled_until = null, kept_from = '-infinity'");
    for (String name : List.of("etl-02", "report-05", "vm-02")) {
      data.sql(
          """
          insert into endpoint (address, object_id, internal, first_seen)
          select ('10.0.0.' || (id %% 250 + 1))::inet, id, true, now() from object where name = '%s'
          """
              .formatted(name));
    }
    data.sql(
        """
        insert into flow_part (time, bytes, packets, drops, observer, src, dst, port, flows, sessions, resets, proto, to_service, egress)
        select '%s'::timestamptz + m * interval '1 minute', 50000, 40, 0, 1, s.id, d.id, 5432, 1, 1, 0, 6, true, false
        from generate_series(0, 330) m,
          (select e.id from endpoint e join object o on o.id = e.object_id where o.name in ('report-05', 'vm-02')) s,
          (select e.id from endpoint e join object o on o.id = e.object_id where o.name = 'etl-02') d
        """
            .formatted(NOW.minus(Duration.ofHours(6)).plusSeconds(600)));
  }

  private static void alert() {
    data.sql(
        """
        insert into alert (id, definition_id, source, definition_name, object_id, impact, severity, status, since,
          opened_at, updated_at, last_tick, openings, member_count, members, member_print, explanation, recommendations)
        select '%1$s', '%1$s', 'threshold', 'Read latency above its band', id, 'health', 3, 'active', '%2$s', '%2$s', '%2$s', '%2$s', '{}', 1,
          '[]', 0, '{}', '{}' from object where name = 'etl-02'
        """
            .formatted(ALERT, BEGAN));
  }

  private static JsonNode ask(String query) {
    Answer answer = server.admin().get("/why-slow?" + query);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  private static String machine(String name) {
    return "object=" + SampleData.uuid("VirtualMachine", name);
  }

  private static JsonNode band(JsonNode answer, int number) {
    return answer.path("bands").get(number);
  }

  @Test
  void theOwnLimitEndsTheSearch() {
    JsonNode found = ask(machine("etl-02"));
    assertThat(found.path("state").asString()).as(found.toString()).isEqualTo("found");
    assertThat(found.at("/causes/0").asString()).isEqualTo("own-limit");
    assertThat(found.path("causes").size()).isEqualTo(1);
    assertThat(found.path("title").asString()).isEqualTo("It is delayed by its own IOPS limit.");
    assertThat(found.path("text").asString()).contains("silver-400", "Hard disk 2", "400");
    assertThat(band(found, 0).path("verdict").asString()).isEqualTo("here");
    for (int i = 2; i < 5; i++) {
      assertThat(band(found, i).path("verdict").asString())
          .as(band(found, i).toString())
          .isEqualTo("not-here");
    }
    assertThat(band(found, 0).at("/figure/value").asDouble()).isCloseTo(21, within(3.0));
    assertThat(band(found, 0).at("/peers/place").asInt()).isEqualTo(1);
    assertThat(band(found, 0).at("/history/values").size()).isEqualTo(72);
    JsonNode limit = found.path("limit");
    assertThat(limit.path("limit").asDouble()).isEqualTo(400);
    assertThat(limit.path("weight").asDouble()).isCloseTo(49 / 32.0, within(0.15));
    assertThat(limit.path("delayMillis").asDouble()).isCloseTo(17.8, within(3.0));
    assertThat(Instant.parse(limit.path("delayedSince").asString()))
        .isBetween(BEGAN.minus(Duration.ofMinutes(10)), BEGAN.plus(Duration.ofMinutes(10)));
    assertThat(found.at("/chart/limit").asDouble()).isEqualTo(400);
    assertThat(found.at("/chart/limitLabel").asString()).isEqualTo("limit, silver-400");
    assertThat(found.at("/changes/0/after").asString()).isEqualTo("silver-400");
  }

  @Test
  void otherLimitsAreTriedOnItsHistory() {
    JsonNode trials = ask(machine("etl-02")).at("/limit/trials");
    assertThat(trials.size()).as(trials.toString()).isGreaterThanOrEqualTo(4);
    assertThat(trials.get(0).path("minutesCut").asInt()).isGreaterThan(7 * 1440 - 60);
    JsonNode none = trials.get(trials.size() - 1);
    assertThat(none.path("limit").isNull()).isTrue();
    assertThat(none.path("minutesCut").asInt()).isZero();
    assertThat(none.path("latencyMillisP95").asDouble()).isLessThan(5);
    assertThat(trials.valueStream().filter(one -> one.path("now").asBoolean()).count())
        .isEqualTo(1);
  }

  @Test
  void whoWaitsWithItIsFoundByFlows() {
    JsonNode victims = ask(machine("etl-02")).path("victims");
    assertThat(victims.path("items").size()).as(victims.toString()).isEqualTo(1);
    assertThat(victims.at("/items/0/object/name").asString()).isEqualTo("report-05");
    assertThat(victims.at("/items/0/port").asInt()).isEqualTo(5432);
    assertThat(victims.at("/items/0/change").asDouble()).isCloseTo(-0.6, within(0.1));
    assertThat(victims.path("unchanged").asInt()).isEqualTo(1);
  }

  @Test
  void anAlertIsLookedAtWhenItBegan() {
    JsonNode found = ask("alert=" + ALERT);
    assertThat(found.at("/alert/title").asString()).isEqualTo("Read latency above its band");
    assertThat(Instant.parse(found.path("at").asString()))
        .isEqualTo(BEGAN.plus(Duration.ofMinutes(10)));
    assertThat(found.at("/asked/name").asString()).isEqualTo("etl-02");
    assertThat(found.at("/causes/0").asString()).as(found.toString()).isEqualTo("own-limit");
  }

  @Test
  void ofAClusterTheSlowestMachineIsLookedInto() {
    JsonNode found = ask("object=" + SampleData.uuid("ClusterComputeResource", "Cluster B"));
    assertThat(found.at("/machine/name").asString()).isEqualTo("etl-02");
    assertThat(found.at("/machines/total").asInt()).isEqualTo(MACHINES);
    assertThat(found.at("/machines/slow").asInt()).isEqualTo(1);
    assertThat(found.at("/machines/items/0/timesUsual").asDouble()).isGreaterThan(3);
    assertThat(found.at("/causes/0").asString()).isEqualTo("own-limit");
  }

  @Test
  void beforeItBeganNothingIsSlow() {
    JsonNode found =
        ask(machine("etl-02") + "&at=" + BEGAN.minus(Duration.ofMinutes(30)).toEpochMilli());
    assertThat(found.path("state").asString()).as(found.toString()).isEqualTo("not-slow");
    assertThat(found.path("victims").isNull()).isTrue();
  }

  @Test
  void withoutDataNothingIsBlamedAndTheCollectorIsNamed() {
    JsonNode found = ask(machine("lonely"));
    assertThat(found.path("state").asString()).as(found.toString()).isEqualTo("not-known");
    assertThat(found.path("causes").isEmpty()).isTrue();
    assertThat(band(found, 2).path("verdict").asString()).isEqualTo("no-data");
    assertThat(band(found, 4).path("verdict").asString()).isEqualTo("no-data");
    assertThat(found.path("notKnown").valueStream())
        .anyMatch(
            one ->
                one.path("what").asString().equals("IOPS limits")
                    && one.path("collector").asString().contains("vCenter"));
  }

  @Test
  void badQuestionsAreRefused() {
    String one = machine("etl-02");
    for (String query :
        List.of("", one + "&alert=" + ALERT, one + "&at=yesterday", "object=nobody")) {
      Answer answer = server.admin().get("/why-slow?" + query);
      assertThat(answer.status()).as(query).isEqualTo(400);
      assertThat(answer.json().path("detail").asString()).as(answer.body()).isNotEmpty();
    }
    assertThat(server.admin().get("/why-slow?object=" + UUID.randomUUID()).status()).isEqualTo(404);
    assertThat(server.admin().get("/why-slow?alert=" + UUID.randomUUID()).status()).isEqualTo(404);
  }

  @Test
  void anAnswerTakesLessThanASecond() {
    String question = machine("etl-02");
    ask(question);
    long begin = System.nanoTime();
    for (int i = 0; i < 5; i++) {
      ask(question);
    }
    double millis = (System.nanoTime() - begin) / 5e6;
    System.out.printf("why-slow: %.0f ms an answer%n", millis);
    assertThat(millis).isLessThan(1_000);
  }
}
