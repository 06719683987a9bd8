package io.peerlens.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NeedTest {

  private static final int RUNS = 100;

  /** Working days of ten hours, each by another factor, with noise from value to value. */
  private static double[] days(Random random, int days, double spread) {
    double[] column = new double[days * Traces.DAY];
    double factor = 1;
    for (int i = 0; i < column.length; i++) {
      if (i % Traces.DAY == 0) {
        factor = Math.exp(spread * random.nextGaussian());
      }
      boolean work = i / Traces.DAY % 7 < 5 && i % Traces.DAY >= 96 && i % Traces.DAY < 216;
      column[i] = factor * (work ? 1000 : 200) * Math.exp(0.3 * random.nextGaussian());
    }
    return column;
  }

  private static Need need(double[] column, double price, long seed) {
    Grid grid = Traces.grid(column.length / Traces.DAY);
    return Objects.requireNonNull(Need.of(grid, column, price, seed));
  }

  @ParameterizedTest
  @CsvSource({"0.1, 0.3", "0.3, 0.3", "0.6, 0.3", "0.3, 1"})
  void theIntervalHoldsTheRealNeed(double spread, double price) {
    Random random = new Random(7);
    double truth = need(days(random, 1000, spread), price, 1).need();
    int held = 0;
    for (int run = 0; run < RUNS; run++) {
      Need it = need(days(random, 28, spread), price, run);
      held += it.least() <= truth && truth <= it.most() ? 1 : 0;
    }
    assertThat(held).isGreaterThanOrEqualTo(85);
  }

  @Test
  void daysThatAreAlikeHaveANarrowInterval() {
    double[] column = days(new Random(3), 28, 0);
    Need it = need(column, 0.3, 1);
    assertThat(it.most() / it.least()).isLessThan(1.35);
  }

  @Test
  void theCheapestSizeIsWhereAStepMoreCostsMoreThanItSpares() {
    // 990 times 1, 8 times 2, twice 4. At 1, 1 % are over; at 2, 0.2 %; at 4 nothing is.
    double[] sorted = new double[1000];
    java.util.Arrays.fill(sorted, 0, 990, 1);
    java.util.Arrays.fill(sorted, 990, 998, 2);
    java.util.Arrays.fill(sorted, 998, 1000, 4);
    // Unused: 0 at 1, 49.5 % at 2, 74.7 % at 4.
    assertThat(Need.cheapest(sorted, 50)).isEqualTo(1);
    assertThat(Need.cheapest(sorted, 80)).isEqualTo(2);
    assertThat(Need.cheapest(sorted, 200)).isEqualTo(4);
    assertThat(Need.cheapest(new double[] {0, 0, 0}, 10)).isZero();
  }

  @Test
  void noSizeBelowP95IsLookedAt() {
    double[] sorted = new double[100];
    java.util.Arrays.fill(sorted, 0, 90, 1);
    java.util.Arrays.fill(sorted, 90, 100, 50);
    assertThat(Need.cheapest(sorted, 0.001)).isEqualTo(50);
  }

  @Test
  void growthIsThatOfTheDays() {
    double[] column = new double[28 * Traces.DAY];
    for (int i = 0; i < column.length; i++) {
      column[i] = 100 + 2.0 * (i / Traces.DAY);
    }
    assertThat(need(column, 0.3, 1).perDay()).isCloseTo(2, within(1e-9));
    double[] falling = new double[column.length];
    for (int i = 0; i < column.length; i++) {
      falling[i] = 200 - column[i];
    }
    assertThat(need(falling, 0.3, 1).perDay()).isZero();
  }
}
