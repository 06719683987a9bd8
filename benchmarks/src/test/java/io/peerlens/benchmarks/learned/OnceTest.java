package io.peerlens.benchmarks.learned;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OnceTest {

  private static double[] hourly(double... signal) {
    return Once.of(LongStream.range(0, signal.length).map(i -> i * 3600).toArray(), signal);
  }

  @Test
  void whatGoesOnIsToldOnce() {
    assertThat(hourly(0, 5, 5, 4, 5, 1)).containsExactly(0, 5, 0, 0, 0, 0);
  }

  @Test
  void whatIsHigherIsToldAtOnce() {
    assertThat(hourly(1, 3, 2, 4, 3)).containsExactly(1, 3, 0, 4, 0);
  }

  @Test
  void aDayLaterItIsToldAgain() {
    double[] signal = new double[50];
    signal[0] = 9;
    signal[24] = 5;
    signal[25] = 5;
    signal[49] = 5;
    double[] told = hourly(signal);
    assertThat(told[24]).isZero();
    assertThat(told[25]).isEqualTo(5);
    assertThat(told[49]).isZero();
  }

  @Test
  void whatWasNotToldHoldsNothingBack() {
    double[] signal = new double[50];
    signal[0] = 9;
    signal[10] = 8;
    signal[26] = 7;
    assertThat(hourly(signal)[26]).isEqualTo(7);
  }
}
