package io.peerlens.notify.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RateTest {

  private long now = Long.MAX_VALUE - 5_000_000_000L; // it may run over

  private int takeAll(Rate rate) {
    int taken = 0;
    while (rate.take()) {
      taken++;
    }
    return taken;
  }

  private void passes(Duration time) {
    now += time.toNanos();
  }

  @Test
  void aBurstGoesAtOnceThenItsShareOfTheMinute() {
    Rate rate = new Rate(60, 10, () -> now);
    assertThat(rate.room(100)).isEqualTo(10);
    assertThat(takeAll(rate)).isEqualTo(10);
    assertThat(rate.room(100)).isZero();
    passes(Duration.ofMillis(9_999));
    assertThat(rate.room(100)).isZero();
    passes(Duration.ofMillis(1));
    assertThat(rate.room(3)).isEqualTo(3);
    assertThat(takeAll(rate)).isEqualTo(10);
  }

  @Test
  void withoutABurstAMinutesWorthGoesAtOnce() {
    Rate rate = new Rate(60, null, () -> now);
    assertThat(takeAll(rate)).isEqualTo(60);
    passes(Duration.ofSeconds(59));
    assertThat(takeAll(rate)).isZero();
    passes(Duration.ofSeconds(1));
    assertThat(takeAll(rate)).isEqualTo(60);
  }

  @Test
  void aBurstThatIsMoreThanAMinutesWorthIsCut() {
    assertThat(takeAll(new Rate(5, 50, () -> now))).isEqualTo(5);
  }

  @Test
  @DisplayName("no minute and no share of it has more, whenever one asks, seed 7")
  void noMinuteHasMore() {
    Random random = new Random(7);
    for (int round = 0; round < 50; round++) {
      int perMinute = 1 + random.nextInt(120);
      int burst = 1 + random.nextInt(perMinute);
      Rate rate = new Rate(perMinute, burst, () -> now);
      List<Long> taken = new ArrayList<>();
      long from = now;
      while (now - from < Duration.ofMinutes(5).toNanos()) {
        int room = rate.room(perMinute);
        int wanted = random.nextInt(5);
        for (int i = 0; i < wanted; i++) {
          boolean got = rate.take();
          assertThat(got).as("room is what may be taken").isEqualTo(i < room);
          if (got) {
            taken.add(now - from);
          }
        }
        passes(Duration.ofMillis(random.nextInt(1_500)));
      }
      most(taken, perMinute, Duration.ofMinutes(1));
      most(taken, burst, Duration.ofMinutes(1).multipliedBy(burst).dividedBy(perMinute));
      assertThat(taken.size()).as("and it is not slower").isGreaterThan(perMinute * 5 / 4);
    }
  }

  private static void most(List<Long> taken, int most, Duration within) {
    for (int i = most; i < taken.size(); i++) {
      assertThat(taken.get(i) - taken.get(i - most))
          .isGreaterThanOrEqualTo(within.toNanos() - 1_000);
    }
  }
}
