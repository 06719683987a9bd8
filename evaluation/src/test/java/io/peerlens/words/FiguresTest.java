package io.peerlens.words;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FiguresTest {

  @Test
  void figuresHaveAtMostFourSignificantDigitsAndAreGroupedFromTenThousand() {
    assertThat(Figures.number(0.42314)).isEqualTo("0.4231");
    assertThat(Figures.number(41.3)).isEqualTo("41.3");
    assertThat(Figures.number(97.126)).isEqualTo("97.13");
    assertThat(Figures.number(9876.2)).isEqualTo("9876");
    assertThat(Figures.number(41306.4)).isEqualTo("41,306");
    assertThat(Figures.number(9999.7)).isEqualTo("10,000");
    assertThat(Figures.number(-1234567)).isEqualTo("-1,234,567");
    assertThat(Figures.number(0)).isEqualTo("0");
    assertThat(Figures.number(1e-9)).isEqualTo("0");
    assertThat(Figures.number(50)).isEqualTo("50");
  }

  @Test
  void valuesAreWrittenInTheUnitThatReadsBest() {
    assertThat(Figures.withUnit(97.1, "%", false)).isEqualTo("97.1 %");
    assertThat(Figures.withUnit(97.1, "percent", false)).isEqualTo("97.1 %");
    assertThat(Figures.withUnit(3, null, false)).isEqualTo("3");
    assertThat(Figures.withUnit(3, "number", false)).isEqualTo("3");
    assertThat(Figures.withUnit(2048, "KB", false)).isEqualTo("2 MiB");
    assertThat(Figures.withUnit(51500, "kb/s", true)).isEqualTo("421.9 Mbit/s");
    assertThat(Figures.withUnit(51500, "kb/s", false)).isEqualTo("50.29 MiB/s");
    assertThat(Figures.withUnit(0, "ms", false)).isEqualTo("0 ms");
    assertThat(Figures.withUnit(2600, "MHz", false)).isEqualTo("2.6 GHz");
    assertThat(Figures.withUnit(12, "frogs", false)).isEqualTo("12 frogs");
  }

  @Test
  void aValueIsNeverRoundedToTheLimitThatItIsBeyond() {
    assertThat(Figures.apart(95.005, 95, "%", false)).isEqualTo("95.005 %");
    assertThat(Figures.apart(97.126, 95, "%", false)).isEqualTo("97.13 %");
    assertThat(Figures.apart(95, 95, "%", false)).isEqualTo("95 %");
    assertThat(Figures.apart(10_000.4, 10_000, null, false)).isEqualTo("10000.4");
    assertThat(Figures.apart(1e-9, 2e-9, "%", false)).isEqualTo("0 %");
  }

  @Test
  void durationsAreWrittenInTheirLargestUnits() {
    assertThat(Figures.duration(95)).isEqualTo("95 s");
    assertThat(Figures.duration(900)).isEqualTo("15 min");
    assertThat(Figures.duration(7500)).isEqualTo("2 h 5 min");
    assertThat(Figures.duration(3 * 86400)).isEqualTo("3 d");
  }
}
