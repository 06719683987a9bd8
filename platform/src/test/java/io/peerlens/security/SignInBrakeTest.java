package io.peerlens.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SignInBrakeTest {

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-20T14:00:00Z"));
  private final SignInBrake brake = new SignInBrake(3, Duration.ofMinutes(5), now::get);

  @Test
  void anAddressMayTryUntilItFailsTooOften() {
    for (int i = 0; i < 3; i++) {
      assertThat(waitFor("192.0.2.1")).isNull();
      fail("192.0.2.1");
    }
    assertThat(waitFor("192.0.2.1")).isEqualTo(Duration.ofMinutes(5));
    assertThat(waitFor("192.0.2.2")).isNull();
  }

  @Test
  void failuresAreForgottenAfterTheWindow() {
    for (int i = 0; i < 3; i++) {
      fail("192.0.2.1");
    }
    now.set(now.get().plus(Duration.ofMinutes(5)));
    assertThat(waitFor("192.0.2.1")).isNull();
    fail("192.0.2.1");
    assertThat(waitFor("192.0.2.1")).isNull();
  }

  @Test
  void anIpv6NetworkCountsAsOneAddress() {
    fail("2001:db8:0:1::1");
    fail("2001:db8:0:1::2");
    fail("2001:db8:0:1:ffff::3");
    assertThat(waitFor("2001:db8:0:1::4")).isNotNull();
    assertThat(waitFor("2001:db8:0:2::1")).isNull();
  }

  @Test
  void attemptsAtOnceCountToo() throws Exception {
    List<SignInBrake.Attempt> going = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      going.add(brake.begin("192.0.2.1"));
    }
    CompletableFuture<Boolean> fourth =
        CompletableFuture.supplyAsync(() -> waitFor("192.0.2.1") != null);
    assertThat(fourth.completeOnTimeout(null, 200, TimeUnit.MILLISECONDS).get())
        .as("waits for the others")
        .isNull();
    CompletableFuture<Boolean> fifth =
        CompletableFuture.supplyAsync(() -> waitFor("192.0.2.1") != null);
    going.forEach(
        attempt -> {
          attempt.failed();
          attempt.close();
        });
    assertThat(fifth.get(10, TimeUnit.SECONDS)).as("is refused").isTrue();
  }

  @Test
  void attemptsThatAreRightLeaveNothingBehind() {
    for (int i = 0; i < 100; i++) {
      assertThat(waitFor("192.0.2.1")).isNull();
    }
    assertThat(brake.size()).isZero();
  }

  private @Nullable Duration waitFor(String address) {
    try (SignInBrake.Attempt attempt = brake.begin(address)) {
      return attempt.mustWait();
    }
  }

  private void fail(String address) {
    try (SignInBrake.Attempt attempt = brake.begin(address)) {
      attempt.failed();
    }
  }

  @Test
  void itsMemoryIsBounded() {
    for (int i = 0; i < SignInBrake.MAX_ADDRESSES + 100; i++) {
      fail("10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255));
    }
    assertThat(brake.size()).isEqualTo(SignInBrake.MAX_ADDRESSES);
  }
}
