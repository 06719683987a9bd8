package io.peerlens.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({"0, 0s", "45, 45s", "60, 1m", "90, 90s", "7200, 2h", "86400, 1d", "90000, 25h"})
  void durationsAreWrittenInTheLargestExactUnitAndReadBack(long seconds, String text) {
    assertThat(Durations.print(Duration.ofSeconds(seconds))).isEqualTo(text);
    assertThat(Durations.parse(text)).isEqualTo(Duration.ofSeconds(seconds));
  }
}
