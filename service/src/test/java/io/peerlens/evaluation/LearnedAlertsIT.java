package io.peerlens.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Alerts on what is unusual, over 70 minutes of machines that are often out of their bounds: one
 * evaluator finds what several find that take over from one another.
 */
class LearnedAlertsIT {

  private static final int MINUTES = 70;

  private static SampleData data;

  /** The first tick; what is learned before it may be used by then. */
  private static Instant begin;

  @BeforeAll
  static void start() {
    data = SampleData.create();
    begin = Instant.now().truncatedTo(ChronoUnit.MINUTES).plus(Duration.ofMinutes(5));
    data.sql("update level_state set rolled_until = date_trunc('hour', now()) where level = '1h'");
    int group = data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average"));
    Random random = new Random(11);
    SampleData.Samples rows = data.samples();
    for (int i = 0; i < 5; i++) {
      int set = data.set(data.object("VMWARE", "VirtualMachine", "vm-" + i), group, "");
      cells(set, i == 4 ? 3 : 30); // of the last one too little is known
      double value = 50;
      for (int minute = -2; minute < MINUTES; minute++) {
        value = Math.clamp(value + random.nextGaussian() * 12, 0, 100);
        if (random.nextInt(8) > 0) {
          rows.add(begin.plusSeconds(60L * minute - 10), set, Math.rint(value));
        }
      }
    }
    rows.flush();
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
  }

  /** Hourly roll-ups of some days around 50. */
  private static void cells(int set, int days) {
    data.jdbc()
        .sql(
            """
            insert into sample_1h (time, set_id, samples, avg, min, max)
            select t, s, 12, array[v], array[v - 2], array[v + 2]
            from (select t, s, 50 + (extract(epoch from t)::bigint / 3600 * 7919 + s * 31) % 13 as v
              from generate_series(date_trunc('hour', now()) - ? * interval '1 day', now() - interval '1 hour', '1 hour') t,
                (values (?)) x(s)) y
            """)
        .params(days, set)
        .update();
  }

  @AfterAll
  static void stop() {
    data.close();
  }

  private static PeerlensServer server(int shards) {
    PeerlensServer server =
        PeerlensServer.start(
            data.database(),
            Set.of(Role.EVALUATOR, Role.API),
            "peerlens.evaluation.lag=0s",
            "peerlens.evaluation.shards=" + shards);
    Ticks.stopScheduler(server, data);
    return server;
  }

  private static String create(ApiClient api, String path, String body) {
    Answer created = api.post(path, body.replace('\'', '"'));
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    return created.json().path("id").asString();
  }

  @Test
  void everyEvaluatorRaisesTheSameAlerts() {
    List<String> alone;
    try (PeerlensServer server = server(1)) {
      ApiClient api = server.admin();
      rules(api);
      learn(api);
      alone = alertsOf(server, MINUTES);
      assertThat(alone).hasSizeGreaterThan(20);
      assertThat(String.join("\n", alone))
          .contains("Unusual CPU vm-0 opened", "Unusual CPU vm-1 canceled")
          .contains("Unusual and high")
          .contains("above what is usual on ", "below what is usual on ", " UTC (")
          .contains("Unusual CPU would be silent with a minimum deviation of ")
          .doesNotContain("vm-4");
      String id =
          data.jdbc()
              .sql(
                  "select a.id from alert a join threshold t on t.id = a.definition_id order by a.opened_at, a.id limit 1")
              .query(String.class)
              .single();
      JsonNode alert = api.get("/alerts/" + id).json();
      assertThat(alert.at("/members/0/operator").asString()).isEqualTo("outside-usual");
      assertThat(alert.at("/upper").asDouble()).isGreaterThan(alert.at("/bound").asDouble());
    }
    data.sql("delete from alert");
    data.sql("delete from symptom");
    data.sql("delete from threshold_state");
    try (PeerlensServer server = server(3)) {
      assertThat(alertsOf(server, 7)).isEqualTo(alone);
    }
  }

  private static void rules(ApiClient api) {
    String unusual =
        create(
            api,
            "/thresholds",
            """
            {'name': 'Unusual CPU', 'objectKind': {'adapterKind': 'VMWARE', 'objectKind': 'VirtualMachine'},
             'condition': {'type': 'metric', 'key': 'cpu|usage_average', 'operator': 'outside', 'levels': [
               {'severity': 'warning', 'bound': {'type': 'learned', 'sensitivity': 'high'}},
               {'severity': 'critical', 'bound': {'type': 'learned', 'sensitivity': 'medium', 'minimumDeviation': 15},
                'clear': {'type': 'learned', 'sensitivity': 'medium'}}]},
             'trigger': {'violations': 2, 'of': 3, 'clearAfter': 2}, 'alert': {'impact': 'health'}}
            """);
    String high =
        create(
            api,
            "/thresholds",
            """
            {'name': 'High CPU', 'objectKind': {'adapterKind': 'VMWARE', 'objectKind': 'VirtualMachine'},
             'condition': {'type': 'metric', 'key': 'cpu|usage_average', 'operator': 'gt', 'levels': [
               {'severity': 'warning', 'bound': {'type': 'number', 'value': 80}}]}}
            """);
    create(
        api,
        "/alert-definitions",
        """
        {'name': 'Unusual and high', 'objectKind': {'adapterKind': 'VMWARE', 'objectKind': 'VirtualMachine'},
         'impact': 'health', 'condition': {'type': 'all', 'conditions': [
           {'type': 'threshold', 'threshold': '%s'}, {'type': 'threshold', 'threshold': '%s'}]}}
        """
            .formatted(unusual, high));
  }

  private static void learn(ApiClient api) {
    Answer started = api.post("/learning/jobs", "");
    assertThat(started.status()).as(started.body()).isEqualTo(202);
    String job = "/jobs/" + started.json().path("id").asString();
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> assertThat(api.get(job).json().path("state").asString()).isEqualTo("done"));
  }

  /**
   * Every step of every alert.
   *
   * @param minutes after so many another evaluator takes over
   */
  private static List<String> alertsOf(PeerlensServer server, int minutes) {
    Ticks ticks = new Ticks(server, begin);
    for (int minute = 0; minute < MINUTES; minute++) {
      if (minute % minutes == 0) {
        ticks = new Ticks(server, begin);
      }
      ticks.at(begin.plusSeconds(60L * minute));
    }
    List<String> steps = new ArrayList<>();
    steps.addAll(
        data.jdbc()
            .sql(
                """
                select concat_ws(' ', coalesce(t.name, d.name), o.name, h.event, h.at, h.severity, h.value, h.bound, h.upper, h.explanation)
                from alert_history h join alert a on a.id = h.alert_id join object o on o.id = a.object_id
                left join threshold t on t.id = a.definition_id left join alert_definition d on d.id = a.definition_id
                order by 1
                """)
            .query(String.class)
            .list());
    return steps;
  }
}
