package io.peerlens.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.AlertExplanation;
import io.peerlens.api.model.TextSpan;
import io.peerlens.learning.UnusualPeriodStore.Carrier;
import io.peerlens.scope.Scope;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.threshold.Bound;
import io.peerlens.threshold.Condition;
import io.peerlens.threshold.Level;
import io.peerlens.threshold.Operator;
import io.peerlens.threshold.Severity;
import io.peerlens.threshold.Threshold;
import io.peerlens.threshold.Threshold.Impact;
import io.peerlens.threshold.Trigger;
import io.peerlens.words.Figures;
import io.peerlens.words.MetricNames;
import io.peerlens.words.MetricWords;
import io.peerlens.words.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExplanationsTest {

  private static final ObjectKind HOST = new ObjectKind("VMWARE", "HostSystem");
  private static final Instant TICK = Instant.parse("2026-11-20T14:05:00Z");
  private static final Instant SINCE = Instant.parse("2026-11-20T14:02:10Z");
  private static final UUID RULE = new UUID(1, 2);

  private final ObjectGraph graph =
      ObjectGraph.builder()
          .object(1, HOST, "esx-07")
          .object(2, HOST, "esx-08")
          .object(3, new ObjectKind("VMWARE", "ClusterComputeResource"), "prod-a")
          .build();

  @Test
  void theExplanationNamesValueLimitDistanceCountAndStart() {
    AlertExplanation said = explain("threshold", 1, cpu(1, "", "gt", 97.126, 80, 3, 4));

    assertThat(said.getText())
        .isEqualTo(
            "esx-07: CPU usage is 97.13 %, above the limit of 80 % for critical (1.21 × the limit),"
                + " in 3 of the last 4 samples, since 14:02 UTC. The threshold CPU is high sets this limit.");
    assertThat(strong(said)).containsExactly("esx-07", "97.13 %", "1.21 ×");
    assertThat(said.getFactor()).isEqualTo(1.21);
    assertThat(said.getViolations()).isEqualTo(3);
    assertThat(said.getSetting().getHref()).isEqualTo("/thresholds/" + RULE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "gt-usual; 82; above; 41 %",
        "lt-usual; 8; below; 4 %",
        "outside-usual; 82; above; 41 %",
        "outside-usual; 8; below; 4 %"
      })
  void theExplanationNamesTheUsualRangeAndTheDeviationThatWouldNotHaveFired(
      String operator, double value, String side, String deviation) {
    AlertExplanation said = explain("threshold", 1, usual(operator, value));

    assertThat(said.getText())
        .isEqualTo(
            "esx-07: CPU usage is %s %%, %s what is usual on Fridays from 14 to 15 UTC (12 %% to 41 %%) for critical,"
                    .formatted(Figures.number(value), side)
                + " in 3 of the last 4 samples, since 14:02 UTC. The threshold CPU is high would be silent with a"
                + " minimum deviation of "
                + deviation
                + ".");
    assertThat(said.getFactor()).isNull();
    assertThat(said.getBound()).isEqualTo(12);
    assertThat(said.getUpper()).isEqualTo(41);
    assertThat(said.getOperator()).isEqualTo(operator);
  }

  @Test
  void aValueThatIsBackButHasNotClearedNeedsNoOtherSetting() {
    assertThat(explain("threshold", 1, usual("gt-usual", 40)).getText())
        .contains(
            "CPU usage is 40 %, back within what is usual on Fridays from 14 to 15 UTC (12 % to 41 %) for critical,"
                + " broken in 3 of the last 4 samples, since")
        .endsWith("The threshold CPU is high sets this limit.");
  }

  @Test
  void theClearingLevelIsExplained() {
    Level level =
        new Level(
            Severity.CRITICAL, new Bound.Fixed(80), null, new Bound.Fixed(72), null, null, null);
    Threshold threshold =
        new Threshold(
            RULE,
            "CPU is high",
            "",
            true,
            HOST,
            Scope.ALL,
            new Condition(
                Condition.Type.METRIC, "cpu|usage_average", false, Operator.GT, List.of(level)),
            Trigger.AT_ONCE,
            List.of(),
            null,
            Duration.ofMinutes(1),
            1);
    assertThat(
            explain(id -> threshold, "threshold", 1, Around.NOTHING, cpu(1, "", "gt", 90, 80, 3, 4))
                .getText())
        .endsWith("The threshold CPU is high sets this limit; it stays critical down to 72 %.");
  }

  @Test
  void aValueThatIsBackIsNotExplainedAsBeyondTheLimit() {
    assertThat(explain("threshold", 1, cpu(1, "", "gt", 79.6, 80, 3, 4)).getText())
        .startsWith(
            "esx-07: CPU usage is 79.6 %, back within the limit of 80 % for critical, broken in 3 of the last 4 samples,");
    assertThat(explain("threshold", 1, cpu(1, "", "lt", 95, 80, 3, 4)).getText())
        .startsWith(
            "esx-07: CPU usage is 95 %, back within the limit of 80 % for critical, broken");
  }

  @Test
  void aMomentOfAnotherDayHasItsDate() {
    assertThat(Figures.time(Instant.parse("2026-11-19T23:59:00Z"), TICK))
        .isEqualTo("19 Nov 23:59 UTC");
  }

  @Test
  void theExplanationSaysHowLongThereWasNoSample() {
    assertThat(explain("threshold", 1, cpu(1, "", "no-data", 1200, 900, 1, 1)).getText())
        .startsWith(
            "esx-07: no sample of CPU usage for 20 min, longer than the limit of 15 min for critical.");
  }

  @Test
  void theExplanationNamesTheWorstObjectAndSomeOthers() {
    AlertExplanation said =
        explain(
            "alert-definition", 3, cpu(1, "", "gt", 99, 80, 1, 1), cpu(2, "", "gt", 90, 80, 1, 1));

    assertThat(said.getText())
        .startsWith("prod-a: worst is esx-07, whose CPU usage is 99 %")
        .contains("Also esx-08 (90 %). The alert definition CPU is high raises this.");
  }

  @Test
  void anExplanationHasAtMostNinetyWords() {
    List<Member> many = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      many.add(cpu(1, "a very long name of an instance number " + i, "gt", 99, 80, 3, 4));
    }
    AlertExplanation said = explain("threshold", 1, many.toArray(Member[]::new));

    assertThat(Sentence.words(said.getText())).isLessThanOrEqualTo(90);
    Around much =
        new Around(
            1,
            List.of(
                beside(
                    Around.Relation.SELF,
                    1,
                    "a rule with a name of many words in it ".repeat(2),
                    Severity.WARNING)),
            1,
            List.of(
                change(
                    "property", "notes", "one two three ".repeat(9), "four five six ".repeat(9))));
    assertThat(Sentence.words(explain("threshold", 1, much, many.toArray(Member[]::new)).getText()))
        .isBetween(70, 90);
  }

  @Test
  void anAlertOnTheAbsenceOfASymptomHasNoValue() {
    AlertExplanation said = explain("alert-definition", 1);

    assertThat(said.getText()).isEqualTo("esx-07 meets the condition of CPU is high.");
    assertThat(said.getValue()).isNull();
  }

  @Test
  void theExplanationNamesOtherOpenSymptomsNearby() {
    Around around =
        new Around(
            4,
            List.of(
                beside(Around.Relation.PARENT, 3, "Cluster is full", Severity.CRITICAL),
                beside(Around.Relation.SELF, 1, "Memory is low", Severity.WARNING),
                beside(Around.Relation.CHILD, 2, "Disk is slow", Severity.INFORMATION)),
            0,
            List.of());

    assertThat(explain("threshold", 1, around, cpu(1, "", "gt", 99, 80, 1, 1)).getText())
        .endsWith(
            "since 14:02 UTC. Open near it: Cluster is full on prod-a (critical), Memory is low (warning) and 2 more."
                + " The threshold CPU is high sets this limit.");
  }

  @Test
  void anAnomalyScoreNamesTheMetricsThatCarryItAndWhichChangedFirst() {
    Around around =
        Around.NOTHING.carriedBy(
            List.of(
                new Carrier("cpu|usage_average", TICK.minusSeconds(300)),
                new Carrier("cpu|ready_summation", TICK.minusSeconds(900)),
                new Carrier("disk|usage_average", null),
                new Carrier("net|usage_average", null)));

    assertThat(explain("threshold", 1, around, cpu(1, "", "gt", 99, 80, 1, 1)).getText())
        .contains(
            "since 14:02 UTC. Carried by CPU usage, CPU ready time, Disk traffic and 1 more; CPU ready time changed first, at ");
  }

  @Test
  void theExplanationNamesTheLastChangeBeforeTheStart() {
    Around around =
        new Around(
            0,
            List.of(),
            2,
            List.of(
                change("placement", "ClusterComputeResource", "prod-b", "prod-a"),
                change("property", "config|product|version", "8.0.2", "8.0.3")));

    AlertExplanation said = explain("threshold", 1, around, cpu(1, "", "gt", 99, 80, 1, 1));

    assertThat(said.getText())
        .contains(
            "Changed before: esx-07 moved from prod-b to prod-a at 13:58 UTC and 1 more. The threshold");
    assertThat(said.getMoments())
        .extracting(
            span -> said.getText().substring(span.getStart(), span.getEnd()) + " " + span.getTime())
        .containsExactly("14:02 UTC " + SINCE, "13:58 UTC 2026-11-20T13:58:00Z");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      nullValues = "-",
      value = {
        "new; -; -; esx-07; esx-07 is new at",
        "name; -; esx-7; esx-07; esx-07 was renamed from esx-7 at",
        "recorded; driver; -; NVMe 1.2; esx-07, driver: NVMe 1.2 at",
        "placement; HostSystem; -; esx-2; esx-07 came to esx-2 at",
        "placement; HostSystem; esx-2; -; esx-07 left esx-2 at",
        "tag; env; test; prod; esx-07, env from test to prod at",
        "tag; env; -; prod; esx-07 got env prod at",
        "property; config|hardware|numCpu; 2; -; esx-07 lost vCPUs at",
      })
  void changesReadAsWords(
      String kind,
      @Nullable String key,
      @Nullable String before,
      @Nullable String after,
      String words) {
    Around around = new Around(0, List.of(), 1, List.of(change(kind, key, before, after)));

    assertThat(explain("threshold", 1, around, cpu(1, "", "gt", 99, 80, 1, 1)).getText())
        .contains("Changed before: " + words);
  }

  @Test
  void aRecordedChangeNamesWhoMadeIt() {
    StoredChange change =
        new StoredChange(
            1, SINCE, "recorded", "migration", null, "vMotion from esx-1 to esx-2", "CORP\\ada");

    assertThat(
            explain(
                    "threshold",
                    1,
                    new Around(0, List.of(), 1, List.of(change)),
                    cpu(1, "", "gt", 99, 80, 1, 1))
                .getText())
        .contains(
            "Changed before: esx-07, migration: vMotion from esx-1 to esx-2, by CORP\\ada at");
  }

  private static StoredChange change(
      String kind, @Nullable String key, @Nullable String before, @Nullable String after) {
    return new StoredChange(
        1, Instant.parse("2026-11-20T13:58:00Z"), kind, key, before, after, null);
  }

  private static Around.Beside beside(
      Around.Relation relation, int object, String name, Severity severity) {
    return new Around.Beside(
        relation,
        new StoredMember(
            new UUID(3, object),
            name,
            object,
            "",
            "mem|usage_average",
            "%",
            severity.level(),
            1.0,
            null,
            "gt",
            1.0,
            null,
            SINCE,
            false));
  }

  private static List<String> strong(AlertExplanation said) {
    return said.getStrong().stream()
        .map((TextSpan span) -> said.getText().substring(span.getStart(), span.getEnd()))
        .toList();
  }

  private AlertExplanation explain(String source, int subject, Member... members) {
    return explain(source, subject, Around.NOTHING, members);
  }

  private AlertExplanation explain(String source, int subject, Around around, Member... members) {
    return explain(id -> null, source, subject, around, members);
  }

  private AlertExplanation explain(
      Function<UUID, @Nullable Threshold> thresholds,
      String source,
      int subject,
      Around around,
      Member... members) {
    Explanations explanations =
        new Explanations(new MetricNames((kind, key) -> "%", MetricWords::of));
    Finding finding = Finding.of(Severity.CRITICAL, List.of(members), SINCE);
    Raised by =
        new Raised(
            RULE,
            "CPU is high",
            source,
            HOST,
            Impact.HEALTH,
            List.of(),
            null,
            null,
            "/thresholds/" + RULE);
    AlertState alert =
        new AlertState(
            RULE,
            new AlertKey(RULE, subject),
            AlertStatus.NEW,
            Severity.CRITICAL,
            0,
            SINCE,
            TICK,
            null,
            null,
            false,
            TICK,
            0,
            null,
            List.of(TICK),
            0,
            false,
            null);
    return explanations.of(by, alert, finding, around, thresholds, graph, TICK).explanation();
  }

  private static Member usual(String operator, double value) {
    return cpu(1, "", operator, value, 12, 41, 3, 4);
  }

  private static Member cpu(
      int object,
      String instance,
      String operator,
      double value,
      double bound,
      int violations,
      int of) {
    return cpu(object, instance, operator, value, bound, Double.NaN, violations, of);
  }

  private static Member cpu(
      int object,
      String instance,
      String operator,
      double value,
      double bound,
      double upper,
      int violations,
      int of) {
    return new Member(
        RULE,
        "CPU is high",
        object,
        instance,
        "cpu|usage_average",
        "%",
        Severity.CRITICAL,
        value,
        null,
        operator,
        bound,
        upper,
        SINCE,
        violations,
        of,
        false);
  }
}
