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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * A cluster of three hosts and twelve machines on one datastore. For 50 minutes etl-02 has asked
 * for more than its limit allows; report-05, which talks with it, does less meanwhile. etl-09, of a
 * host of which nothing is told, has been delayed for eight hours.
 */
class WhySlowIT {

  private static final int MACHINES = 12;
  private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.MINUTES);
  private static final Instant BEGAN = NOW.minus(Duration.ofMinutes(50));
  private static final Instant LONG_AGO = NOW.minus(Duration.ofHours(8));
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
        170,
        "2.5",
        "900 * " + busy("1.5"),
        "300 * " + busy("1.5"));
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
    machine("etl-09", hosts.get(3), store, 29 * 24, LONG_AGO, null);
    data.sql(
        """
        update object set properties = '{"virtualDisk:scsi0:0|iopsLimit": "400", "virtualDisk:scsi0:0|label": "Hard disk 1"}'
        where name = 'etl-09'
        """);
    learned("etl-09");
    machine("report-09", hosts.get(3), store, 29 * 24, null, LONG_AGO);
    machine("steady-09", hosts.get(3), store, 29 * 24, null, null);
    machine("new-09", hosts.get(3), store, 48, null, LONG_AGO);
    flows("etl-02", "report-05", "vm-02");
    flows("etl-09", "report-09", "steady-09", "new-09");
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

  /** Once, two days ago, for half an hour. */
  private static String busy(String times) {
    Instant from = NOW.minus(Duration.ofDays(2));
    return "(case when t between '%s' and '%s' then %s else 1 end)"
        .formatted(from, from.plus(Duration.ofMinutes(30)), times);
  }

  private static void below(int parent, int child) {
    data.sql("insert into relation (parent_id, child_id) values (%d, %d)".formatted(parent, child));
  }

  private static void machine(
      String name, int host, int store, int hours, boolean delayed, boolean waits) {
    machine(name, host, store, hours, delayed ? BEGAN : null, waits ? BEGAN : null);
  }

  /**
   * @param delayed since when its limit delays it; null = it does not
   * @param waits since when it does less; null = it does not
   */
  private static void machine(
      String name,
      int host,
      int store,
      int hours,
      @Nullable Instant delayed,
      @Nullable Instant waits) {
    int vm = data.object("VMWARE", "VirtualMachine", name);
    below(host, vm);
    below(vm, store);
    String more = since(delayed, "1.3", "1");
    String latency = "(3.2 + " + since(delayed, "17.8", "0") + ")";
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
    values(data.set(vm, net, ""), hours, "5000 * " + since(waits, "0.4", "1"));
  }

  private static String since(@Nullable Instant began, String during, String otherwise) {
    return began == null
        ? otherwise
        : "(case when t >= '%s' then %s else %s end)".formatted(began, during, otherwise);
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

  /** Hours of four weeks before, from which what is usual is learned. */
  private static void learned(String machine) {
    data.sql(
        """
        insert into sample_1h (time, set_id, samples, avg, min, max)
        select t, s.id, 60, array[150, 50, 7350, 2450, v, v], array[120, 40, 6000, 2000, v - 0.3, v - 0.3], array[180, 60, 9000, 3000, v + 0.3, v + 0.3]
        from metric_set s join object o on o.id = s.object_id,
          (select t, 3.2 + 0.1 * (extract(epoch from t)::bigint / 3600 %% 7) as v
            from generate_series(date_trunc('hour', '%s'::timestamptz) - interval '29 days', '%s', interval '1 hour') t) h
        where o.name = '%s' and s.group_id = %d
        """
            .formatted(LONG_AGO, LONG_AGO.minus(Duration.ofHours(1)), machine, disks));
  }

  private static void flows(String server, String... clients) {
    data.sql("update flow_level_state set rolled_until = null, kept_from = '-infinity'");
    List<String> names = new ArrayList<>(List.of(clients));
    names.add(server);
    for (String name : names) {
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
          (select e.id from endpoint e join object o on o.id = e.object_id where o.name in ('%s')) s,
          (select e.id from endpoint e join object o on o.id = e.object_id where o.name = '%s') d
        """
            .formatted(
                NOW.minus(Duration.ofHours(6)).plusSeconds(600),
                String.join("', '", clients),
                server));
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
    assertThat(victims.at("/items/0/days").asInt()).isZero();
    assertThat(victims.path("unchanged").asInt()).isEqualTo(1);
    assertThat(victims.path("unknown").asInt()).isZero();
    assertThat(victims.path("note").isNull()).isTrue();
    assertThat(victims.path("comparedWith").asString()).contains("the minutes around the delay;");
  }

  /** The delay fills the six hours: there are no other minutes, but the days before. */
  @Test
  void whoWaitsForHoursIsFoundByTheDaysBefore() {
    JsonNode found = ask(machine("etl-09"));
    assertThat(found.at("/causes/0").asString()).as(found.toString()).isEqualTo("own-limit");
    JsonNode victims = found.path("victims");
    assertThat(victims.path("items").size()).as(victims.toString()).isEqualTo(1);
    assertThat(victims.at("/items/0/object/name").asString()).isEqualTo("report-09");
    assertThat(victims.at("/items/0/change").asDouble()).isCloseTo(-0.6, within(0.1));
    assertThat(victims.at("/items/0/days").asInt()).isGreaterThan(9);
    assertThat(victims.path("unchanged").asInt()).isEqualTo(1);
    assertThat(victims.path("unknown").asInt()).isEqualTo(1);
    assertThat(victims.path("comparedWith").asString()).contains("days before.");
    assertThat(victims.path("note").asString())
        .contains("Of one machine", "the same hours of 9 days before");
  }

  @Test
  void whatItsDatastoreHasToSpareIsWhatItCarriedOrNotKnown() {
    JsonNode spare = ask(machine("etl-02")).at("/limit/spare");
    assertThat(spare.at("/object/name").asString()).as(spare.toString()).isEqualTo("ds-1");
    assertThat(spare.path("iopsCarried").asDouble()).isCloseTo(1_800, within(100.0));
    assertThat(spare.path("iopsNow").asDouble()).isCloseTo(1_200, within(100.0));
    double more = (spare.path("limit").asDouble() - 400) / 1.53;
    assertThat(spare.path("iopsToSpare").asDouble())
        .isCloseTo(600 - more, within(100.0))
        .isPositive();
    assertThat(spare.path("note").asString())
        .startsWith("ds-1 has at least ")
        .containsPattern(
            "in the last 7 days it did 1,[78].. for a quarter.*, and now does 1,[12]..[.]");
    // An hour after the first sample nothing is usual yet.
    JsonNode unknown =
        ask(machine("etl-02") + "&at=" + NOW.minus(Duration.ofHours(169)).toEpochMilli())
            .at("/limit/spare");
    assertThat(unknown.path("iopsToSpare").isNull()).as(unknown.toString()).isTrue();
    assertThat(unknown.path("note").asString())
        .startsWith("How much ds-1 has to spare at a limit of 400 is not known: ")
        .contains("a vCenter under Sources");
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
