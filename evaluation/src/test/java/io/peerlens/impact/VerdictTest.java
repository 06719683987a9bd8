package io.peerlens.impact;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.ComparedMetric;
import io.peerlens.api.model.ComparedValues;
import io.peerlens.api.model.ComparisonDirection;
import io.peerlens.api.model.ComparisonJudgement;
import io.peerlens.api.model.ComparisonPairing;
import io.peerlens.api.model.Goal;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictTest {

  private static final Goal GOAL = new Goal("read-latency", "Read latency", List.of());
  private static final ComparisonJudgement BETTER = ComparisonJudgement.BETTER;
  private static final ComparisonJudgement WORSE = ComparisonJudgement.WORSE;
  private static final ComparisonJudgement SAME = ComparisonJudgement.SAME;
  private static final ComparisonJudgement NONE = ComparisonJudgement.NOT_ENOUGH_DATA;

  private static ComparedMetric metric(
      String name,
      ComparisonJudgement level,
      ComparisonJudgement tail,
      double weight,
      double p,
      double a,
      double b) {
    return new ComparedMetric(
        name,
        name,
        "ms",
        false,
        ComparisonDirection.LOWER,
        weight,
        level == SAME ? tail : level,
        level,
        tail,
        ComparisonPairing.HOUR_OF_DAY,
        values(a),
        values(b),
        b - a,
        null,
        null,
        p,
        p);
  }

  private static ComparedValues values(double median) {
    return new ComparedValues(288, 100.0, 1.0, median, 10 * median);
  }

  @Test
  void theVerdictNamesTheMetricWithTheLargestWeight() {
    Verdict verdict =
        Verdict.of(
            GOAL,
            80.0,
            List.of(
                metric("Write latency", BETTER, SAME, 1, 0.0001, 5, 4),
                metric("Read latency", BETTER, SAME, 4, 0.0001, 2.078, 1.385),
                metric("Ready", WORSE, SAME, 1, 0.0001, 1, 2)));

    assertThat(verdict.sentence())
        .isEqualTo(
            "Read latency better: 2.1 to 1.4 ms, certain; of the others 1 better, 1 worse; read latency index 80 of 100.");
    assertThat(verdict.judgement()).isEqualTo(BETTER);
    assertThat(verdict.certainty()).isEqualTo("certain");
  }

  @Test
  void theVerdictNamesTheDecidingMetricsFirst() {
    Verdict verdict =
        Verdict.of(
            GOAL,
            30.0,
            List.of(
                metric("Read latency", BETTER, SAME, 4, 0.005, 100, 99),
                metric("Write latency", WORSE, SAME, 1, 0.005, 100, 103)));

    assertThat(verdict.sentence())
        .startsWith("Write latency worse: 100 to 103 ms, very likely; of");
    assertThat(verdict.judgement()).isEqualTo(WORSE);
  }

  @Test
  void theVerdictSaysWhenOnlyTheHighestValuesChanged() {
    Verdict verdict =
        Verdict.of(null, null, List.of(metric("Read latency", SAME, WORSE, 1, 0.03, 2, 3)));

    assertThat(verdict.sentence())
        .isEqualTo("Read latency at its highest worse: 95th percentile 20 to 30 ms, likely.");
    assertThat(verdict.judgement()).isEqualTo(WORSE);
  }

  @Test
  void betterAndWorseWithoutAGoalAreDifferent() {
    assertThat(
            Verdict.of(
                    null,
                    null,
                    List.of(
                        metric("a", BETTER, SAME, 1, 0.0001, 2, 1),
                        metric("b", WORSE, SAME, 1, 0.0001, 1, 2)))
                .judgement())
        .isEqualTo(ComparisonJudgement.DIFFERENT);
  }

  @Test
  void theVerdictSaysWhenNothingChangedOrCouldBeShown() {
    ComparedMetric same = metric("Read latency", SAME, SAME, 1, 0.9, 2, 2);
    ComparedMetric none = metric("Write latency", NONE, NONE, 1, 1, 2, 2);

    assertThat(Verdict.of(null, null, List.of(same)).sentence())
        .isEqualTo("Read latency: no difference shown, 2 to 2 ms.");
    assertThat(Verdict.of(null, null, List.of(same, same, none)).sentence())
        .isEqualTo("No difference shown in 2 metrics; 1 has not enough data.");
    assertThat(Verdict.of(null, null, List.of(same, same, none, none, none)))
        .isEqualTo(
            new Verdict(
                "Cannot tell: 2 of 5 metrics have enough data, and no difference is shown in them.",
                NONE,
                null));
    assertThat(Verdict.of(null, null, List.of(none)))
        .isEqualTo(
            new Verdict("Cannot tell: there is not enough data in both periods.", NONE, null));
    assertThat(Verdict.of(GOAL, null, List.of()).sentence())
        .isEqualTo("Nothing to compare: no metric of the goal read latency is reported.");
  }
}
