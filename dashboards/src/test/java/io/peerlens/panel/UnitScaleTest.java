package io.peerlens.panel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conversion of units. */
class UnitScaleTest {

  @ParameterizedTest
  @CsvSource({
    "KB, GB, 9.5367431640625E-7",
    "MiB, GB, 0.0009765625",
    "KBps, MB/s, 0.0009765625",
    "Mbit/s, Gbit/s, 0.001",
    "MHz, GHz, 0.001",
    "millisecond, s, 0.001",
    "h, d, 0.041666666666666664",
    "percent, %, 1",
    "KB/d, GB, 9.5367431640625E-7",
    "KB/d, GB/d, 9.5367431640625E-7",
    "%/d, %, 1"
  })
  void aQuantityIsConverted(String from, String to, double factor) {
    assertThat(UnitScale.factor(from, to)).isEqualTo(factor);
  }

  @ParameterizedTest
  @CsvSource({"KB, MHz", "Mb/s, MB/s", "apples, pears", "%, ms"})
  void whatIsNoSameQuantityIsLeft(String from, String to) {
    assertThat(UnitScale.factor(from, to)).isNaN();
    assertThat(UnitScale.factor(null, to)).isNaN();
    assertThat(UnitScale.factor(from, null)).isNaN();
  }
}
