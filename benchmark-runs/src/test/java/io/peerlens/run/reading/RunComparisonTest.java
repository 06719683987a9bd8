package io.peerlens.run.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.baselines.compare.PeriodVerdict;
import io.peerlens.run.Run;
import io.peerlens.run.Run.Series;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RunComparisonTest {

  private static Made made(long seed, double iops, double latency, String firmware) {
    return Made.reads(64)
        .with("firmware", firmware)
        .figure("iops", iops)
        .figure("latency_p99", 2 * latency)
        .series("iops", Made.noise(seed, 1800, iops, iops / 60, 0.3))
        .series("latency", Made.noise(seed + 500, 1800, latency, latency / 60, 0.3));
  }

  @Test
  void theVerdictComesFirstWithIntervalAndCertainty() {
    Scatter scatter = Scatter.of(List.of(190_000.0, 192_000.0, 194_000.0));

    RunComparison comparison =
        RunComparison.of(
            made(1, 192_140, 1.28, "1.3.0").make(), made(2, 171_020, 1.5, "1.2.4").make(), scatter);

    assertThat(comparison.judgement()).isEqualTo(PeriodVerdict.BETTER);
    assertThat(comparison.certainty()).isEqualTo("certain");
    assertThat(comparison.metrics().getFirst().percent()).isCloseTo(12.35, within(0.5));
    assertThat(comparison.metrics().getFirst().interval().contains(12.35)).isTrue();
    assertThat(comparison.scatterTimes()).isCloseTo(11.9, within(0.6));
    assertThat(comparison.withinScatter()).isFalse();
    assertThat(comparison.differences())
        .containsExactly(new RunComparison.Difference("firmware", "1.3.0", "1.2.4"));
    assertThat(comparison.totals()).extracting(RunComparison.Total::name).contains("latency_p99");
    assertThat(comparison.warnings()).isEmpty();
    assertThat(comparison.sentence())
        .matches(
            "A is better: 12\\.\\d % more IOPS than B \\(12\\.\\d to 12\\.\\d\\), mean latency 1\\.2\\d against 1\\.\\d+ ms\\. "
                + "Certain; 1[12](\\.\\d)? times the scatter of repeats\\. They differ in firmware: 1\\.3\\.0 against 1\\.2\\.4\\.");
  }

  @Test
  void theOtherWayRoundItIsWorse() {
    RunComparison comparison =
        RunComparison.of(
            made(1, 171_020, 1.5, "1").make(), made(2, 192_140, 1.28, "1").make(), null);

    assertThat(comparison.judgement()).isEqualTo(PeriodVerdict.WORSE);
    assertThat(comparison.sentence())
        .startsWith("A is worse: 11 % fewer IOPS than B (10.")
        .endsWith("Certain. Their parameters are the same.");
    assertThat(comparison.withinScatter()).isNull();
  }

  @Test
  void repeatsThatDifferAsMuchCastDoubt() {
    Scatter wide = Scatter.of(List.of(170_000.0, 190_000.0, 210_000.0));

    RunComparison comparison =
        RunComparison.of(
            made(1, 192_140, 1.28, "1").make(), made(2, 181_020, 1.36, "1").make(), wide);

    assertThat(comparison.withinScatter()).isTrue();
    assertThat(comparison.sentence())
        .contains("of these two runs, but repeats differ as much by themselves");
    assertThat(comparison.warnings()).singleElement().asString().contains("Repeat both runs.");
  }

  @Test
  void runsOfTheSameAreSeldomDifferent() {
    int different = 0;
    for (int seed = 0; seed < 60; seed++) {
      different +=
          RunComparison.of(
                          made(seed, 1000, 1, "1").make(),
                          made(seed + 1000, 1000, 1, "1").make(),
                          null)
                      .judgement()
                  == PeriodVerdict.SAME
              ? 0
              : 1;
    }

    assertThat(different).isLessThanOrEqualTo(3);
  }

  @Test
  void warmUpsDoNotCount() {
    double[] slow = Made.noise(1, 600, 1000, 5, 0);
    Arrays.fill(slow, 0, 200, 100);
    double[] fast = Made.noise(2, 600, 1000, 5, 0);

    RunComparison comparison =
        RunComparison.of(
            Made.reads(8).series("iops", slow).make(),
            Made.reads(8).series("iops", fast).make(),
            null);

    assertThat(comparison.judgement()).isEqualTo(PeriodVerdict.SAME);
    assertThat(comparison.sentence()).startsWith("No difference shown: ");
  }

  @Test
  void intervalsOfOtherLengthAreBroughtTogether() {
    double[] seconds = new double[360];
    double[] values = Made.noise(3, 360, 1100, 4, 0);
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = 5 * (i + 1);
    }
    Run wide =
        new Run(
            "fio",
            "",
            "wide",
            null,
            Duration.ZERO,
            new TreeMap<>(),
            List.of(new Series("iops", "", "IO/s", seconds, values)),
            List.of(),
            List.of(),
            List.of());
    Run narrow = Made.run("narrow").series("iops", Made.noise(4, 1800, 1000, 10, 0)).make();

    RunComparison comparison = RunComparison.of(wide, narrow, null);

    assertThat(comparison.judgement()).isEqualTo(PeriodVerdict.BETTER);
    assertThat(comparison.metrics().getFirst().percent()).isCloseTo(10, within(0.3));
    assertThat(comparison.metrics().getFirst().tail()).isEqualTo(PeriodVerdict.BETTER);
    assertThat(Intervals.period(narrow.series().getFirst(), 0, 5, 1.01).values()).hasSize(360);
  }

  @Test
  void runsThatAreNotSteadyAreNamed() {
    double[] falling = Made.noise(5, 600, 1000, 5, 0);
    for (int i = 0; i < falling.length; i++) {
      falling[i] *= 1 - i / 1200.0;
    }

    RunComparison comparison =
        RunComparison.of(
            Made.reads(8).series("iops", falling).make(),
            Made.reads(8).series("iops", Made.noise(6, 600, 1000, 5, 0)).make(),
            null);

    assertThat(comparison.warnings())
        .singleElement()
        .asString()
        .startsWith("A: Not steady: IOPS fall by ");
  }

  @Test
  void withoutSeriesItCannotTell() {
    RunComparison comparison =
        RunComparison.of(
            Made.reads(8).figure("iops", 1100).make(),
            Made.reads(16).figure("iops", 1000).make(),
            null);

    assertThat(comparison.judgement()).isEqualTo(PeriodVerdict.NOT_ENOUGH_DATA);
    assertThat(comparison.certainty()).isNull();
    assertThat(comparison.sentence())
        .isEqualTo(
            "Cannot tell: the runs have no series of intervals in common; in all IOPS 1100 against 1000. They differ in outstanding IO: 8 against 16.");
  }

  @Test
  void nothingIsNoNumber() {
    RunComparison comparison =
        RunComparison.of(
            Made.reads(8).series("iops", new double[300]).figure("iops", 0).make(),
            Made.reads(8).series("iops", new double[300]).figure("iops", 0).make(),
            null);

    assertThat(comparison.metrics().getFirst().percent()).isNull();
    assertThat(comparison.totals().getFirst().percent()).isNull();
    assertThat(comparison.sentence()).doesNotContain("NaN").doesNotContain("Infinity");
  }
}
