package io.peerlens.benchmarks.learned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.benchmarks.learned.Bootstrap.Interval;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BootstrapTest {

  private static double mean(double[] values, int[] times) {
    double sum = 0;
    for (int i = 0; i < times.length; i++) {
      sum += times[i] * values[i];
    }
    return sum / Arrays.stream(times).sum();
  }

  @Test
  void eachSetKeepsItsNumberOfClusters() {
    Bootstrap bootstrap = new Bootstrap(List.of("a", "b", "a", "b", "b"));
    assertThat(bootstrap.samples(times -> times[0] + times[2])).containsOnly(2);
    assertThat(bootstrap.samples(times -> times[1] + times[3] + times[4])).containsOnly(3);
    assertThat(bootstrap.samples(times -> times[0])).contains(0, 1, 2);
  }

  @Test
  void theIntervalOfAMeanIsThatOfTheNormalDistribution() {
    Random random = new Random(1);
    double[] values = random.doubles(400, 0, 1).toArray();
    Bootstrap bootstrap = new Bootstrap(Collections.nCopies(400, "set"));
    Interval interval = Bootstrap.interval(bootstrap.samples(times -> mean(values, times)));
    double half = 1.96 * Math.sqrt(1 / 12.0 / 400);
    double mean = Arrays.stream(values).average().orElseThrow();
    assertThat(interval.low()).isCloseTo(mean - half, within(0.005));
    assertThat(interval.high()).isCloseTo(mean + half, within(0.005));
  }

  @Test
  void aDifferenceIsOfPairs() {
    double[] values = new Random(2).doubles(30, 0, 100).toArray();
    double[] more = Arrays.stream(values).map(v -> v + 1).toArray();
    Bootstrap bootstrap = new Bootstrap(Collections.nCopies(30, "set"));
    Interval interval =
        Bootstrap.difference(
            bootstrap.samples(times -> mean(more, times)),
            bootstrap.samples(times -> mean(values, times)));
    assertThat(interval.low()).isCloseTo(1, within(1e-9));
    assertThat(interval.high()).isCloseTo(1, within(1e-9));
  }

  @Test
  void samplesAreTheSameInEveryRun() {
    List<String> sets = IntStream.range(0, 9).mapToObj(i -> "set").toList();
    assertThat(new Bootstrap(sets).samples(times -> times[4]))
        .isEqualTo(new Bootstrap(sets).samples(times -> times[4]));
  }
}
