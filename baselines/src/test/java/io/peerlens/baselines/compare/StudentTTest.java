package io.peerlens.baselines.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class StudentTTest {

  /** From any printed table of the distribution. */
  @Test
  void hasTheTabulatedQuantiles() {
    assertThat(StudentT.quantile(0.05, 1)).isCloseTo(12.7062, within(1e-4));
    assertThat(StudentT.quantile(0.05, 2)).isCloseTo(4.3027, within(1e-4));
    assertThat(StudentT.quantile(0.05, 10)).isCloseTo(2.2281, within(1e-4));
    assertThat(StudentT.quantile(0.01, 30)).isCloseTo(2.7500, within(1e-4));
    assertThat(StudentT.quantile(0.05, 1e6)).isCloseTo(1.95996, within(1e-4));
  }

  @Test
  void isOneAtZeroAndNothingAtInfinity() {
    assertThat(StudentT.twoSided(0, 5)).isEqualTo(1);
    assertThat(StudentT.twoSided(Double.POSITIVE_INFINITY, 5)).isEqualTo(0);
    assertThat(StudentT.twoSided(-2.2281, 10)).isCloseTo(0.05, within(1e-4));
    assertThat(StudentT.twoSided(1, 1)).isCloseTo(0.5, within(1e-10));
  }
}
