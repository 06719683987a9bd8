package io.peerlens.notify.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForeignContextTest {

  @ParameterizedTest
  @CsvSource({
    "1795255200000, 2026-11-21T10:00:00Z",
    "1795255200, 2026-11-21T10:00:00Z",
    "1.7952552E12, 2026-11-21T10:00:00Z",
    "2026-11-21T10:00:00Z, 2026-11-21T10:00:00Z",
    "2026-11-21T11:00:00.000+01:00, 2026-11-21T10:00:00Z",
    "Sat Nov 21 10:00:00 UTC 2026, 2026-11-21T10:00:00Z",
    "Sat Nov 21 11:00:00 CET 2026, 2026-11-21T10:00:00Z"
  })
  void momentsAreReadInEveryWayThatSendersWriteThem(String text, Instant moment) {
    assertThat(ForeignContext.moment(text)).isEqualTo(moment);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "-1",
        "null",
        "yesterday",
        "1e99",
        "0001-01-01T00:00:00Z",
        "1.2.3",
        "99999999999999999999"
      })
  void anInvalidMomentIsAbsent(String text) {
    assertThat(ForeignContext.moment(text)).isNull();
  }
}
