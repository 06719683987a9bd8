package io.peerlens.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.AlertExplanation;
import io.peerlens.api.model.TextSpan;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.threshold.Severity;
import io.peerlens.threshold.Threshold.Impact;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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
  void saysWhatAgainstWhatHowFarHowOftenAndSinceWhen() {
    AlertExplanation said = explain("threshold", 1, cpu(1, "", "gt", 97.126, 80, 3, 4));

    assertThat(said.getText())
        .isEqualTo(
            "esx-07: cpu usage average is 97.13 %, above the limit of 80 % for critical (1.21 × the limit),"
                + " in 3 of the last 4 samples, since 14:02 UTC. The threshold CPU is high sets this limit.");
    assertThat(strong(said)).containsExactly("esx-07", "97.13 %", "1.21 ×");
    assertThat(said.getFactor()).isEqualTo(1.21);
    assertThat(said.getViolations()).isEqualTo(3);
    assertThat(said.getSetting().getHref()).isEqualTo("/thresholds/" + RULE);
  }

  @Test
  void aMomentOfAnotherDayHasItsDate() {
    assertThat(Figures.time(Instant.parse("2026-11-19T23:59:00Z"), TICK))
        .isEqualTo("19 Nov 23:59 UTC");
  }

  @Test
  void saysHowLongThereWasNoSample() {
    assertThat(explain("threshold", 1, cpu(1, "", "no-data", 1200, 900, 1, 1)).getText())
        .startsWith(
            "esx-07: no sample of cpu usage average for 20 min, longer than the limit of 15 min for critical.");
  }

  @Test
  void namesTheWorstObjectAndSomeOfTheOthers() {
    AlertExplanation said =
        explain(
            "alert-definition", 3, cpu(1, "", "gt", 99, 80, 1, 1), cpu(2, "", "gt", 90, 80, 1, 1));

    assertThat(said.getText())
        .startsWith("prod-a: worst is esx-07, whose cpu usage average is 99 %")
        .contains("Also esx-08 (90 %). The alert definition CPU is high raises this.");
  }

  @Test
  void isNeverLongerThanNinetyWords() {
    List<Member> many = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      many.add(cpu(1, "a very long name of an instance number " + i, "gt", 99, 80, 3, 4));
    }
    AlertExplanation said = explain("threshold", 1, many.toArray(Member[]::new));

    assertThat(Sentence.words(said.getText())).isLessThanOrEqualTo(90);
  }

  @Test
  void whatIsSoBecauseSomethingIsAbsentHasNoValue() {
    AlertExplanation said = explain("alert-definition", 1);

    assertThat(said.getText()).isEqualTo("esx-07 meets the condition of CPU is high.");
    assertThat(said.getValue()).isNull();
  }

  private static List<String> strong(AlertExplanation said) {
    return said.getStrong().stream()
        .map((TextSpan span) -> said.getText().substring(span.getStart(), span.getEnd()))
        .toList();
  }

  private AlertExplanation explain(String source, int subject, Member... members) {
    Explanations explanations =
        new Explanations(
            new Explanations.Names() {
              @Override
              public @Nullable String unit(ObjectKind kind, String key) {
                return "%";
              }

              @Override
              public String name(String key) {
                return MetricNameQueries.words(key);
              }
            });
    Finding finding = Finding.of(Severity.CRITICAL, List.of(members), SINCE);
    Raised by =
        new Raised(
            RULE, "CPU is high", source, HOST, Impact.HEALTH, List.of(), "/thresholds/" + RULE);
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
    return explanations.of(by, alert, finding, id -> null, graph, TICK).explanation();
  }

  private static Member cpu(
      int object,
      String instance,
      String operator,
      double value,
      double bound,
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
        Double.NaN,
        SINCE,
        violations,
        of,
        false);
  }
}
