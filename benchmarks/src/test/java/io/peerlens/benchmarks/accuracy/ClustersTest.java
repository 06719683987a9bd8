package io.peerlens.benchmarks.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.benchmarks.accuracy.Clusters.Interval;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClustersTest {

  private static final List<String> TEN_GROUPS =
      IntStream.range(0, 100).mapToObj(p -> "g" + p % 10).toList();

  private static Clusters clusters(List<String> groupOf, String salt) {
    return new Clusters(groupOf, Set.copyOf(groupOf), salt);
  }

  /** The mean of values of the places. */
  private static double mean(double[] values, int[] times) {
    double sum = 0;
    int n = 0;
    for (int p = 0; p < times.length; p++) {
      sum += times[p] * values[p];
      n += times[p];
    }
    return sum / n;
  }

  private static double width(double[] values) {
    Interval interval =
        Clusters.interval(clusters(TEN_GROUPS, "salt").samples(times -> mean(values, times)));
    return interval.high() - interval.low();
  }

  @Test
  void aConstantHasNoWidth() {
    double[] samples = clusters(TEN_GROUPS, "salt").samples(times -> 0.25);
    assertThat(Clusters.interval(samples)).isEqualTo(new Interval(0.25, 0.25));
    assertThat(Clusters.interval(samples).text(false)).isEqualTo("0.25 to 0.25");
    assertThat(Clusters.interval(samples).text(true)).isEqualTo("+0.25 to +0.25");
  }

  @Test
  void whatIsAlikeInAGroupWidensTheInterval() {
    double[] alike = new double[100];
    Arrays.setAll(alike, p -> p % 10 < 5 ? 1 : 0);
    double[] apart = new double[100];
    Arrays.setAll(apart, p -> p / 10 < 5 ? 1 : 0);
    // Of ten coins 0.6, of a hundred 0.2.
    assertThat(width(alike)).isBetween(0.5, 0.7);
    assertThat(width(apart)).isBetween(0.12, 0.3);
  }

  @Test
  void samplesAreTheSameForAllWhoAsk() {
    double[] values = new double[100];
    Arrays.setAll(values, p -> p * p % 7);
    double[] one = clusters(TEN_GROUPS, "salt").samples(times -> mean(values, times));
    double[] two = clusters(TEN_GROUPS, "salt").samples(times -> mean(values, times) - 2);
    Interval lead = Clusters.interval(Clusters.difference(one, two));
    assertThat(lead.low()).isBetween(2 - 1e-9, 2 + 1e-9);
    assertThat(lead.high()).isBetween(2 - 1e-9, 2 + 1e-9);
  }

  @Test
  void setsThatAreCutFromTheSameGroupsDrawTheSameGroups() {
    double[] alike = new double[100];
    Arrays.setAll(alike, p -> p % 10);
    double[] one = clusters(TEN_GROUPS, "one set").samples(times -> mean(alike, times));
    double[] two = clusters(TEN_GROUPS, "another set").samples(times -> mean(alike, times));
    assertThat(one).isEqualTo(two);
  }

  @Test
  void aGroupWithoutPlacesGivesNone() {
    Clusters clusters = new Clusters(List.of("a", "a"), Set.of("a", "b"), "salt");
    double[] places = clusters.samples(times -> times[0] + times[1]);
    assertThat(Arrays.stream(places).distinct().sorted().toArray()).containsExactly(0, 2, 4);
  }

  @Test
  void samplesWithoutAValueDoNotCount() {
    assertThat(Clusters.interval(new double[] {Double.NaN, 1, 1})).isEqualTo(new Interval(1, 1));
    assertThat(Clusters.interval(new double[] {Double.NaN}))
        .isEqualTo(new Interval(Double.NaN, Double.NaN));
  }
}
