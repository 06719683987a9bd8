package io.peerlens.impact;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
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
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** Recorded changes and comparisons through the API; answers are held against the contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ImpactIT {

  private static final UUID VM = SampleData.uuid("VirtualMachine", "db");
  private static final UUID OTHER = SampleData.uuid("VirtualMachine", "web");

  /** Four days ago, at 0 o'clock UTC. */
  private final Instant change =
      Instant.now().truncatedTo(ChronoUnit.DAYS).minus(Duration.ofDays(4));

  private SampleData data;
  private PeerlensServer server;
  private ApiClient admin;

  /**
   * Eight days of five-minute values. Read latency of the VM db falls from about 2.1 to 1.4 ms at
   * the change, its writing stays; web has two disks and only the second half.
   */
  @BeforeAll
  void start() {
    data = SampleData.create();
    int latency =
        data.group(
            "VMWARE",
            "VirtualMachine",
            "virtualDisk",
            List.of("totalReadLatency_average", "write_average"));
    int power = data.group("VMWARE", "VirtualMachine", "power", List.of("power_average"));
    int db = data.object("VMWARE", "VirtualMachine", "db");
    int web = data.object("VMWARE", "VirtualMachine", "web");
    values(data.set(db, latency, ""), -4, "case when t < %1$s then 2.1 else 1.4 end", "500");
    values(data.set(db, power, ""), -4, "case when t < %1$s then 100 else 200 end", "0");
    values(data.set(web, latency, "scsi0:0"), 0, "1", "10");
    values(data.set(web, latency, "scsi0:1"), 0, "3", "30");
    server =
        PeerlensServer.start(data.database(), Set.of(Role.API), "peerlens.series.max-values=1000");
    admin = server.admin();
  }

  /** With a daily cycle and noise that is the same every time. */
  private void values(int set, int fromDay, String first, String second) {
    String at = "'" + change + "'::timestamptz";
    data.sql(
        """
        insert into sample (time, set_id, values)
        select t, %2$d, array[(%3$s) * (1 + 0.1 * sin(extract(epoch from t) / 13751) + 0.05 * sin(extract(epoch from t) * 7.77)), %4$s * (1 + 0.2 * sin(extract(epoch from t) * 3.33))]
        from generate_series(%1$s + interval '%5$d days', %1$s + interval '4 days' - interval '5 minutes', interval '5 minutes') t
        """
            .formatted(at, set, first.formatted(at), second, fromDay));
  }

  @AfterAll
  void stop() {
    server.close();
    data.close();
  }

  /**
   * Two runs of a test of half an hour, 20 seconds from sample to sample, the second 15 % slower.
   */
  @Test
  void shortRunsAreComparedByTheMinute() {
    int group =
        data.group("VMWARE", "HostSystem", "storagePath", List.of("totalReadLatency_average"));
    int host = data.object("VMWARE", "HostSystem", "bench");
    int set = data.set(host, group, "");
    Instant run = day(1).plus(Duration.ofHours(9));
    data.sql(
        """
        insert into sample (time, set_id, values)
        select t, %1$d, array[(case when t < '%2$s'::timestamptz + interval '1 hour' then 4.0 else 4.6 end)
          * (1 + 0.08 * sin(extract(epoch from t) * 0.913) + 0.05 * sin(extract(epoch from t) * 2.71))]
        from generate_series('%2$s'::timestamptz, '%2$s'::timestamptz + interval '90 minutes', interval '20 seconds') t
        """
            .formatted(set, run));
    UUID bench = SampleData.uuid("HostSystem", "bench");
    String first = period(bench, run, run.plus(Duration.ofMinutes(30)));
    String second = period(bench, run.plus(Duration.ofHours(1)), run.plus(Duration.ofMinutes(90)));
    String keys = ", \"keys\": [\"storagePath|totalReadLatency_average\"]";
    JsonNode slower = compare(first, second, keys).json();
    assertThat(slower.get("stepMillis").longValue()).isEqualTo(60_000);
    assertThat(slower.get("judgement").stringValue()).isEqualTo("worse");
    String between = period(bench, run.plus(Duration.ofMinutes(30)), run.plus(Duration.ofHours(1)));
    assertThat(compare(first, between, keys).json().get("judgement").stringValue())
        .isEqualTo("same");
    // The same VM sampled every five minutes has no minutes; half an hour of it says nothing.
    JsonNode coarse =
        compare(
                period(VM, day(-1), day(-1).plus(Duration.ofMinutes(30))),
                period(VM, day(1), day(1).plus(Duration.ofMinutes(30))),
                ", \"keys\": [\"virtualDisk|totalReadLatency_average\"]")
            .json();
    assertThat(coarse.get("stepMillis").longValue()).isEqualTo(300_000);
    assertThat(coarse.get("judgement").stringValue()).isEqualTo("not-enough-data");
  }

  private String record(String rest) {
    return """
        {"object": "%s", "time": "%s", "title": "NVMe driver 1.2.3", "sort": "driver"%s}
        """
        .formatted(VM, change, rest);
  }

  private static String period(UUID object, Instant from, Instant to) {
    return "{\"objects\": [\"%s\"], \"from\": \"%s\", \"to\": \"%s\"}".formatted(object, from, to);
  }

  private Answer compare(String a, String b, String rest) {
    return admin.post("/comparisons", "{\"a\": " + a + ", \"b\": " + b + rest + "}");
  }

  private Instant day(int day) {
    return change.plus(Duration.ofDays(day));
  }

  private String before() {
    return period(VM, day(-4), change);
  }

  private String after() {
    return period(VM, change, day(4));
  }

  @Test
  void aRecordedChangeIsShownWhereChangesAreAndCanBeDeleted() {
    Answer made =
        admin.post("/changes", record(", \"note\": \"Ticket 4711\", \"goal\": \"read-latency\""));
    assertThat(made.status()).isEqualTo(201);
    long id = made.json().get("id").longValue();
    assertThat(made.header("Location")).isEqualTo("/api/v1/changes/" + id);
    assertThat(made.json().get("kind").stringValue()).isEqualTo("recorded");
    assertThat(made.json().get("key").stringValue()).isEqualTo("driver");
    assertThat(made.json().get("after").stringValue()).isEqualTo("NVMe driver 1.2.3");
    assertThat(made.json().at("/recorded/note").stringValue()).isEqualTo("Ticket 4711");
    assertThat(made.json().at("/recorded/goal").stringValue()).isEqualTo("read-latency");

    JsonNode listed =
        admin.get("/objects/" + VM + "/changes?from=" + day(-1) + "&to=" + day(1)).json();
    assertThat(listed.at("/items/0/id").longValue()).isEqualTo(id);
    assertThat(admin.get("/changes/" + id).json()).isEqualTo(made.json());
    assertThat(admin.get("/changes?kind=recorded&from=" + day(-1)).json().get("total").longValue())
        .isOne();

    assertThat(admin.delete("/changes/" + id).status()).isEqualTo(204);
    assertThat(admin.get("/changes/" + id).status()).isEqualTo(404);
    assertThat(admin.delete("/changes/" + id).status()).isEqualTo(404);
  }

  @Test
  void aChangeSaysWhetherItGotBetter() {
    long id =
        admin.post("/changes", record(", \"goal\": \"read-latency\"")).json().get("id").longValue();
    JsonNode impact = admin.get("/changes/" + id + "/impact?before=4d&after=4d").json();
    admin.delete("/changes/" + id);

    assertThat(impact.get("judgement").stringValue()).isEqualTo("better");
    assertThat(impact.get("verdict").stringValue())
        .startsWith("Disk read latency better: ")
        .contains("certain; read latency index ");
    assertThat(impact.get("index").doubleValue()).isBetween(65.0, 85.0);
    assertThat(impact.at("/change/id").longValue()).isEqualTo(id);
    assertThat(impact.at("/a/to").stringValue()).isEqualTo(change.toString());
    assertThat(impact.at("/b/from").stringValue())
        .isEqualTo(change.plus(Duration.ofMinutes(5)).toString());
    JsonNode metric = impact.at("/metrics/0");
    assertThat(metric.get("key").stringValue()).isEqualTo("virtualDisk|totalReadLatency_average");
    assertThat(metric.at("/a/median").doubleValue()).isBetween(2.0, 2.2);
    assertThat(metric.at("/b/median").doubleValue()).isBetween(1.3, 1.5);
    assertThat(metric.get("shift").doubleValue()).isBetween(-0.8, -0.6);
    assertThat(metric.get("low").doubleValue()).isLessThan(metric.get("shift").doubleValue());
    assertThat(metric.get("high").doubleValue()).isBetween(metric.get("shift").doubleValue(), 0.0);
    assertThat(metric.get("p").doubleValue()).isLessThan(0.001);
    assertThat(metric.at("/a/coverage").doubleValue()).isEqualTo(1);
    assertThat(impact.get("warnings").size()).isLessThanOrEqualTo(1);
  }

  @Test
  void aChangeThatACollectorShowedCanBeAskedAbout() {
    data.sql(
        """
        insert into object_change (time, object_id, kind, key, old_value, new_value)
        select '%s'::timestamptz + interval '1 minute', id, 'property', 'config|driver', '1', '2' from object where uuid = '%s'
        """
            .formatted(change, VM));
    long id =
        admin.get("/changes?kind=property&from=" + day(-1)).json().at("/items/0/id").longValue();

    JsonNode impact =
        admin
            .get(
                "/changes/"
                    + id
                    + "/impact?keys=virtualDisk%7Cwrite_average&keys=power%7Cpower_average")
            .json();
    assertThat(impact.get("goal").isNull()).isTrue();
    assertThat(impact.get("index").isNull()).isTrue();
    assertThat(impact.at("/metrics/0/judgement").stringValue()).isEqualTo("same");
    assertThat(impact.at("/metrics/1/judgement").stringValue()).isEqualTo("different");
    assertThat(impact.get("judgement").stringValue()).isEqualTo("different");
    assertThat(admin.delete("/changes/" + id).status()).isEqualTo(409);
    data.sql("delete from object_change where kind = 'property'");
  }

  @Test
  void aRecordedChangeMayNameItsMetrics() {
    long id =
        admin
            .post("/changes", record(", \"metrics\": [\"power|power_average\"]"))
            .json()
            .get("id")
            .longValue();
    JsonNode impact = admin.get("/changes/" + id + "/impact").json();
    JsonNode byGoal = admin.get("/changes/" + id + "/impact?goal=read-latency").json();
    admin.delete("/changes/" + id);

    assertThat(impact.at("/metrics/0/key").stringValue()).isEqualTo("power|power_average");
    assertThat(byGoal.get("goal").stringValue()).isEqualTo("read-latency");
  }

  @Test
  void unchangedPeriodsAreReportedAsTheSame() {
    JsonNode same =
        compare(
                period(VM, day(-4), day(-2)),
                period(VM, day(-2), change),
                ", \"keys\": [\"virtualDisk|totalReadLatency_average\"]")
            .json();
    assertThat(same.get("judgement").stringValue()).isEqualTo("same");
    assertThat(same.get("verdict").stringValue()).contains("no difference shown");
    assertThat(same.get("certainty").isNull()).isTrue();
  }

  @Test
  void differentObjectsAndAllInstancesAreCompared() {
    JsonNode compared =
        compare(
                after(),
                period(OTHER, change, day(4)),
                ", \"keys\": [\"virtualDisk:*|totalReadLatency_average\", \"virtualDisk|totalReadLatency_average\"]")
            .json();
    // Only web has instances, so there is nothing to hold its values against.
    assertThat(compared.at("/metrics/0/a/coverage").doubleValue()).isEqualTo(0);
    assertThat(compared.at("/metrics/0/b/coverage").doubleValue()).isEqualTo(1);
    assertThat(compared.at("/metrics/0/b/median").isNull()).isTrue();
    assertThat(compared.at("/metrics/0/judgement").stringValue()).isEqualTo("not-enough-data");
    assertThat(compared.at("/metrics/1/judgement").stringValue()).isEqualTo("not-enough-data");
    assertThat(compared.get("verdict").stringValue()).startsWith("Cannot tell: ");
    assertThat(compared.get("warnings").toString()).contains("gaps");

    JsonNode goal =
        compare(
                period(OTHER, change, day(2)),
                period(OTHER, day(2), day(4)),
                ", \"goal\": \"read-latency\"")
            .json();
    assertThat(goal.at("/metrics/0/key").stringValue())
        .isEqualTo("virtualDisk:*|totalReadLatency_average");
    // The mean of disks with 1 and 3.
    assertThat(goal.at("/metrics/0/b/median").doubleValue()).isBetween(1.8, 2.2);
    assertThat(goal.get("index").doubleValue()).isEqualTo(50);
  }

  @Test
  void meansOfSeveralObjectsAreCompared() {
    JsonNode both =
        compare(
                before(),
                "{\"objects\": [\"%s\", \"%s\"], \"from\": \"%s\", \"to\": \"%s\"}"
                    .formatted(VM, OTHER, change, day(4)),
                ", \"keys\": [\"virtualDisk|totalReadLatency_average\"]")
            .json();
    assertThat(both.at("/b/objects").size()).isEqualTo(2);
    assertThat(both.at("/metrics/0/b/median").doubleValue()).isBetween(1.3, 1.5);
  }

  @Test
  void possibleSourcesOfErrorGetWarnings() {
    long id = admin.post("/changes", record("")).json().get("id").longValue();
    JsonNode hours =
        compare(
                period(VM, day(-1), day(-1).plus(Duration.ofHours(6))),
                period(VM, day(1).plus(Duration.ofHours(12)), day(1).plus(Duration.ofHours(18))),
                ", \"keys\": [\"virtualDisk|totalReadLatency_average\"]")
            .json();
    JsonNode around = compare(before(), after(), ", \"goal\": \"read-latency\"").json();
    JsonNode unfinished =
        compare(
                before(),
                period(VM, change, change.plus(Duration.ofDays(20))),
                ", \"goal\": \"read-latency\"")
            .json();
    JsonNode nothing = compare(before(), after(), ", \"goal\": \"write-latency\"").json();
    admin.delete("/changes/" + id);

    assertThat(codes(hours)).contains("hours");
    assertThat(codes(around)).contains("changes");
    assertThat(codes(unfinished)).contains("unfinished");
    assertThat(codes(nothing)).containsExactly("no-values", "changes");
    assertThat(nothing.get("verdict").stringValue()).startsWith("Nothing to compare");
  }

  private static List<String> codes(JsonNode comparison) {
    return comparison.get("warnings").valueStream().map(w -> w.get("code").stringValue()).toList();
  }

  @Test
  void anInvalidRequestIsRefusedWithTheReason() {
    refused(compare(before(), after(), ", \"goal\": \"speed\""), "goal");
    refused(compare(before(), after(), ", \"zone\": \"Mars\""), "zone");
    refused(compare(before(), period(VM, day(-1), day(1)), ""), "b");
    refused(compare(period(VM, day(-40), change), after(), ""), "a.to");
    refused(compare(before(), period(VM, day(5), day(6)), ""), "b.from");
    assertThat(compare(before(), period(UUID.randomUUID(), change, day(1)), "").status())
        .isEqualTo(404);
    refused(admin.post("/changes", record(", \"goal\": \"speed\"")), "goal");
    refused(admin.post("/changes", record(", \"until\": \"" + day(-1) + "\"")), "until");
    refused(admin.post("/changes", record(", \"note\": \" \"")), "note");
    refused(
        admin.post("/changes", record("").replace(change.toString(), day(9).toString())), "time");
    assertThat(
            admin
                .post("/changes", record("").replace(VM.toString(), UUID.randomUUID().toString()))
                .status())
        .isEqualTo(404);
    long id = admin.post("/changes", record("")).json().get("id").longValue();
    refused(admin.get("/changes/" + id + "/impact?before=1m"), "before");
    refused(admin.get("/changes/" + id + "/impact?zone=Mars"), "zone");
    admin.delete("/changes/" + id);
    long fresh =
        admin
            .post("/changes", record("").replace(change.toString(), Instant.now().toString()))
            .json()
            .get("id")
            .longValue();
    refused(admin.get("/changes/" + fresh + "/impact"), "after");
    admin.delete("/changes/" + fresh);
    assertThat(admin.get("/changes/987654/impact").status()).isEqualTo(404);
  }

  private static void refused(Answer answer, String field) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.json().at("/errors/0/field").stringValue()).isEqualTo(field);
  }

  @Test
  void goalsAreListed() {
    JsonNode goals = admin.get("/goals").json().get("items");
    assertThat(goals.valueStream().map(goal -> goal.get("id").stringValue()).toList())
        .containsExactly(
            "balanced", "read-latency", "write-latency", "read-throughput", "write-throughput");
  }
}
