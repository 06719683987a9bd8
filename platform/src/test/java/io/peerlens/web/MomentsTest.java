package io.peerlens.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MomentsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-20T14:05:00Z",
        "2026-11-20T14:05:00.0009Z",
        "2026-11-20T15:05:00+01:00",
        "1795183500000"
      })
  void rfc3339AndEpochMillisecondsAreRead(String text) {
    assertThat(Moments.parameter("from", text)).isEqualTo(Instant.parse("2026-11-20T14:05:00Z"));
  }

  @Test
  void momentsBefore1970AreRead() {
    assertThat(Moments.parameter("from", "-1000")).isEqualTo(Instant.parse("1969-12-31T23:59:59Z"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "now",
        "2026-11-20",
        "2026-11-20T14:05:00",
        "2026-11-20T14:05:00 01:00",
        "9223372036854775807",
        "99999999999999999999",
        "+10000-01-01T00:00:00Z",
        "1.5"
      })
  void otherTextsAreRefusedWithAHint(String text) {
    assertThatThrownBy(() -> Moments.field("expiresAt", text))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.INVALID_BODY);
              assertThat(e.errors()).extracting("field").containsExactly("expiresAt");
              assertThat(e.hint()).isNotEmpty();
            });
  }
}
