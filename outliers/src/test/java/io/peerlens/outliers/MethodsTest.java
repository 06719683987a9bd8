package io.peerlens.outliers;

import static io.peerlens.outliers.Worlds.end;
import static io.peerlens.outliers.Worlds.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The methods of others, against figures worked out by hand. */
class MethodsTest {

  private static Judgement judge(Method method, double[]... buckets) {
    Settings settings =
        Settings.peers(Worlds.BUCKET, List.of(Settings.Metric.of(Transform.LINEAR, 0)))
            .withMethod(method);
    PeerGroup group = new PeerGroup(settings, ids(buckets[0].length));
    for (int b = 0; b < buckets.length - 1; b++) {
      group.judge(end(b), new double[][] {buckets[b]});
    }
    return group.judge(end(buckets.length - 1), new double[][] {buckets[buckets.length - 1]});
  }

  @Test
  void madCountsDeviationsFromTheMedianOfTheWindow() {
    // All values: 1 2 3 4 100, median 3, distances 0 1 1 2 97, MAD 1.
    Judgement j = judge(new Method.Mad(3, 20, 1), new double[] {1, 2, 3, 4, 100});

    assertThat(j.centre(0)).isEqualTo(3);
    assertThat(j.score(0, 4)).isEqualTo(97);
    assertThat(j.score(0, 0)).isEqualTo(-2);
  }

  @Test
  void madNeedsMoreThanThePartOfValuesBeyond() {
    double[] usual = {1, 2, 3, 4, 5};
    double[] odd = {1, 2, 3, 4, 90};
    // One of four values is 25 %: more than 20, not more than 30.
    Judgement some = judge(new Method.Mad(3, 20, 4), usual, usual, usual, odd);
    Judgement most = judge(new Method.Mad(3, 30, 4), usual, usual, usual, odd);

    assertThat(some.score(0, 4)).isEqualTo(87);
    assertThat(most.score(0, 4)).isEqualTo(2);
  }

  @Test
  void dbscanReachesMembersByChainsOfNeighbours() {
    // The reference is 3, distances to it 2 1 0 1 17: base 1. The chain 3, 4 ... needs 16 for the
    // last.
    Judgement j = judge(new Method.Dbscan(3, 1), new double[] {1, 2, 3, 4, 20});

    assertThat(j.score(0, 4)).isEqualTo(16);
    assertThat(j.score(0, 0)).isEqualTo(-1);
    assertThat(j.score(0, 2)).isZero();
  }

  @Test
  void bucketDbscanGrowsFromTheMiddle() {
    // Span 100, epsilon 0.5 * 1.1 * 100 = 55: the last one is 97 away.
    Judgement j = judge(new Method.BucketDbscan(0.5, 1), new double[] {0, 1, 2, 3, 100});

    assertThat(j.score(0, 4)).isCloseTo(97 / 55.0, within(1e-12));
    assertThat(Math.abs(j.score(0, 0))).isCloseTo(1 / 55.0, within(1e-12));
  }

  @Test
  void bucketDbscanWithoutAMajorityFindsNoOutlier() {
    Judgement j = judge(new Method.BucketDbscan(0.9, 1), new double[] {0, 1, 2, 100, 101, 102});

    assertThat(j.state()).isEqualTo(GroupState.SPLIT);
    assertThat(j.lowerBand(0)).isEqualTo(3);
    assertThat(j.score(0)).isNaN();
  }

  @Test
  void doubleMadMeasuresEachSideByItself() {
    // Median 10; below: distances 0 1 2, MAD 1; above: 0 10 90, MAD 10.
    Judgement j = judge(new Method.DoubleMad(0.5, 1), new double[] {8, 9, 10, 20, 100});

    assertThat(j.score(0, 0)).isCloseTo(-2 / 1.4826, within(1e-12));
    assertThat(j.score(0, 4)).isCloseTo(90 / 14.826, within(1e-12));
  }

  @Test
  void thresholdsAreThoseOfTheMethod() {
    Settings settings = Worlds.settings();

    assertThat(settings.threshold()).isEqualTo(Settings.MEDIUM);
    assertThat(settings.withMethod(new Method.Dbscan(3, 12)).threshold()).isEqualTo(3);
    assertThat(settings.withMethod(new Method.DoubleMad(0.5, 12)).threshold())
        .isCloseTo(2.92, within(0.01));
  }

  @Test
  void settingsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> new Method.Mad(3, 100, 12)).hasMessageContaining("percent");
    assertThatThrownBy(() -> new Method.Dbscan(0, 12)).hasMessageContaining("tolerance");
    assertThatThrownBy(() -> new Method.BucketDbscan(1, 12)).hasMessageContaining("sensitivity");
    assertThatThrownBy(() -> new Method.DoubleMad(0.5, 0)).hasMessageContaining("window");
    assertThatThrownBy(() -> Worlds.settings().withSensitivity(0.5))
        .hasMessageContaining("sensitivity");
    Settings dbscan = Worlds.settings().withMethod(new Method.Dbscan(3, 12));
    assertThatThrownBy(() -> new PeerGroup(dbscan, ids(1001))).hasMessageContaining("at most 1000");
    assertThatThrownBy(() -> Worlds.settings().withOpening(4, 3)).hasMessageContaining("4 of 3");
    assertThatThrownBy(() -> Settings.peers(Worlds.BUCKET, List.of()))
        .hasMessageContaining("1 to 5 metrics");
    assertThatThrownBy(() -> new Settings.Metric(Transform.LOG, 1, 0))
        .hasMessageContaining("unitFloor");
  }

  @Test
  void theMinimumDeviationIsProposedFromTheValues() {
    assertThat(Proposal.minDeviation(true, new double[] {50, 60})).isEqualTo(2);
    assertThat(Proposal.minDeviation(false, new double[] {0, Double.NaN})).isEqualTo(1);
    double[] values = new double[100];
    for (int i = 0; i < 100; i++) {
      values[i] = i * 10;
    }
    assertThat(Proposal.minDeviation(false, values)).isEqualTo(190);
  }

  @Test
  void theLogarithmIsLinearNearZeroAndComesBack() {
    Scale log = new Scale(10);

    assertThat(log.of(0.01)).isCloseTo(0.01, within(1e-4));
    assertThat(log.of(2000) - log.of(1000)).isCloseTo(10 * Math.log(2), within(0.1));
    for (double x : new double[] {-500, -1, 0, 3, 1e6}) {
      assertThat(log.back(log.of(x))).isCloseTo(x, within(1e-9 * Math.max(1, Math.abs(x))));
    }
    assertThat(log.of(Double.NaN)).isNaN();
  }

  @Test
  void theMedianDistanceIsThatOfTheSortedDistances() {
    java.util.Random random = new java.util.Random(5);
    for (int n = 1; n < 40; n++) {
      double[] a = random.doubles(n, -10, 10).sorted().toArray();
      double c = random.nextDouble() * 24 - 12;
      double[] d = java.util.Arrays.stream(a).map(v -> Math.abs(v - c)).sorted().toArray();

      assertThat(Robust.medianDistanceOfSorted(a, n, c))
          .isCloseTo(Robust.medianOfSorted(d, n), within(1e-12));
    }
  }
}
