package io.peerlens.run.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ScatterTest {

  @Test
  void threeRepeatsHaveAWideInterval() {
    Scatter scatter = Scatter.of(List.of(98.0, 100.0, 102.0));

    assertThat(scatter.percent()).isCloseTo(2, within(1e-9));
    // s = 2, chi-squared of 2 degrees: 2 sqrt(2 / 7.378) to 2 sqrt(2 / 0.0506), nearly.
    assertThat(scatter.interval().low()).isCloseTo(1.04, within(0.01));
    assertThat(scatter.interval().high()).isCloseTo(12.6, within(0.1));
    // (2.776 + 0.941) x 2 % x sqrt(2 / 3)
    assertThat(scatter.leastDifference()).isCloseTo(6.07, within(0.01));
    assertThat(scatter.sentence())
        .isEqualTo(
            "Scatter of 3 repeats: 2 % (1 to 12.6). Two such sets show a difference from 6.1 % on.");
  }

  @Test
  void oneRunHasNone() {
    assertThat(Scatter.of(List.of(100.0))).isNull();
    assertThat(Scatter.of(List.of(100.0, Double.NaN))).isNull();
    assertThat(Scatter.of(List.of())).isNull();
    assertThat(Scatter.of(List.of(0.0, 0.0))).isNull();
    assertThat(Scatter.of(List.of(-1.0, 1.0))).isNull();
  }

  @Test
  void hugeScatterHasNoUpperEnd() {
    Scatter scatter = Scatter.of(List.of(1.0, 1.0, 1000.0));

    assertThat(scatter.interval()).isNull();
    assertThat(scatter.sentence())
        .startsWith("Scatter of 3 repeats: 173 %.")
        .endsWith("look for what else differs.");
  }

  @Test
  void equalRepeatsScatterByNothing() {
    Scatter scatter = Scatter.of(List.of(5.0, 5.0));

    assertThat(scatter.percent()).isZero();
    assertThat(scatter.interval()).isEqualTo(new Interval(0, 0));
    assertThat(scatter.leastDifference()).isZero();
  }

  @Test
  void intervalsHoldTheTruthAsOftenAsTheySay() {
    Random random = new Random(1);
    int held = 0;
    for (int i = 0; i < 2000; i++) {
      List<Double> values = new ArrayList<>();
      for (int j = 0; j < 5; j++) {
        values.add(100 + 5 * random.nextGaussian());
      }
      held += Scatter.of(values).interval().contains(5) ? 1 : 0;
    }

    assertThat(held / 2000.0).isBetween(0.935, 0.965);
  }

  @Test
  void theLeastDifferenceIsShownInFourOfFiveCases() {
    Random random = new Random(2);
    // With the true scatter of 1 %: five repeats each.
    double difference = (2.306 + 0.889) * Math.sqrt(2.0 / 5);
    int shown = 0;
    for (int i = 0; i < 4000; i++) {
      double[] mean = new double[2];
      double squares = 0;
      for (int set = 0; set < 2; set++) {
        double[] v = new double[5];
        for (int j = 0; j < 5; j++) {
          v[j] = 100 + set * difference + random.nextGaussian();
          mean[set] += v[j] / 5;
        }
        for (double one : v) {
          squares += (one - mean[set]) * (one - mean[set]);
        }
      }
      double error = Math.sqrt(squares / 8 * 2 / 5);
      shown += Math.abs(mean[1] - mean[0]) > 2.306 * error ? 1 : 0;
    }

    assertThat(shown / 4000.0).isBetween(0.76, 0.86);
  }
}
