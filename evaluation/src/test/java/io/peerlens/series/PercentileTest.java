package io.peerlens.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PercentileTest {

  @ParameterizedTest
  @CsvSource({
    "95, 1, 1",
    "95, 10, 10",
    "95, 20, 19",
    "95, 21, 20",
    "95, 180, 171",
    "50, 4, 2",
    "50, 5, 3",
    "99.9, 1000, 999",
    "99.9, 1001, 1000",
    "99.9999, 1000000, 999999",
    "0.0001, 10, 1",
    "0.1, 1000, 1",
    "0.1, 1001, 2",
    "95, 4000000000, 3800000000"
  })
  void theRankIsTheLeastThatSoManyPercentDoNotExceed(double percent, long count, long rank) {
    assertThat(Percentile.of(percent).rank(count)).isEqualTo(rank);
  }

  @Test
  void aPercentileIsOneOfTheValues() {
    double[] sorted = {15, 20, 35, 40, 50};
    assertThat(Percentile.of(5).in(sorted)).isEqualTo(15);
    assertThat(Percentile.of(30).in(sorted)).isEqualTo(20);
    assertThat(Percentile.of(40).in(sorted)).isEqualTo(20);
    assertThat(Percentile.of(50).in(sorted)).isEqualTo(35);
    assertThat(Percentile.of(99.9).in(sorted)).isEqualTo(50);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 100, -5, 100.5, 95.00001, 0.00001, 99.99999, Double.NaN, 1e300})
  void anotherNumberIsRefusedInWords(double wrong) {
    assertThatThrownBy(() -> Percentile.of(wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("is ")
        .hasMessageEndingWith(
            "is no percentile: give a number above 0 and below 100 with at most four decimals, such as 95 or 99.9");
  }
}
