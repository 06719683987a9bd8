package io.peerlens.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.baselines.ObjectScore;
import io.peerlens.evaluation.Ticks;
import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Anomaly scores as a metric: stored every five minutes, drawn, and judged by thresholds. */
class RunningScoresIT {

  private static final Duration STEP = ObjectScorer.STEP;

  /** What comes after it is scored. */
  private final Instant now =
      Instant.ofEpochSecond((Instant.now().getEpochSecond() - 7200) / 300 * 300);

  private SampleData data;
  private PeerlensServer server;
  private int troubled;
  private int well;
  private Instant end = now;

  @BeforeEach
  void start() {
    data = SampleData.create();
    int group =
        data.group("VMWARE", "VirtualMachine", "cpu", List.of("a", "b", "c", "d", "e", "f"));
    troubled = data.set(data.object("VMWARE", "VirtualMachine", "troubled"), group, "");
    well = data.set(data.object("VMWARE", "VirtualMachine", "well"), group, "");
    for (int set : new int[] {troubled, well}) {
      data.jdbc()
          .sql(
              """
              insert into sample_5m (time, set_id, samples, avg)
              select t, ?, 5, array(select %s from generate_series(0, 5) m order by m)
              from generate_series(?::timestamptz, ?::timestamptz - interval '5 minutes', interval '5 minutes') t
              """
                  .formatted(VALUE))
          .params(set, SampleData.time(now.minus(Duration.ofDays(15))), SampleData.time(now))
          .update();
    }
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
    server =
        PeerlensServer.start(
            data.database(), Set.of(Role.EVALUATOR, Role.API), "peerlens.evaluation.lag=0s");
    Ticks.stopScheduler(server, data);
    // It may have rolled up what comes later.
    data.jdbc()
        .sql("update level_state set rolled_until = ? where level = '5m'")
        .param(SampleData.time(now))
        .update();
  }

  @AfterEach
  void stop() {
    server.close();
    data.close();
  }

  private static final String VALUE =
      "50 + 10 * sin(extract(epoch from t) / 43200 * pi()) + 3 * sin(extract(epoch from t) * (m + 1.37))"
          + " + 2 * sin(extract(epoch from t) * (m + 0.71))";

  /** The next five minutes of both machines; metrics of the troubled one are doubled up to one. */
  private void step(AnomalyCounts counts, int doubled) {
    for (int set : new int[] {troubled, well}) {
      data.jdbc()
          .sql(
              """
              insert into sample (time, set_id, values)
              select t + interval '1 minute', ?,
                array(select (%s) * case when m < ? then 2 else 1 end from generate_series(0, 5) m order by m)
              from (values (?::timestamptz)) as x(t)
              """
                  .formatted(VALUE))
          .params(set, set == troubled ? doubled : 0, SampleData.time(end))
          .update();
    }
    end = end.plus(STEP);
    counts.run(end);
  }

  private AnomalyCounts counts(RunningScores scores) {
    return AnomalyCountsIT.counts(server, data, scores);
  }

  private RunningScores scores(int mostMetrics) {
    return new RunningScores(
        server.context().getBean(LearningQueries.class),
        server.context().getBean(AnomalyScores.class),
        server.context().getBean(UnusualPeriodStore.class),
        mostMetrics);
  }

  private UUID id(String name) {
    return data.jdbc()
        .sql("select uuid from object where name = ?")
        .param(name)
        .query(UUID.class)
        .single();
  }

  private JsonNode score(String name) {
    ApiClient.Answer answer =
        server.admin().get("/objects/" + id(name) + "/anomaly-score?from=" + now + "&to=" + end);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  private List<String> stored(String name) {
    return data.jdbc()
        .sql(
            """
            select s.values[array_position(g.metrics, 'anomaly_score')]::text
            from sample s join metric_set m on m.id = s.set_id join metric_group g on g.id = m.group_id
            join object o on o.id = m.object_id
            where g.name = 'System Attributes' and o.name = ? order by s.time
            """)
        .param(name)
        .query(String.class)
        .list();
  }

  @Test
  void scoresAreStoredDrawnAndRaiseAlertsThatNameTheMetrics() {
    ApiClient.Answer created =
        server
            .admin()
            .post(
                "/thresholds",
                """
                {"name": "Machine is unusual", "objectKind": {"adapterKind": "VMWARE", "objectKind": "VirtualMachine"},
                 "condition": {"type": "metric", "key": "System Attributes|anomaly_score", "operator": "ge", "levels": [
                   {"severity": "warning", "bound": {"type": "number", "value": 19}}]},
                 "trigger": {"violations": 1, "of": 1, "clearAfter": 1}, "alert": {"impact": "health"}}
                """);
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    AnomalyCounts counts = counts(scores(100_000));
    counts.learn(now, Duration.ofMinutes(1));
    Ticks ticks = new Ticks(server, now);
    for (int i = 0; i < 12; i++) {
      step(counts, i < 3 ? 0 : i < 5 ? 2 : i < 8 ? 4 : 0);
      ticks.at(end.plusSeconds(60));
    }

    assertThat(stored("troubled")).hasSize(12).doesNotContainNull();
    JsonNode drawn = score("troubled");
    List<String> stored = stored("troubled");
    for (int i = 0; i < stored.size(); i++) {
      assertThat(drawn.path("scores").path(i).asDouble())
          .isCloseTo(Double.parseDouble(stored.get(i)), within(1e-4));
    }
    assertThat(drawn.path("stretches")).hasSize(1);
    JsonNode stretch = drawn.path("stretches").path(0);
    Instant trouble = now.plus(STEP.multipliedBy(3));
    assertThat(Instant.parse(stretch.path("from").asString()))
        .isBetween(trouble, trouble.plus(STEP.multipliedBy(3)));
    assertThat(stretch.path("score").asDouble()).isGreaterThan(ObjectScore.UNUSUAL);
    assertThat(stretch.path("carriers"))
        .extracting(one -> one.path("key").asString())
        .contains("cpu|a", "cpu|b", "cpu|c", "cpu|d")
        .containsExactlyElementsOf(
            stretch.path("keys").valueStream().map(JsonNode::asString).toList());
    assertThat(stretch.path("carriers"))
        .filteredOn(one -> one.path("key").asString().equals("cpu|a"))
        .extracting(one -> Instant.parse(one.path("began").asString()))
        .containsExactly(trouble);
    assertThat(score("well").path("stretches")).isEmpty();

    List<String> alerts =
        data.jdbc()
            .sql(
                """
                select concat_ws(' ', o.name, h.event, h.explanation) from alert_history h
                join alert a on a.id = h.alert_id join object o on o.id = a.object_id order by h.at
                """)
            .query(String.class)
            .list();
    assertThat(alerts).isNotEmpty().allMatch(alert -> alert.startsWith("troubled "));
    assertThat(alerts.getFirst())
        .contains("opened", "nomaly score is ", "Carried by CPU ", " changed first, at ");
  }

  @Test
  void whatHasNoRoomHasNoScoreAndNothingElseStops() {
    RunningScores scores = scores(7);
    AnomalyCounts counts = counts(scores);
    counts.learn(now, Duration.ofMinutes(1));
    step(counts, 0);
    assertThat(stored("troubled")).hasSize(1);
    assertThat(stored("well")).isEmpty();
    // Computed when it is asked for, as nothing is stored.
    assertThat(score("well").path("scores")).hasSize(1).noneMatch(JsonNode::isNull);
  }

  @Test
  void aScorerThatMissedMuchLearnsAnewAndOneOfAnotherNodeTakesItsPeriodOver() {
    AnomalyCounts counts = counts(scores(100_000));
    counts.learn(now, Duration.ofMinutes(1));
    for (int i = 0; i < 4; i++) {
      step(counts, 4);
    }
    AnomalyCounts other = counts(scores(100_000));
    other.learn(end, Duration.ofMinutes(1));
    step(other, 4);
    List<Instant> periods =
        data.jdbc()
            .sql("select until from unusual_period")
            .query((row, number) -> row.getTimestamp(1).toInstant())
            .list();
    assertThat(periods).hasSize(1);

    end = now.plus(Duration.ofMinutes(100));
    step(counts, 0);
    assertThat(stored("troubled")).hasSize(5); // forgotten, and not learned anew yet
    counts.learn(end, Duration.ofMinutes(1));
    step(counts, 0);
    assertThat(stored("troubled")).hasSize(6);
  }
}
