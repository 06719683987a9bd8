package io.peerlens.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.run.Run.Direction;
import java.util.List;
import org.junit.jupiter.api.Test;

class LatenciesTest {

  private static Latencies of(double[] bounds, double... counts) {
    return new Latencies(Direction.READ, bounds, counts);
  }

  @Test
  void sameBoundsAddExactly() {
    double[] bounds = {1, 2, Double.POSITIVE_INFINITY};
    Latencies sum =
        Latencies.sum(Direction.BOTH, List.of(of(bounds, 1, 2, 3), of(bounds, 10, 20, 30)));
    assertThat(sum.direction()).isEqualTo(Direction.BOTH);
    assertThat(sum.bounds()).containsExactly(bounds);
    assertThat(sum.counts()).containsExactly(11, 22, 33);
  }

  @Test
  void aWideBucketIsDividedByTheBoundsOfOthers() {
    Latencies wide = of(new double[] {10}, 100);
    Latencies narrow = of(new double[] {1, 2, 4}, 0, 10, 0);
    Latencies sum = Latencies.sum(Direction.READ, List.of(wide, narrow));
    assertThat(sum.bounds()).containsExactly(1, 2, 4, 10);
    assertThat(sum.counts()).containsExactly(10, 20, 20, 60);
    // The percentiles of the one are what they were.
    assertThat(Latencies.sum(Direction.READ, List.of(wide, of(new double[] {3}, 0))).percentile(50))
        .isCloseTo(wide.percentile(50), within(1e-12));
  }

  @Test
  void aBucketWithoutAnUpperBoundStaysOne() {
    Latencies open = of(new double[] {1, Double.POSITIVE_INFINITY}, 5, 5);
    Latencies other = of(new double[] {1, 8}, 1, 1);
    Latencies sum = Latencies.sum(Direction.READ, List.of(open, other));
    assertThat(sum.bounds()).containsExactly(1, 8, Double.POSITIVE_INFINITY);
    assertThat(sum.counts()).containsExactly(6, 1, 5);
    assertThat(sum.percentile(99)).isEqualTo(8);
  }

  @Test
  void nothingHasNoPercentile() {
    assertThat(Latencies.sum(Direction.READ, List.of()).percentile(95)).isNaN();
    assertThatThrownBy(() -> of(new double[] {2, 1}, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
