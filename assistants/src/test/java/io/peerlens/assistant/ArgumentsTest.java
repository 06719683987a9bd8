package io.peerlens.assistant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ArgumentsTest {

  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  private static final Tool TOOL =
      new Tool(
          "t",
          "T",
          "d",
          List.of(
              Parameter.texts("metrics", "Keys.", 2),
              Parameter.number("limit", "How many.", 1, 50),
              TimeSpan.FROM,
              TimeSpan.TO),
          arguments -> new Answer());

  @Test
  void aSingleTextIsAListOfOneAndANumberMayBeAText() {
    Arguments arguments = new Arguments(TOOL, Map.of("metrics", "cpu|usage", "limit", "7"));
    assertThat(arguments.texts("metrics")).containsExactly("cpu|usage");
    assertThat(arguments.number("limit", 1)).isEqualTo(7);
  }

  @Test
  void valuesOutOfRangeAreRefused() {
    assertThatThrownBy(() -> new Arguments(TOOL, Map.of("limit", 51)))
        .hasMessage("Argument limit: 51 is out of range.");
    assertThatThrownBy(() -> new Arguments(TOOL, Map.of("metrics", List.of("a", "b", "c"))))
        .hasMessage("Argument metrics: has 3 entries.");
    assertThatThrownBy(() -> new Arguments(TOOL, Map.of("limit", Map.of("$gt", 1))))
        .hasMessage("Argument limit: is no whole number.");
  }

  @Test
  void timesAreMomentsDaysOrHowLongAgo() {
    assertThat(span("6h", null)).isEqualTo(new TimeSpan(NOW.minus(Duration.ofHours(6)), NOW));
    assertThat(span("2026-11-19", "2026-11-20T01:00:00+01:00"))
        .isEqualTo(
            new TimeSpan(
                Instant.parse("2026-11-19T00:00:00Z"), Instant.parse("2026-11-20T00:00:00Z")));
    assertThatThrownBy(() -> span("1h", "2h")).hasMessageContaining("is not before to");
    assertThatThrownBy(() -> span("-999999999-01-01T00:00:00Z", null))
        .hasMessageContaining("is no moment");
  }

  private static TimeSpan span(String from, @Nullable String to) {
    return TimeSpan.of(
        new Arguments(TOOL, to == null ? Map.of("from", from) : Map.of("from", from, "to", to)),
        Duration.ofHours(1),
        NOW);
  }

  @Test
  void theNearestKeyOfAMetricComesFirst() {
    List<String> known =
        List.of("mem|usage_average", "cpu|usage_average", "cpu|ready_summation", "net|received");
    assertThat(NearKeys.of("cpu|usage_averge", known)).first().isEqualTo("cpu|usage_average");
    assertThat(NearKeys.of("CPU Ready", known)).first().isEqualTo("cpu|ready_summation");
    assertThat(NearKeys.of("zzzzzzzz", known)).isEmpty();
  }

  @Test
  void contentionWeighsByHowManyTimesItIsWhatItWas() {
    double same = DiagnosisTools.weight("cpu|ready", "ms", figures(30), figures(30));
    double twice = DiagnosisTools.weight("cpu|ready", "ms", figures(60), figures(30));
    double much = DiagnosisTools.weight("cpu|ready", "ms", figures(900), figures(30));
    assertThat(same).isLessThan(twice);
    assertThat(twice).isLessThan(much);
    assertThat(much).isLessThanOrEqualTo(0.75);
    assertThat(DiagnosisTools.weight("cpu|usage_average", "%", figures(50), figures(10))).isZero();
    assertThat(DiagnosisTools.weight("cpu|usage_average", "%", figures(97), figures(97)))
        .isPositive();
  }

  private static Figures.Summary figures(double value) {
    return Figures.Summary.of(List.of(value), null, null);
  }
}
