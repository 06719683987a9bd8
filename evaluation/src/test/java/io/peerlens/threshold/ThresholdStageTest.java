package io.peerlens.threshold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.peerlens.scope.Scope;
import io.peerlens.scope.ScopeCondition;
import io.peerlens.scope.ScopeFlags;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.threshold.Condition.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Thresholds over frames of three or four machines, a minute from tick to tick. */
class ThresholdStageTest {

  private static final double NONE = Double.NaN;
  private static final UUID ID = UUID.fromString("00000000-0000-0000-0000-000000000001");
  private static final String CPU = "cpu|usage_average";
  private static final long MINUTE = 60_000;

  private final ObjectGraph graph = TestFrame.machines(4);
  private final Map<Scope, boolean[]> members = new HashMap<>();
  private final ScopeFlags scopes =
      (scope, kind, objects) -> scope.equals(Scope.ALL) ? null : members.get(scope);
  private ThresholdStage stage = stage();
  private Instant tick = Instant.parse("2026-11-20T14:00:00Z");
  private Instant noticing = Instant.MIN;
  private @Nullable Symptoms symptoms;

  private ThresholdStage stage() {
    return new ThresholdStage(
        null, scopes, ScriptedBands::new, Duration.ofDays(1), Duration.ofHours(1), () -> 0);
  }

  private static Threshold threshold(
      Condition condition, Trigger trigger, Threshold.Special... special) {
    return threshold(Scope.ALL, condition, trigger, special);
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

  private static Condition metric(String key, Operator operator, Level... levels) {
    return new Condition(Type.METRIC, key, false, operator, List.of(levels));
  }

  private static Level level(Severity severity, double bound) {
    return new Level(severity, new Bound.Fixed(bound), null, null, null, null, null);
  }

  private static Level level(Severity severity, double bound, double clear) {
    return new Level(
        severity, new Bound.Fixed(bound), null, new Bound.Fixed(clear), null, null, null);
  }

  private static Level range(Severity severity, double lower, double upper) {
    return new Level(
        severity, new Bound.Fixed(lower), new Bound.Fixed(upper), null, null, null, null);
  }

  private static Level text(Severity severity, String text) {
    return new Level(severity, null, null, null, null, text, null);
  }

  private static Level after(Severity severity, Duration after) {
    return new Level(severity, null, null, null, null, null, after);
  }

  private static Level ofKey(Severity severity, String key, double factor, double offset) {
    return new Level(
        severity, new Bound.OfKey(false, key, factor, offset), null, null, null, null, null);
  }

  private static Threshold silent(Level... levels) {
    return threshold(
        new Condition(Type.NO_DATA, CPU, false, null, List.of(levels)), Trigger.AT_ONCE);
  }

  private Scope scope(String tag, boolean... flags) {
    Scope scope =
        new Scope(
            new ScopeCondition(
                List.of(), List.of(), List.of(tag), List.of(), null, List.of(), List.of()),
            List.of());
    members.put(scope, flags);
    return scope;
  }

  private TestFrame frame() {
    return new TestFrame(graph, tick.toEpochMilli());
  }

  /** Judges a frame; gives what changes. */
  private Changes judge(Threshold threshold, TestFrame frame) {
    stage.assign(List.of(threshold));
    symptoms = stage.run(frame, List.of(threshold), tick, noticing);
    tick = tick.plusSeconds(60);
    return symptoms.changes();
  }

  /** The open symptoms as machine:severity, by machine. */
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

  private List<String> open(Condition condition, TestFrame frame) {
    stage = stage();
    judge(threshold(condition, Trigger.AT_ONCE), frame);
    return open();
  }

  @Test
  void eachOperatorComparesAsDefined() {
    double[] values = {10, 20, 30, NONE};
    Level twenty = level(Severity.WARNING, 20);
    Map<Operator, String> expected =
        Map.of(
            Operator.GT, "[2:warning]",
            Operator.GE, "[1:warning, 2:warning]",
            Operator.LT, "[0:warning]",
            Operator.LE, "[0:warning, 1:warning]",
            Operator.EQ, "[1:warning]",
            Operator.NE, "[0:warning, 2:warning]");
    expected.forEach(
        (operator, open) ->
            assertThat(open(metric(CPU, operator, twenty), frame().with(CPU, values)))
                .as(operator.words())
                .hasToString(open));
    Level range = range(Severity.WARNING, 15, 20);
    assertThat(open(metric(CPU, Operator.INSIDE, range), frame().with(CPU, values)))
        .containsExactly("1:warning");
    assertThat(open(metric(CPU, Operator.OUTSIDE, range), frame().with(CPU, values)))
        .containsExactly("0:warning", "2:warning");
  }

  @Test
  void theWorstSeverityThatIsViolatedCounts() {
    Condition cpu =
        metric(CPU, Operator.GT, level(Severity.WARNING, 70), level(Severity.CRITICAL, 90));
    assertThat(open(cpu, frame().with(CPU, 69, 71, 91, 70)))
        .containsExactly("1:warning", "2:critical");
    Symptom worst = symptoms().worst(ID, TestFrame.FIRST_ID + 2);
    assertThat(worst).isNotNull();
    assertThat(worst.value()).isEqualTo(91);
    assertThat(worst.bound()).isEqualTo(90);
    assertThat(symptoms().worst(ID, TestFrame.FIRST_ID)).isNull();
  }

  @Test
  void theClearingLevelHoldsWhatIsOpen() {
    Threshold cpu =
        threshold(metric(CPU, Operator.GT, level(Severity.WARNING, 90, 80)), Trigger.AT_ONCE);
    judge(cpu, frame().with(CPU, 91, 85, 0, 0));
    judge(cpu, frame().with(CPU, 85, 85, 0, 0));
    assertThat(open()).containsExactly("0:warning");
    judge(cpu, frame().with(CPU, 80, 85, 0, 0));
    assertThat(open()).isEmpty();
  }

  @Test
  void noDataNeitherOpensNorCloses() {
    Threshold cpu =
        threshold(
            metric(CPU, Operator.GT, level(Severity.WARNING, 90)),
            new Trigger(2, 2, Duration.ZERO, 2));
    judge(cpu, frame().with(CPU, 91, 91, 0, NONE));
    Changes changes = judge(cpu, frame().with(CPU, NONE, 91, 0, NONE));
    assertThat(open()).containsExactly("1:warning");
    assertThat(changes.rows()).hasSize(1);
    assertThat(changes.ticks().getFirst().unknown()).isEqualTo(2);
    judge(cpu, frame().with(CPU, 91, NONE, 0, NONE));
    judge(cpu, frame());
    judge(cpu, frame().with(CPU, 91, 0, 0, NONE));
    assertThat(open()).containsExactly("0:warning", "1:warning");
    assertThat(symptoms().unknown(ID, TestFrame.FIRST_ID + 3)).isTrue();
    assertThat(symptoms().unknown(ID, TestFrame.FIRST_ID)).isFalse();
    judge(cpu, frame());
    assertThat(symptoms().open(ID)).allMatch(Symptom::unknown);
  }

  @Test
  void aSampleThatIsJudgedEveryMinuteCountsOnce() {
    Threshold cpu =
        threshold(
            metric(CPU, Operator.GT, level(Severity.WARNING, 90)),
            new Trigger(2, 2, Duration.ZERO, 1));
    long sampled = tick.toEpochMilli();
    for (int i = 0; i < 5; i++) {
      judge(cpu, frame().with(CPU, new double[] {95, 1, 1, 1}, new long[] {sampled, 1, 1, 1}));
      assertThat(open()).isEmpty();
    }
    judge(cpu, frame().with(CPU, new double[] {95, 1, 1, 1}, new long[] {sampled + 1, 1, 1, 1}));
    assertThat(open()).containsExactly("0:warning");
    assertThat(symptoms().open(ID).iterator().next().since())
        .isEqualTo(Instant.ofEpochMilli(sampled));
  }

  @Test
  void steadyViolationsWriteNothing() {
    Threshold cpu =
        threshold(
            metric(CPU, Operator.GT, level(Severity.WARNING, 90)),
            new Trigger(2, 3, Duration.ZERO, 1));
    int[] written = new int[6];
    for (int i = 0; i < written.length; i++) {
      written[i] = judge(cpu, frame().with(CPU, 95 + i, 1, 1, 1)).rows().size();
    }
    assertThat(written).containsExactly(1, 1, 1, 0, 0, 0);
    Changes changes = judge(cpu, frame().with(CPU, 1, 1, 1, 1));
    assertThat(open()).isEmpty();
    assertThat(changes.rows()).as("its history still has violations").hasSize(1);
    judge(cpu, frame().with(CPU, 1, 1, 1, 1));
    changes = judge(cpu, frame().with(CPU, 1, 1, 1, 1));
    assertThat(changes.rows()).isEmpty();
    assertThat(changes.gone()).hasSize(1);
  }

  @Test
  void aTickThatIsRepeatedIsNotCountedAgain() {
    Threshold cpu =
        threshold(
            metric("flag", Operator.GT, level(Severity.WARNING, 0)),
            new Trigger(2, 2, Duration.ZERO, 1));
    judge(cpu, frame().with("flag", "1", "0", "0", "0"));
    tick = tick.minusSeconds(60);
    assertThat(judge(cpu, frame().with("flag", "1", "0", "0", "0")).ticks()).isEmpty();
    assertThat(open()).isEmpty();
    judge(cpu, frame().with("flag", "1", "0", "0", "0"));
    assertThat(open()).as("properties count at every tick").containsExactly("0:warning");
  }

  @Test
  void boundsMayBeMetricsAndPropertiesOfTheObject() {
    Condition used = metric("used", Operator.GT, ofKey(Severity.WARNING, "limit", 0.5, 10));
    assertThat(
            open(used, frame().with("used", 60, 61, 100, 100).with("limit", 100, 100, 200, NONE)))
        .containsExactly("1:warning");
    assertThat(symptoms().unknown(ID, TestFrame.FIRST_ID + 3)).isTrue();
    Condition property = metric("used", Operator.GE, ofKey(Severity.WARNING, "config", 1, 0));
    assertThat(
            open(property, frame().with("used", 4, 4, 4, 4).with("config", "4", "5", "many", null)))
        .containsExactly("0:warning");
    assertThat(open(property, frame().with("used", 4, 4, 4, 4))).isEmpty();
  }

  @Test
  void objectsOutOfScopeAreNotJudged() {
    Scope some = scope("env=prod", true, false, true, false);
    Threshold cpu =
        threshold(some, metric(CPU, Operator.GT, level(Severity.WARNING, 90)), Trigger.AT_ONCE);
    Changes changes = judge(cpu, frame().with(CPU, 95, 95, NONE, NONE));
    assertThat(open()).containsExactly("0:warning");
    assertThat(changes.ticks().getFirst().objects()).isEqualTo(2);
    assertThat(changes.ticks().getFirst().unknown()).isEqualTo(1);
    assertThat(symptoms().inScope(ID, TestFrame.FIRST_ID)).isTrue();
    assertThat(symptoms().inScope(ID, TestFrame.FIRST_ID + 1)).isFalse();
    assertThat(symptoms().unknown(ID, TestFrame.FIRST_ID + 3)).isFalse();

    members.put(some, new boolean[] {false, true, true, false});
    changes = judge(cpu, frame().with(CPU, 95, 95, NONE, NONE));
    assertThat(open()).containsExactly("1:warning");
    assertThat(changes.gone()).hasSize(1);
  }

  @Test
  void theLastOverrideThatMatchesDecides() {
    Scope databases = scope("tier=db", false, true, true, false);
    Scope lab = scope("env=lab", false, false, true, true);
    Threshold cpu =
        threshold(
            metric(CPU, Operator.GT, level(Severity.WARNING, 50)),
            Trigger.AT_ONCE,
            new Threshold.Special(
                "databases", databases, true, List.of(level(Severity.CRITICAL, 80)), null),
            new Threshold.Special("lab", lab, false, null, null));
    judge(cpu, frame().with(CPU, 60, 60, 99, 99));
    assertThat(open()).containsExactly("0:warning");
    judge(cpu, frame().with(CPU, 60, 81, 99, 99));
    assertThat(open()).containsExactly("0:warning", "1:critical");
  }

  @Test
  void anOverrideMayAskForMoreViolations() {
    Scope patient = scope("x", true, false, false, false);
    Threshold cpu =
        threshold(
            metric(CPU, Operator.GT, level(Severity.WARNING, 50)),
            Trigger.AT_ONCE,
            new Threshold.Special(
                "patient", patient, true, null, new Trigger(2, 2, Duration.ZERO, 1)));
    judge(cpu, frame().with(CPU, 60, 60, 1, 1));
    assertThat(open()).containsExactly("1:warning");
    judge(cpu, frame().with(CPU, 60, 60, 1, 1));
    assertThat(open()).containsExactly("0:warning", "1:warning");
  }

  @Test
  void instancesAreJudgedOneByOne() {
    Threshold drops =
        threshold(
            new Condition(
                Type.METRIC,
                "net|dropped",
                true,
                Operator.GT,
                List.of(level(Severity.WARNING, 10), level(Severity.CRITICAL, 100))),
            Trigger.AT_ONCE);
    TestFrame frame =
        frame()
            .instance("net|dropped", "net:vmnic0|dropped", 5, 50, NONE, NONE)
            .instance("net|dropped", "net:vmnic1|dropped", 500, 50, NONE, 1);
    Changes changes = judge(drops, frame);
    assertThat(open()).containsExactly("0/vmnic1:critical", "1/vmnic0:warning", "1/vmnic1:warning");
    assertThat(changes.ticks().getFirst().instances()).isEqualTo(5);
    assertThat(changes.ticks().getFirst().unknown()).isEqualTo(1);
    Symptom worst = symptoms().worst(ID, TestFrame.FIRST_ID);
    assertThat(worst).isNotNull();
    assertThat(worst.key()).isEqualTo("net:vmnic1|dropped");
    assertThat(symptoms().of(ID, TestFrame.FIRST_ID + 1)).hasSize(2);

    judge(drops, frame());
    assertThat(open()).hasSize(3);
    changes = judge(drops, frame().instance("net|dropped", "net:vmnic1|dropped", 1, 50, NONE, 1));
    assertThat(open())
        .as("an instance that is gone while others are there")
        .containsExactly("1/vmnic1:warning");
    assertThat(changes.gone()).hasSize(2);
    judge(
        drops,
        frame()
            .instance("net|dropped", "net:vmnic0|dropped", 1, 1, NONE, NONE)
            .instance("net|dropped", "net:vmnic1|dropped", 1, 50, NONE, 1));
    assertThat(open()).containsExactly("1/vmnic1:warning");
  }

  @Test
  void textsOfPropertiesAreCompared() {
    Condition tools =
        new Condition(
            Type.PROPERTY,
            "tools",
            false,
            Operator.MATCHES,
            List.of(text(Severity.WARNING, "(not|old).*"), text(Severity.CRITICAL, "not running")));
    Threshold threshold = threshold(tools, Trigger.AT_ONCE);
    Column texts = Column.of("running", "old version", "not running", null);
    judge(threshold, frame().with("tools", texts));
    assertThat(open()).containsExactly("1:warning", "2:critical");
    assertThat(symptoms().unknown(ID, TestFrame.FIRST_ID + 3)).isTrue();
    judge(threshold, frame().with("tools", texts));
    assertThat(open()).containsExactly("1:warning", "2:critical");
    judge(threshold, frame().with("tools", "running", "running", "not running", "not installed"));
    assertThat(open()).containsExactly("2:critical", "3:warning");
  }

  @Test
  void missingSamplesAreACondition() {
    Threshold silent =
        silent(
            after(Severity.WARNING, Duration.ofMinutes(10)),
            after(Severity.CRITICAL, Duration.ofMinutes(12)));
    long now = tick.toEpochMilli();
    double[] values = {1, 1, 1, 1};
    long[] times = {now, now - 10 * MINUTE, now - 10 * MINUTE - 1, 0};
    Changes changes = judge(silent, frame().with(CPU, values, times));
    assertThat(open()).containsExactly("2:warning");
    assertThat(changes.ticks().getFirst().unknown()).isEqualTo(1);
    assertThat(symptoms().open(ID).iterator().next().since())
        .isEqualTo(Instant.ofEpochMilli(times[2]));
    judge(silent, frame().with(CPU, values, times));
    judge(silent, frame().with(CPU, values, times));
    assertThat(open()).containsExactly("1:warning", "2:critical");
    judge(
        silent,
        frame().with(CPU, values, new long[] {now, times[1], tick.toEpochMilli() - MINUTE, 0}));
    assertThat(open()).containsExactly("1:critical");
  }

  @Test
  void anObjectIsNotSilentWhileIngestWasPaused() {
    Threshold silent = silent(after(Severity.WARNING, Duration.ofMinutes(10)));
    double[] values = {1, 1, 1, 1};
    long now = tick.toEpochMilli();
    long[] times = {now - 11 * MINUTE, now - MINUTE, now - MINUTE, now - MINUTE};
    judge(silent, frame().with(CPU, values, times));
    assertThat(open()).containsExactly("0:warning");

    tick = Instant.ofEpochMilli(now + 60 * MINUTE);
    noticing = Instant.MAX; // ingest is away
    Changes changes = judge(silent, frame().with(CPU, values, times));
    assertThat(open()).as("what is open stays open").containsExactly("0:warning");
    assertThat(changes.ticks().getFirst().unknown()).isEqualTo(4);

    noticing = tick; // it is back, the first machine has been heard
    times[0] = tick.toEpochMilli();
    for (int minute = 0; minute <= 10; minute++) {
      changes = judge(silent, frame().with(CPU, values, times));
      assertThat(open()).isEmpty();
      assertThat(changes.ticks().getFirst().unknown()).isEqualTo(3);
      times[0] = tick.toEpochMilli();
    }
    judge(silent, frame().with(CPU, values, times));
    assertThat(open()).containsExactly("1:warning", "2:warning", "3:warning");
  }

  @Test
  void anObjectSilentForLongerThanTheMetricAgeDoesNotBecomeSilentAgain() {
    Threshold silent = silent(after(Severity.WARNING, Duration.ofMinutes(10)));
    long now = tick.toEpochMilli();
    long yesterday = now - Duration.ofDays(1).toMillis();
    double[] values = {NONE, 1, 1, 1};
    judge(silent, frame().with(CPU, values, new long[] {yesterday, now - 20 * MINUTE, now, now}));
    assertThat(open()).containsExactly("1:warning");
    tick = tick.plus(Duration.ofDays(2));
    judge(
        silent,
        frame()
            .with(
                CPU,
                new double[] {NONE, NONE, NONE, NONE},
                new long[] {1, now - 20 * MINUTE, 1, 1}));
    assertThat(open()).as("what is open stays open").containsExactly("1:warning");
  }

  @Test
  void aValueWhoseSampleIsOldIsNotKnownNow() {
    Threshold cpu =
        threshold(metric(CPU, Operator.GT, level(Severity.WARNING, 90)), Trigger.AT_ONCE);
    long sampled = tick.toEpochMilli();
    long[] times = {sampled, sampled, sampled, sampled};
    judge(cpu, frame().with(CPU, new double[] {95, 1, 1, 1}, times));
    assertThat(symptoms().open(ID)).noneMatch(Symptom::unknown);
    tick = tick.plus(Duration.ofHours(1));
    Changes changes = judge(cpu, frame().with(CPU, new double[] {95, 1, 1, 1}, times));
    assertThat(symptoms().open(ID)).allMatch(Symptom::unknown);
    assertThat(changes.rows()).as("that is written once").allMatch(Changes.Row::unknown).hasSize(1);
    assertThat(judge(cpu, frame().with(CPU, new double[] {95, 1, 1, 1}, times)).rows()).isEmpty();
    changes = judge(cpu, frame().with(CPU, 95, 1, 1, 1));
    assertThat(changes.rows()).as("and that it is known again").hasSize(1);
    assertThat(changes.rows().getFirst().unknown()).isFalse();
    assertThat(judge(cpu, frame().with(CPU, NONE, 1, 1, 1)).rows()).hasSize(1);
    assertThat(judge(cpu, frame().with(CPU, NONE, 1, 1, 1)).rows()).isEmpty();
  }

  @Test
  void theSymptomsOfSomeObjectsAreFoundOverAllThresholds() {
    Threshold cpu =
        threshold(metric(CPU, Operator.GT, level(Severity.WARNING, 90)), Trigger.AT_ONCE);
    judge(cpu, frame().with(CPU, 95, 96, 1, 99));
    Map<Integer, List<Symptom>> found =
        symptoms().on(Set.of(TestFrame.FIRST_ID, TestFrame.FIRST_ID + 2, TestFrame.FIRST_ID + 3));
    assertThat(found).containsOnlyKeys(TestFrame.FIRST_ID, TestFrame.FIRST_ID + 3);
    assertThat(found.get(TestFrame.FIRST_ID + 3))
        .extracting(Symptom::threshold, Symptom::value)
        .containsExactly(tuple(ID, 99.0));
  }

  @Test
  void anObjectThatIsGoneHasNoSymptom() {
    Threshold cpu =
        threshold(metric(CPU, Operator.GT, level(Severity.WARNING, 90)), Trigger.AT_ONCE);
    judge(cpu, frame().with(CPU, 95, 95, 1, 1));
    ObjectGraph smaller = TestFrame.machines(1);
    judge(cpu, new TestFrame(smaller, tick.toEpochMilli()).with(CPU, 95));
    assertThat(open()).containsExactly("0:warning");
  }

  @Test
  void aChangedThresholdStartsFromTheStoredState() {
    Threshold cpu =
        threshold(metric(CPU, Operator.GT, level(Severity.WARNING, 90)), Trigger.AT_ONCE);
    judge(cpu, frame().with(CPU, 95, 1, 1, 1));
    Threshold other =
        threshold(metric(CPU, Operator.GT, level(Severity.WARNING, 99)), Trigger.AT_ONCE);
    stage.assign(List.of(other));
    assertThat(stage.inputs(List.of(other))).hasSize(1);
    judge(other, frame().with(CPU, 95, 1, 1, 1));
    assertThat(open()).isEmpty();
  }

  @Test
  void theObjectsInScopeAreKnownBeforeTheFirstTick() {
    Threshold cpu =
        threshold(
            scope("x", true, false, false, false),
            metric(CPU, Operator.GT, level(Severity.WARNING, 90)),
            Trigger.AT_ONCE);
    stage.assign(List.of(cpu));
    symptoms = stage.run(frame(), List.of(), tick, noticing);
    assertThat(symptoms().inScope(ID, TestFrame.FIRST_ID)).isTrue();
    assertThat(symptoms().inScope(ID, TestFrame.FIRST_ID + 1)).isFalse();
    assertThat(symptoms().unknown(ID, TestFrame.FIRST_ID)).isTrue();
    judge(cpu, frame().with(CPU, 95, 95, 95, 95));
    assertThat(open()).containsExactly("0:warning");
    assertThat(symptoms().unknown(ID, TestFrame.FIRST_ID)).isFalse();
  }

  /** The table in docs/alerting.md. */
  @Test
  void theExampleOfTheDocumentationIsTrue() {
    Threshold ready =
        threshold(
            metric(
                CPU, Operator.GT, level(Severity.WARNING, 5, 3), level(Severity.CRITICAL, 10, 8)),
            new Trigger(3, 5, Duration.ZERO, 2));
    double[] values = {6, 4, 7, 11, 12, 13, 9, 4, NONE, 2, 4, 2, 1};
    Instant first = tick;
    List<String> severities = new ArrayList<>();
    for (double value : values) {
      judge(ready, frame().with(CPU, value, 0, 0, 0));
      Symptom worst = symptoms().worst(ID, TestFrame.FIRST_ID);
      severities.add(worst == null ? "" : worst.severity().label());
      assertThat(worst == null ? first : worst.since()).isEqualTo(first);
    }
    assertThat(severities)
        .containsExactly(
            "",
            "",
            "",
            "warning",
            "warning",
            "critical",
            "critical",
            "critical",
            "critical",
            "warning",
            "warning",
            "warning",
            "");
  }
}
