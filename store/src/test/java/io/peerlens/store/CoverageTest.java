package io.peerlens.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class CoverageTest {
  private static final long NOW = Level.micros(Instant.parse("2026-11-20T12:00:00Z"));
  private static final long HOUR = Level.ONE_HOUR.widthMicros();
  private static final long FIVE = Level.FIVE_MINUTES.widthMicros();
  private static final long DAY = 24 * HOUR;

  private static Coverage usual() {
    return new Coverage(
        Map.of(Level.RAW, NOW - 14 * DAY, Level.FIVE_MINUTES, NOW - 90 * DAY),
        Map.of(Level.FIVE_MINUTES, NOW - 3 * FIVE, Level.ONE_HOUR, NOW - HOUR));
  }

  @Test
  void theTailIsReadFromFinerLevels() {
    assertThat(usual().plan(Level.ONE_HOUR, NOW - 3 * HOUR, NOW))
        .containsExactly(
            new Segment(Level.ONE_HOUR, NOW - 3 * HOUR, NOW - HOUR),
            new Segment(Level.FIVE_MINUTES, NOW - HOUR, NOW - 3 * FIVE),
            new Segment(Level.RAW, NOW - 3 * FIVE, NOW));
  }

  @Test
  void edgesWithinBucketsAreReadFromFinerLevels() {
    long second = 1_000_000;
    assertThat(usual().plan(Level.ONE_HOUR, NOW - 5 * HOUR + second, NOW - HOUR - second))
        .containsExactly(
            new Segment(Level.RAW, NOW - 5 * HOUR + second, NOW - 5 * HOUR + FIVE),
            new Segment(Level.FIVE_MINUTES, NOW - 5 * HOUR + FIVE, NOW - 4 * HOUR),
            new Segment(Level.ONE_HOUR, NOW - 4 * HOUR, NOW - 2 * HOUR),
            new Segment(Level.FIVE_MINUTES, NOW - 2 * HOUR, NOW - HOUR - FIVE),
            new Segment(Level.RAW, NOW - HOUR - FIVE, NOW - HOUR - second));
  }

  @Test
  void expiredTimesOfFinerLevelsAreReadFromCoarserOnes() {
    assertThat(usual().plan(Level.RAW, NOW - 100 * DAY, NOW))
        .containsExactly(
            new Segment(Level.ONE_HOUR, NOW - 100 * DAY, NOW - 90 * DAY),
            new Segment(Level.FIVE_MINUTES, NOW - 90 * DAY, NOW - 14 * DAY),
            new Segment(Level.RAW, NOW - 14 * DAY, NOW));
  }

  @Test
  void rawSamplesAreReadWhenNothingIsRolledUp() {
    Coverage fresh = new Coverage(Map.of(), Map.of());
    assertThat(fresh.plan(Level.ONE_HOUR, 5, NOW)).containsExactly(new Segment(Level.RAW, 5, NOW));
    assertThat(fresh.plan(Level.ONE_HOUR, NOW, NOW)).isEmpty();
  }

  @RepeatedTest(200)
  void stretchesFollowEachOtherAndLeaveNothingOut(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    long rolled5m = NOW - random.nextLong(10 * HOUR);
    Coverage coverage =
        new Coverage(
            Map.of(),
            Map.of(
                Level.FIVE_MINUTES,
                Level.FIVE_MINUTES.floor(rolled5m),
                Level.ONE_HOUR,
                Level.ONE_HOUR.floor(rolled5m - random.nextLong(5 * HOUR))));
    long from = NOW - random.nextLong(20 * HOUR);
    long to = from + random.nextLong(20 * HOUR) + 1;
    List<Segment> plan =
        coverage.plan(Level.values()[random.nextInt(Level.values().length)], from, to);

    long next = from;
    for (Segment segment : plan) {
      assertThat(segment.from()).isEqualTo(next);
      assertThat(segment.to()).isGreaterThan(segment.from());
      if (segment.level() != Level.RAW) {
        assertThat(segment.from() % segment.level().widthMicros()).isZero();
        assertThat(segment.to() % segment.level().widthMicros()).isZero();
      }
      next = segment.to();
    }
    assertThat(next).isEqualTo(to);
  }

  @Test
  void timesBeforeNineteenSeventyRoundDownToo() {
    assertThat(Level.FIVE_MINUTES.floor(-1)).isEqualTo(-FIVE);
    assertThat(Level.FIVE_MINUTES.ceil(-1)).isZero();
    assertThat(Level.instant(Level.micros(Instant.parse("1969-12-31T23:59:59.999999Z"))))
        .isEqualTo(Instant.EPOCH.minus(Duration.ofNanos(1000)));
  }
}
