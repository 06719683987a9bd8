package io.peerlens.notify.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.alerttemplates.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpVerdictsTest {

  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Message.Http ANY =
      new Message.Http("POST", "", List.of(), "application/json", "{}");

  @ParameterizedTest
  @CsvSource({
    "200, Delivered",
    "201, Delivered",
    "202, Delivered",
    "204, Delivered",
    "299, Delivered",
    "300, Refused",
    "301, Refused",
    "302, Refused",
    "304, Refused",
    "307, Refused",
    "308, Refused",
    "400, Refused",
    "401, Unauthorized",
    "402, Refused",
    "403, Unauthorized",
    "404, Refused",
    "405, Refused",
    "408, Retry",
    "409, Refused",
    "410, Gone",
    "413, Refused",
    "422, Refused",
    "425, Retry",
    "429, Retry",
    "451, Refused",
    "500, Retry",
    "501, Retry",
    "502, Retry",
    "503, Retry",
    "504, Retry",
    "599, Retry",
    "100, Refused",
    "600, Retry"
  })
  void statusesMeanWhatTheyMean(int status, String verdict) {
    assertThat(HttpVerdicts.of(ANY, status, "", NOW).getClass().getSimpleName()).isEqualTo(verdict);
  }

  @Test
  void theTemplateSaysWhatSuccessIs() {
    Message.Http strict =
        new Message.Http(
            "POST", "", List.of(), "application/json", "{}", List.of("201", "409"), Map.of());
    assertThat(HttpVerdicts.of(strict, 201, "", NOW)).isEqualTo(new Verdict.Delivered());
    assertThat(HttpVerdicts.of(strict, 409, "", NOW)).isEqualTo(new Verdict.Delivered());
    assertThat(HttpVerdicts.of(strict, 200, "", NOW)).isInstanceOf(Verdict.Refused.class);
  }

  @ParameterizedTest
  @CsvSource({
    "'0', 0",
    "'120', 120",
    "' 7 ', 7",
    "'86400', 3600",
    "'999999999999999999', 3600",
    "'Sat, 21 Nov 2026 12:00:30 GMT', 30",
    "'Sat, 21 Nov 2026 11:00:00 GMT', 0",
    "'Sun, 22 Nov 2026 12:00:00 GMT', 3600"
  })
  void retryAfterIsSecondsOrADateAndHasACap(String header, long seconds) {
    assertThat(HttpVerdicts.of(ANY, 429, header, NOW))
        .isInstanceOfSatisfying(
            Verdict.Retry.class,
            retry -> assertThat(retry.after()).isEqualTo(Duration.ofSeconds(seconds)));
  }

  @ParameterizedTest
  @CsvSource({"''", "'-5'", "'soon'", "'1.5'", "'Sat, 99 Nov 2026 12:00:30 GMT'"})
  void anInvalidRetryAfterIsIgnored(String header) {
    assertThat(((Verdict.Retry) HttpVerdicts.of(ANY, 503, header, NOW)).after()).isNull();
  }
}
