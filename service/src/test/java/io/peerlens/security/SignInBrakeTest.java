package io.peerlens.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SignInBrakeTest {

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-20T14:00:00Z"));
  private final SignInBrake brake = new SignInBrake(3, Duration.ofMinutes(5), now::get);

  @Test
  void letsAnAddressTryUntilItFailedTooOften() {
    for (int i = 0; i < 3; i++) {
      assertThat(brake.waitFor("192.0.2.1")).isNull();
      brake.failed("192.0.2.1");
    }
    assertThat(brake.waitFor("192.0.2.1")).isEqualTo(Duration.ofMinutes(5));
    assertThat(brake.waitFor("192.0.2.2")).isNull();
  }

  @Test
  void forgetsAfterTheWindow() {
    for (int i = 0; i < 3; i++) {
      brake.failed("192.0.2.1");
    }
    now.set(now.get().plus(Duration.ofMinutes(5)));
    assertThat(brake.waitFor("192.0.2.1")).isNull();
    brake.failed("192.0.2.1");
    assertThat(brake.waitFor("192.0.2.1")).isNull();
  }

  @Test
  void takesAnIpv6NetworkAsOneAddress() {
    brake.failed("2001:db8:0:1::1");
    brake.failed("2001:db8:0:1::2");
    brake.failed("2001:db8:0:1:ffff::3");
    assertThat(brake.waitFor("2001:db8:0:1::4")).isNotNull();
    assertThat(brake.waitFor("2001:db8:0:2::1")).isNull();
  }

  @Test
  void itsMemoryIsBounded() {
    for (int i = 0; i < SignInBrake.MAX_ADDRESSES + 100; i++) {
      brake.failed("10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255));
    }
    assertThat(brake.size()).isEqualTo(SignInBrake.MAX_ADDRESSES);
  }
}
