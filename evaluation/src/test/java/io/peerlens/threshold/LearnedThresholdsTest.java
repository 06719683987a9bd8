package io.peerlens.threshold;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.baselines.Sensitivity;
import io.peerlens.scope.Scope;
import io.peerlens.scope.ScopeCondition;
import io.peerlens.scope.ScopeFlags;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.threshold.Condition.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Thresholds with learned bounds over frames of four machines. */
class LearnedThresholdsTest {

  private static final double NONE = Double.NaN;
  private static final UUID ID = UUID.fromString("00000000-0000-0000-0000-000000000001");
  private static final String CPU = "cpu|usage_average";
  private static final String DROPPED = "net|dropped";

  private final ObjectGraph graph = TestFrame.machines(4);
  private final ScriptedBands bands = new ScriptedBands();
  private final Scope some =
      new Scope(
          new ScopeCondition(
              List.of(), List.of(), List.of("some"), List.of(), null, List.of(), List.of()),
          List.of());
  private final ScopeFlags scopes =
      (scope, kind, objects) ->
          scope.equals(Scope.ALL) ? null : new boolean[] {true, false, true, false};
  private ThresholdStage stage = stage();
  private Instant tick = Instant.parse("2026-11-20T14:05:00Z");
  private @Nullable Symptoms symptoms;

  private ThresholdStage stage() {
    return new ThresholdStage(
        null, scopes, () -> bands, Duration.ofDays(1), Duration.ofHours(3), () -> 0);
  }

  private static Threshold threshold(
      Scope scope, Condition condition, Trigger trigger, Threshold.Special... special) {
    return new Threshold(
        ID,
        "test",
        "",
        true,
        TestFrame.VM,
        scope,
        condition,
        trigger,
        List.of(special),
        null,
        Duration.ofMinutes(1),
        1);
  }

  private static Threshold cpu(Operator operator, Level... levels) {
    return threshold(
        Scope.ALL,
        new Condition(Type.METRIC, CPU, false, operator, List.of(levels)),
        Trigger.AT_ONCE);
  }

  private static Bound.Learned learned(Sensitivity sensitivity, double least, double relative) {
    return new Bound.Learned(sensitivity, least, relative);
  }

  private static Level level(Severity severity, Bound bound) {
    return new Level(severity, bound, null, null, null, null, null);
  }

  private static Level warning(double least, double relative) {
    return level(Severity.WARNING, learned(Sensitivity.MEDIUM, least, relative));
  }

  /** The same of all machines, in this hour; the margin at medium sensitivity is two spreads. */
  private void usual(double lower, double upper, double spread) {
    bands.with(
        CPU,
        tick.toEpochMilli(),
        lower,
        upper,
        spread,
        lower,
        upper,
        spread,
        lower,
        upper,
        spread,
        lower,
        upper,
        spread);
  }

  private TestFrame frame() {
    return new TestFrame(graph, tick.toEpochMilli());
  }

  private Changes judge(Threshold threshold, TestFrame frame) {
    stage.assign(List.of(threshold));
    symptoms = stage.run(frame, List.of(threshold), tick, Instant.MIN);
    tick = tick.plusSeconds(60);
    return symptoms.changes();
  }

  private List<String> open() {
    List<String> open = new ArrayList<>();
    for (Symptom symptom : symptoms().open(ID)) {
      String instance = symptom.instance().isEmpty() ? "" : "/" + symptom.instance();
      open.add(
          symptom.objectId() - TestFrame.FIRST_ID + instance + ":" + symptom.severity().label());
    }
    open.sort(null);
    return open;
  }

  private Symptoms symptoms() {
    if (symptoms == null) {
      throw new IllegalStateException("nothing was judged");
    }
    return symptoms;
  }

  private List<String> open(Threshold threshold, double... values) {
    stage = stage();
    judge(threshold, frame().with(CPU, values));
    tick = tick.minusSeconds(60);
    return open();
  }

  @Test
  void eachOperatorLooksAtItsEnds() {
    usual(10, 40, 1);
    double[] values = {7.9, 8.1, 41.9, 42.1};
    assertThat(open(cpu(Operator.GT, warning(0, 0)), values)).containsExactly("3:warning");
    assertThat(open(cpu(Operator.LT, warning(0, 0)), values)).containsExactly("0:warning");
    assertThat(open(cpu(Operator.OUTSIDE, warning(0, 0)), values))
        .containsExactly("0:warning", "3:warning");
  }

  @Test
  void aSensitivityMovesTheEnds() {
    usual(10, 40, 2);
    Level low = level(Severity.WARNING, learned(Sensitivity.LOW, 0, 0));
    Level high = level(Severity.WARNING, learned(Sensitivity.HIGH, 0, 0));
    double[] values = {41.1, 44.1, 48.1, 40.9};
    assertThat(open(cpu(Operator.GT, low), values)).containsExactly("2:warning");
    assertThat(open(cpu(Operator.GT, warning(0, 0)), values))
        .containsExactly("1:warning", "2:warning");
    assertThat(open(cpu(Operator.GT, high), values))
        .containsExactly("0:warning", "1:warning", "2:warning");
  }

  @Test
  void aValueMustBeBeyondTheEndsByBothDeviations() {
    usual(100, 200, 0);
    double[] values = {201, 211, 221, 231};
    assertThat(open(cpu(Operator.GT, warning(10, 0)), values))
        .containsExactly("1:warning", "2:warning", "3:warning");
    assertThat(open(cpu(Operator.GT, warning(0, 0.1)), values))
        .containsExactly("2:warning", "3:warning");
    assertThat(open(cpu(Operator.GT, warning(30, 0.1)), values)).containsExactly("3:warning");
    usual(-200, -100, 0);
    assertThat(open(cpu(Operator.LT, warning(0, 0.1)), -219, -221, -200, -201))
        .as("a share of the size of the end")
        .containsExactly("1:warning");
  }

  @Test
  void learnedValuesAreNeverBeyondTheirBounds() {
    usual(0.3, 0.3, 0);
    assertThat((double) 0.3f).as("else nothing is tested").isNotEqualTo(0.3);
    assertThat(open(cpu(Operator.OUTSIDE, warning(0, 0)), 0.3, 0.3001, 0.2999, 0.3))
        .containsExactly("1:warning", "2:warning");
    usual(1e9 / 3, 1e9 / 3, 0);
    assertThat(open(cpu(Operator.OUTSIDE, warning(0, 0)), 1e9 / 3, 0, 1e9 / 3, 1e9))
        .containsExactly("1:warning", "3:warning");
  }

  @Test
  void theUsualRangeIsStoredWithTheSymptom() {
    usual(10, 40, 1);
    judge(cpu(Operator.GT, warning(5, 0)), frame().with(CPU, 50, 0, 0, 0));
    Symptom symptom = symptoms().open(ID).iterator().next();
    assertThat(symptom.bound()).isEqualTo(8);
    assertThat(symptom.upper()).isEqualTo(42);
  }

  @Test
  void theWorstSeverityCounts() {
    usual(10, 40, 1);
    Threshold cpu =
        cpu(Operator.GT, warning(0, 0), level(Severity.CRITICAL, learned(Sensitivity.LOW, 20, 0)));
    assertThat(open(cpu, 43, 64.1, 63.9, 41))
        .containsExactly("0:warning", "1:critical", "2:warning");
  }

  @Test
  void nothingOpensOrClosesWhileNothingIsLearned() {
    Threshold cpu = cpu(Operator.OUTSIDE, warning(0, 0));
    Changes changes = judge(cpu, frame().with(CPU, 1e9, -1e9, 0, NONE));
    assertThat(open()).isEmpty();
    assertThat(changes.ticks().getFirst().unknown()).isEqualTo(4);
    assertThat(changes.ticks().getFirst().instances()).isZero();
    assertThat(symptoms().unknown(ID, TestFrame.FIRST_ID)).isTrue();

    bands.with(CPU, tick.toEpochMilli(), 0, 1, 0, NONE, NONE, NONE, NONE, NONE, NONE, 0, 1, 0);
    changes = judge(cpu, frame().with(CPU, 5, 5, 5, NONE));
    assertThat(open()).containsExactly("0:warning");
    assertThat(changes.ticks().getFirst().unknown()).isEqualTo(3);

    tick = tick.plus(Duration.ofHours(2));
    changes = judge(cpu, frame().with(CPU, 0, 0, 0, 0));
    assertThat(open()).as("it is not known to be over").containsExactly("0:warning");
    assertThat(symptoms().open(ID)).allMatch(Symptom::unknown);
    assertThat(changes.rows()).as("which is written").hasSize(1);
  }

  @Test
  void aSampleIsJudgedByItsOwnHour() {
    usual(0, 10, 0);
    tick = Instant.parse("2026-11-20T15:00:00Z");
    usual(50, 100, 0);
    long before = tick.toEpochMilli() - 120_000;
    long[] times = {before, before, tick.toEpochMilli(), tick.toEpochMilli()};
    Threshold cpu = cpu(Operator.OUTSIDE, warning(0, 0));
    judge(cpu, frame().with(CPU, new double[] {5, 60, 60, 5}, times));
    assertThat(open()).containsExactly("1:warning", "3:warning");
    assertThat(symptoms().worst(ID, TestFrame.FIRST_ID + 1).upper()).isEqualTo(10);
    assertThat(symptoms().worst(ID, TestFrame.FIRST_ID + 3).upper()).isEqualTo(100);

    stage = stage();
    long older = tick.toEpochMilli() - Duration.ofMinutes(62).toMillis();
    Changes changes =
        judge(cpu, frame().with(CPU, new double[] {500, 60, 60, 60}, new long[] {older, 1, 1, 1}));
    assertThat(open()).as("what is older than the hour before is not judged").isEmpty();
    assertThat(changes.ticks().getFirst().unknown()).isPositive();
  }

  @Test
  void theClearingLevelIsLearnedToo() {
    usual(10, 40, 1);
    Threshold cpu =
        cpu(
            Operator.GT,
            new Level(
                Severity.WARNING,
                learned(Sensitivity.MEDIUM, 10, 0),
                null,
                learned(Sensitivity.HIGH, 0, 0),
                null,
                null,
                null));
    judge(cpu, frame().with(CPU, 52.1, 51.9, 0, 0));
    assertThat(open()).containsExactly("0:warning");
    judge(cpu, frame().with(CPU, 40.6, 51.9, 0, 0));
    assertThat(open()).as("beyond the clearing level still").containsExactly("0:warning");
    judge(cpu, frame().with(CPU, 40.4, 51.9, 0, 0));
    assertThat(open()).isEmpty();
  }

  @Test
  void withoutAClearingLevelASymptomClearsWithinTheBound() {
    usual(10, 40, 1);
    Threshold cpu =
        threshold(
            Scope.ALL,
            new Condition(Type.METRIC, CPU, false, Operator.GT, List.of(warning(10, 0))),
            new Trigger(2, 3, Duration.ZERO, 2));
    double[] values = {53, 30, 53, 53, 51, 30};
    List<Integer> counts = new ArrayList<>();
    for (double value : values) {
      judge(cpu, frame().with(CPU, value, 0, 0, 0));
      counts.add(open().size());
    }
    assertThat(counts).containsExactly(0, 0, 1, 1, 1, 0);
  }

  @Test
  void instancesHaveBoundsOfTheirOwn() {
    Threshold drops =
        threshold(
            Scope.ALL,
            new Condition(Type.METRIC, DROPPED, true, Operator.GT, List.of(warning(0, 0))),
            Trigger.AT_ONCE);
    bands.instance("net:vmnic0|dropped", tick.toEpochMilli(), 0, 10, 0);
    bands.instance("net:vmnic1|dropped", tick.toEpochMilli(), 0, 1000, 0);
    Changes changes = judge(drops, drops(50, 50));
    assertThat(open()).containsExactly("0/vmnic0:warning", "1/vmnic0:warning");
    assertThat(changes.ticks().getFirst().instances()).as("vmnic9 is new").isEqualTo(4);
    assertThat(symptoms().worst(ID, TestFrame.FIRST_ID).upper()).isEqualTo(10);
    assertThat(symptoms().unknown(ID, TestFrame.FIRST_ID)).isFalse();
    assertThat(symptoms().unknown(ID, TestFrame.FIRST_ID + 3)).isTrue();

    judge(drops, drops(5, 1001));
    assertThat(open()).containsExactly("0/vmnic1:warning", "1/vmnic1:warning");
  }

  /** Two machines with two cards each, and one with a card that nothing is learned of. */
  private TestFrame drops(double first, double second) {
    return frame()
        .instance(DROPPED, "net:vmnic0|dropped", first, first, NONE, NONE)
        .instance(DROPPED, "net:vmnic1|dropped", second, second, NONE, NONE)
        .instance(DROPPED, "net:vmnic9|dropped", NONE, NONE, NONE, 1e6);
  }

  @Test
  void objectsOutOfScopeAreNotJudgedAndOverridesHaveTheirOwnBounds() {
    usual(10, 40, 0);
    judge(
        threshold(some, cpu(Operator.GT, warning(0, 0)).condition(), Trigger.AT_ONCE),
        frame().with(CPU, 50, 50, NONE, NONE));
    assertThat(open()).containsExactly("0:warning");
    assertThat(symptoms().changes().ticks().getFirst().unknown()).isEqualTo(1);
    stage = stage();
    Threshold overridden =
        threshold(
            Scope.ALL,
            cpu(Operator.GT, warning(0, 0)).condition(),
            Trigger.AT_ONCE,
            new Threshold.Special("loud", some, true, List.of(warning(100, 0)), null));
    judge(overridden, frame().with(CPU, 50, 50, 141, 39));
    assertThat(open()).containsExactly("1:warning", "2:warning");
  }

  @Test
  void boundsAreFoldedOnceAnHour() {
    usual(10, 40, 0);
    Threshold cpu = cpu(Operator.GT, warning(0, 0));
    judge(cpu, frame().with(CPU, 50, 0, 0, 0));
    int first = bands.asked();
    judge(cpu, frame().with(CPU, 50, 0, 0, 0));
    assertThat(bands.asked() - first).as("whether they are the same still").isEqualTo(1);
  }

  /** Minutes over the turn of hours, in which another stage takes over now and then. */
  @Test
  void everyEvaluatorFindsTheSameSymptoms() {
    Instant begin = tick;
    for (int hour = 0; hour < 4; hour++) {
      tick = begin.plus(Duration.ofHours(hour));
      usual(10 * hour, 10 * hour + 20, hour % 2);
    }
    Threshold cpu = cpu(Operator.OUTSIDE, warning(1, 0.05));
    List<List<String>> runs = new ArrayList<>();
    for (boolean takeOver : new boolean[] {false, true}) {
      tick = begin;
      stage = stage();
      List<String> run = new ArrayList<>();
      for (int minute = 0; minute < 180; minute++) {
        if (takeOver && minute % 7 == 0) {
          stage = stage(); // without a store a stage begins at rest, and levels open at once
        }
        double value = (minute * 7) % 60;
        long sampled = tick.toEpochMilli() - 90_000;
        judge(
            cpu,
            frame()
                .with(
                    CPU,
                    new double[] {value, value / 2, 60 - value, NONE},
                    new long[] {sampled, sampled, sampled, 0}));
        run.add(minute + " " + open());
      }
      runs.add(run);
    }
    assertThat(runs.getFirst()).isEqualTo(runs.getLast());
    assertThat(String.join("", runs.getFirst())).contains("0:warning", "1:warning", "2:warning");
  }
}
