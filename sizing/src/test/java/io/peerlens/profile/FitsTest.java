package io.peerlens.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.profile.Distribution.At;
import io.peerlens.profile.Fits.Capacity;
import io.peerlens.profile.Fits.Fit;
import io.peerlens.profile.Made.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FitsTest {

  @Test
  void equalVmsHaveNoInterval() {
    double[] demands = new double[50];
    Arrays.fill(demands, 100);
    Fit fit = Fits.fit(demands, Capacity.nPlusOne(20_000, 4).left(), 1);
    assertThat(fit).isEqualTo(new Fit(50, 100, 150, 150, 150));
  }

  @Test
  void theIntervalHoldsWhatReallyFits() {
    // 200 worlds: a fleet that is seen, and other VMs of the same kind that come.
    Random random = new Random(4);
    int held = 0;
    for (int world = 0; world < 200; world++) {
      double[] seen = vms(random, 60);
      Fit fit = Fits.fit(seen, 10_000, world);
      double sum = 0;
      int fits = 0;
      while (true) {
        sum += vms(random, 1)[0];
        if (sum > 10_000) {
          break;
        }
        fits++;
      }
      held += fit.low() <= fits && fits <= fit.high() ? 1 : 0;
    }
    assertThat(held).isBetween(176, 200);
  }

  private static double[] vms(Random random, int count) {
    return random.doubles(count).map(it -> 50 + 100 * it).toArray();
  }

  @Test
  void drawingAndTheLimitTheoremAgree() {
    double[] demands = vms(new Random(9), 500);
    Fit drawn = Fits.fit(demands, 99_000, 1);
    Fit normal = Fits.fit(demands, 990_000, 1);
    double expected = 99_000 / drawn.demand();
    assertThat(drawn.vms()).isEqualTo(Math.floor(expected));
    assertThat(normal.vms()).isEqualTo(Math.floor(10 * expected));
    // Of ten times as many the interval is as wide by what is not known of the mean.
    assertThat((normal.high() - normal.low()) / (10 * (drawn.high() - drawn.low())))
        .isBetween(0.6, 1.0);
  }

  @Test
  void theSameSeedGivesTheSameAnswer() {
    double[] demands = vms(new Random(9), 30);
    assertThat(Fits.fit(demands, 5_000, 3)).isEqualTo(Fits.fit(demands, 5_000, 3));
  }

  @Test
  void vmsCountByMeanAndPercentiles() {
    LoadProfiler profiler = new LoadProfiler(ProfileOptions.of(Made.YEAR));
    List<LoadProfile> profiles =
        List.of(
            profiler.add(
                Made.machine("a"), Made.mixture(Made.YEAR, 1, new Kind(100, 8_192, 0.5, 1)), null),
            profiler.add(
                Made.machine("b"), Made.mixture(Made.YEAR, 2, new Kind(300, 8_192, 0.5, 1)), null));
    Fit mean = fit(profiles, At.MEAN);
    assertThat(mean.vms()).isCloseTo(100, within(2.0));
    assertThat(mean.machines()).isEqualTo(2);
    // Even from half to one and a half: p95 is 1.45 times the mean.
    assertThat(fit(profiles, At.P95).vms()).isCloseTo(100 / 1.45, within(2.0));
    assertThat(Fits.of(new double[] {Double.NaN, 10}, new Capacity(100, 1, 0)).machines())
        .isEqualTo(1);
  }

  private static Fit fit(List<LoadProfile> profiles, At at) {
    return Fits.of(
        profiles.stream().mapToDouble(it -> it.iops().at(at)).toArray(),
        new Capacity(40_000, 4, 2));
  }

  @Test
  void idleVmsGiveNoAnswer() {
    assertThat(Fits.fit(new double[] {0, 0}, 100, 1).vms()).isNaN();
    assertThat(Fits.fit(new double[] {}, 100, 1).vms()).isNaN();
    assertThatThrownBy(() -> new Capacity(0, 4, 1)).hasMessageContaining("what a run measured");
    assertThatThrownBy(() -> new Capacity(100, 1, 1)).hasMessageContaining("fewer failures");
  }
}
