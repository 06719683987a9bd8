package io.peerlens.run.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.run.Run;
import io.peerlens.run.reading.Curve.Latency;
import io.peerlens.run.reading.Curve.Load;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CurveTest {

  /** Outstanding, IOPS, p95. */
  private static final double[][] USUAL = {
    {8, 52_200, 0.42},
    {16, 98_310, 0.52},
    {32, 151_020, 0.78},
    {48, 178_260, 1.02},
    {64, 192_140, 1.28},
    {96, 207_450, 1.86},
    {128, 211_300, 2.74},
  };

  private static Curve curve(double[]... points) {
    List<Run> runs = new ArrayList<>();
    for (double[] point : points) {
      runs.add(
          Made.reads((int) point[0])
              .figure("iops", point[1])
              .figure("latency_p95", point[2])
              .make());
    }
    return Curve.of(Sweeps.find(runs).sweeps().getFirst(), Load.IOPS, Latency.P95);
  }

  @Test
  void theReadingIsBetweenTheTwoMeasuredPoints() {
    Reading reading = Reading.of(curve(USUAL), 1.5, 6);

    assertThat(reading).isInstanceOf(Reading.Reached.class);
    Reading.Reached at = (Reading.Reached) reading;
    assertThat(at.interpolated()).isTrue();
    assertThat(at.below().latency().mean()).isEqualTo(1.28);
    assertThat(at.above().latency().mean()).isEqualTo(1.86);
    // Straight would be 197,950; the curve bends to the right of the line.
    assertThat(at.load()).isBetween(198_000.0, 202_500.0);
    assertThat(at.perNode()).isEqualTo(at.load() / 6);
    assertThat(reading.sentence())
        .isEqualTo(
            "200,000 IOPS at 1.5 ms (p95) or less, 33,300 per node; between measured 1.28 and 1.86 ms.");
  }

  @Test
  void aLimitAtAMeasuredPointIsMeasured() {
    Reading.Reached at = (Reading.Reached) Reading.of(curve(USUAL), 1.28, 0);

    assertThat(at.interpolated()).isFalse();
    assertThat(at.load()).isEqualTo(192_140);
    assertThat(at.sentence())
        .isEqualTo("192,140 IOPS at 1.28 ms (p95) or less; measured at 1.28 ms.");
  }

  @Test
  void beyondTheLastPointNothingIsRead() {
    Reading reading = Reading.of(curve(USUAL), 5, 6);

    assertThat(reading).isInstanceOf(Reading.AtLeast.class);
    assertThat(reading.sentence())
        .isEqualTo(
            "At least 211,300 IOPS at 5 ms (p95) or less, 35,200 per node; the highest latency measured is 2.74 ms.");
  }

  @Test
  void belowTheFirstPointTheLowestLatencyIsTold() {
    Reading reading = Reading.of(curve(USUAL), 0.3, 6);

    assertThat(reading.load()).isNull();
    assertThat(reading.sentence())
        .isEqualTo(
            "0.3 ms (p95) is not reached: the lowest latency measured is 0.42 ms, at 52,200 IOPS.");
  }

  @Test
  void aCurveThatFoldsBackIsReadAtItsBest() {
    Curve curve =
        curve(
            new double[][] {
              {8, 50, 0.5}, {16, 90, 0.8}, {32, 120, 1.2}, {64, 110, 2}, {128, 80, 6}
            });

    assertThat(curve.foldsBack()).isTrue();
    Reading.Reached at = (Reading.Reached) Reading.of(curve, 3, 0);
    assertThat(at.load()).isEqualTo(120);
    assertThat(at.interpolated()).isFalse();
    assertThat(at.sentence())
        .isEqualTo(
            "120 IOPS at 3 ms (p95) or less; measured at 1.2 ms. It falls as outstanding IO rises further.");
    Reading atLeast = Reading.of(curve, 10, 0);
    assertThat(atLeast.load()).isEqualTo(120);
    assertThat(atLeast.sentence())
        .isEqualTo(
            "At least 120 IOPS at 10 ms (p95) or less; the highest latency measured is 6 ms. It falls as outstanding IO rises further.");
    assertThat(Reading.of(curve, 1, 0).load()).isBetween(90.0, 120.0);
  }

  @Test
  void aCurveThatComesBackIsReadAtItsFirstCrossing() {
    Reading.Reached at =
        (Reading.Reached)
            Reading.of(
                curve(new double[][] {{8, 100, 1.2}, {16, 140, 1.6}, {32, 150, 1.4}, {64, 160, 2}}),
                1.5,
                0);

    assertThat(at.load()).isBetween(100.0, 140.0);
    assertThat(at.remarks()).hasSize(1).first().asString().contains("comes back");
  }

  @Test
  void aFirstPointThatIsSlowDoesNotHideTheRest() {
    Reading.Reached at =
        (Reading.Reached)
            Reading.of(
                curve(new double[][] {{1, 10, 3}, {2, 20, 0.5}, {4, 40, 1}, {8, 60, 2}}), 1.5, 0);

    assertThat(at.load()).isBetween(40.0, 60.0);
  }

  @Test
  void interpolationNeverLeavesItsPointsAndRisesWithTheLimit() {
    Random random = new Random(1);
    for (int i = 0; i < 2000; i++) {
      int n = 2 + random.nextInt(8);
      double[][] points = new double[n][];
      double load = 0;
      double latency = 0;
      for (int p = 0; p < n; p++) {
        load += Math.exp(8 * random.nextGaussian());
        latency += Math.exp(4 * random.nextGaussian());
        points[p] = new double[] {p + 1, load, latency};
      }
      Curve curve = curve(points);
      double before = 0;
      double from = points[0][2];
      double to = points[n - 1][2];
      for (int step = 0; step < 50; step++) {
        double limit = from + (to - from) * step / 50;
        Double read = Reading.of(curve, limit, 0).load();
        assertThat(read).isFinite().isGreaterThanOrEqualTo(before * (1 - 1e-9));
        before = read;
      }
      assertThat(before).isLessThanOrEqualTo(load);
    }
  }

  @Test
  void slopesAreWeightedHarmonicMeansOfTheSecants() {
    double[] x = {0, 1, 2, 4};
    double[] y = {0, 1, 4, 5};

    // At 1: 6 / (3 / 1 + 3 / 3) = 1.5; at 2: 9 / (5 / 3 + 4 / 0.5) = 27 / 29.
    assertThat(Monotone.at(x, y, 1.5)).isCloseTo(2.5 + (1.5 - 27.0 / 29) / 8, within(1e-9));
    assertThat(Monotone.at(x, y, 1)).isEqualTo(1);
    assertThat(Monotone.at(x, y, 4)).isEqualTo(5);
    // A straight line stays one.
    assertThat(Monotone.at(new double[] {0, 1, 3}, new double[] {0, 2, 6}, 2))
        .isCloseTo(4, within(1e-9));
  }

  @Test
  void repeatsAreABarAndNotSteadyIsHollow() {
    double[] falling = Made.noise(1, 600, 1000, 5, 0);
    for (int i = 0; i < falling.length; i++) {
      falling[i] *= 1 - i / 1200.0;
    }
    List<Run> runs =
        List.of(
            Made.reads(8).figure("iops", 990).figure("latency", 1).make(),
            Made.reads(8).figure("iops", 1010).figure("latency", 1.2).make(),
            Made.reads(16).figure("iops", 750).figure("latency", 2).series("iops", falling).make(),
            Made.reads(32).figure("iops", 700).make());

    Curve curve = Curve.of(Sweeps.find(runs).sweeps().getFirst(), Load.IOPS, Latency.MEAN);

    assertThat(curve.points()).hasSize(2);
    Curve.Point first = curve.points().getFirst();
    assertThat(first.load()).isEqualTo(new Curve.Bar(1000, new Interval(990, 1010)));
    assertThat(first.repeats()).isEqualTo(2);
    assertThat(first.steady()).isEqualTo(SteadyState.Judgement.NOT_KNOWN);
    assertThat(curve.points().getLast().steady()).isEqualTo(SteadyState.Judgement.NOT_STEADY);
    assertThat(curve.remarks())
        .containsExactly("1 of 4 runs left out: without IOPS or mean latency.");
    assertThat(Reading.of(curve, 1.5, 0).sentence())
        .endsWith("It falls as outstanding IO rises further.");
    assertThat(curve.sentence())
        .isEqualTo(
            "IOPS and mean latency of 3 runs that differ in outstanding IO only: 4K, all reads, random.");
  }

  @Test
  void aWarmUpDoesNotCount() {
    double[] iops = Made.noise(1, 600, 1000, 5, 0);
    double[] latency = Made.noise(2, 600, 1, 0.005, 0);
    Arrays.fill(iops, 0, 60, 10);
    Arrays.fill(latency, 0, 60, 50);
    List<Run> runs =
        List.of(
            Made.reads(8)
                .figure("iops", 901)
                .figure("latency", 5.9)
                .series("iops", iops)
                .series("latency", latency)
                .make(),
            Made.reads(16).figure("iops", 1200).figure("latency", 2).make());

    Curve.Point first =
        Curve.of(Sweeps.find(runs).sweeps().getFirst(), Load.IOPS, Latency.MEAN)
            .points()
            .getFirst();

    assertThat(first.load().mean()).isCloseTo(1000, within(2.0));
    assertThat(first.latency().mean()).isCloseTo(1, within(0.01));
  }

  @Test
  void everythingCanBeSeenAgainstABase() {
    Curve curve = curve(USUAL);

    List<Curve.Relative> relative = curve.relativeTo(curve.points().getFirst());

    assertThat(relative.getFirst().load()).isEqualTo(100);
    assertThat(relative.getLast().load()).isCloseTo(404.8, within(0.1));
    assertThat(relative.getLast().latency()).isCloseTo(652.4, within(0.1));
  }

  @Test
  void ofTextsTheBestMeasuredOneIsTaken() {
    List<Run> runs =
        List.of(
            Made.reads(8).with("scheduler", "none").figure("iops", 100).figure("latency", 1).make(),
            Made.reads(8).with("scheduler", "bfq").figure("iops", 80).figure("latency", 2).make());
    Curve curve = Curve.of(Sweeps.find(runs).sweeps().getFirst(), Load.IOPS, Latency.MEAN);

    assertThat(Reading.of(curve, 1.5, 0).sentence())
        .isEqualTo(
            "100 IOPS at 1.5 ms (mean) or less; measured at 1 ms. Values of scheduler have no order.");
  }

  @Test
  void throughputIsReadInItsUnit() {
    List<Run> runs =
        List.of(
            Made.reads(8).figure("throughput", 1 << 30).figure("latency", 1).make(),
            Made.reads(16).figure("throughput", 3L << 29).figure("latency", 2).make());
    Curve curve = Curve.of(Sweeps.find(runs).sweeps().getFirst(), Load.THROUGHPUT, Latency.MEAN);

    assertThat(Reading.of(curve, 1.5, 2).sentence())
        .isEqualTo(
            "1.25 GiB/s at 1.5 ms (mean) or less, 640 MiB/s per node; between measured 1 and 2 ms.");
  }

  @Test
  void aLimitOfNothingIsRefused() {
    Curve curve = curve(USUAL);

    assertThatThrownBy(() -> Reading.of(curve, Double.NaN, 6)).hasMessageContaining("above 0");
    assertThatThrownBy(() -> Reading.of(curve, 0, 6)).hasMessageContaining("above 0");
  }

  @Test
  void aCurveWithoutPointsIsNotKnown() {
    Curve curve =
        Curve.of(
            Sweeps.find(List.of(Made.reads(8).make(), Made.reads(16).make())).sweeps().getFirst(),
            Load.IOPS,
            Latency.P99);

    assertThat(Reading.of(curve, 1, 0).sentence())
        .isEqualTo("What is carried at 1 ms (p99) is not known: no run says both.");
  }
}
