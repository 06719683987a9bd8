package io.peerlens.source.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.SourceState;
import io.peerlens.source.SourceError;
import io.peerlens.source.definition.SourcePauseStore.Pause;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StateJudgeTest {

  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");
  private static final Instant BEGUN = NOW.minusSeconds(7200);
  private static final Set<String> ALL = Set.of("configuration", "performance");
  private static final SourceError REFUSED =
      new SourceError("sign-in-refused", "vCenter refuses it.", "It waits.", "Enter it again.");
  private static final SourceError CLOCK =
      new SourceError(SourceError.CLOCK, "Its clock is off.", "It goes on.", "Set the clock.");

  private static Instant ago(long seconds) {
    return NOW.minusSeconds(seconds);
  }

  private static PartState good(String part, long secondsAgo) {
    return new PartState(
        part,
        ago(secondsAgo),
        ago(secondsAgo),
        Duration.ofSeconds(2),
        List.of(Duration.ofSeconds(20), Duration.ofSeconds(20)),
        10,
        100,
        0,
        null,
        null);
  }

  private static PartState bad(
      String part, long secondsAgo, @Nullable Instant goodAt, long failures, SourceError error) {
    return new PartState(
        part,
        ago(secondsAgo),
        goodAt,
        Duration.ofSeconds(2),
        List.of(Duration.ofSeconds(20)),
        0,
        0,
        failures,
        error,
        ago(300));
  }

  private static Condition judge(PartState... parts) {
    return StateJudge.own(
        new StateJudge.Own(ALL, BEGUN, null, "node-1", BEGUN, List.of(parts)), NOW);
  }

  private static Condition sender(
      long first,
      long last,
      @Nullable Duration interval,
      @Nullable Duration offset,
      @Nullable Instant readUntil) {
    return StateJudge.sender(ago(first), ago(last), interval, offset, readUntil, NOW);
  }

  @Test
  void aSourceWithoutARoundIsStarting() {
    assertThat(judge().state()).isEqualTo(SourceState.STARTING);
  }

  @Test
  void roundsOfBeforeAChangeDoNotCount() {
    Condition condition =
        StateJudge.own(
            new StateJudge.Own(
                ALL,
                ago(5),
                null,
                "node-1",
                BEGUN,
                List.of(bad("performance", 30, null, 9, REFUSED))),
            NOW);
    assertThat(condition.state()).isEqualTo(SourceState.STARTING);
  }

  @Test
  void aSourceWhoseRoundsComeIsFresh() {
    assertThat(judge(good("configuration", 10), good("performance", 15)))
        .isEqualTo(Condition.FRESH);
  }

  @Test
  void aSourceThatMissesThreeRoundsIsLate() {
    Condition condition = judge(good("configuration", 10), good("performance", 61));
    assertThat(condition.state()).isEqualTo(SourceState.LATE);
    assertThat(condition.since()).isEqualTo(ago(61));
    assertThat(condition.reason()).contains("performance");
  }

  @Test
  void oneBadRoundDoesNotStopASource() {
    assertThat(judge(good("configuration", 10), bad("performance", 5, ago(25), 1, REFUSED)).state())
        .isEqualTo(SourceState.FRESH);
  }

  @Test
  void aSourceOfWhichNothingCanBeReadIsStopped() {
    Condition condition =
        judge(
            bad("configuration", 5, ago(400), 2, REFUSED), bad("performance", 5, null, 1, REFUSED));
    assertThat(condition.state()).isEqualTo(SourceState.STOPPED);
    assertThat(condition.since()).isEqualTo(ago(300));
    assertThat(condition.reason()).isEqualTo("vCenter refuses it.");
    assertThat(condition.problem()).isEqualTo(REFUSED);
  }

  @Test
  void aSourceOfWhichOnePartCannotBeReadIsLate() {
    Condition condition =
        judge(good("configuration", 10), bad("performance", 5, ago(400), 2, REFUSED));
    assertThat(condition.state()).isEqualTo(SourceState.LATE);
    assertThat(condition.reason()).isEqualTo("Of performance: vCenter refuses it.");
    assertThat(condition.problem()).isEqualTo(REFUSED);
  }

  @Test
  void partsThatAreNotReadAnyMoreDoNotCount() {
    Condition condition =
        StateJudge.own(
            new StateJudge.Own(
                Set.of("configuration"),
                BEGUN,
                null,
                "node-1",
                BEGUN,
                List.of(good("configuration", 5), bad("performance", 900, null, 9, REFUSED))),
            NOW);
    assertThat(condition).isEqualTo(Condition.FRESH);
  }

  @Test
  void aSourceWhoseClockDiffersIsBehind() {
    assertThat(judge(good("configuration", 10), bad("performance", 5, null, 7, CLOCK)).state())
        .isEqualTo(SourceState.BEHIND);
  }

  @Test
  void aCollectorThatEndedStopsItsSource() {
    assertThat(
            judge(good("configuration", 10), bad(PartState.COLLECTOR, 5, null, 1, REFUSED)).state())
        .isEqualTo(SourceState.STOPPED);
  }

  @Test
  void aSourceThatNobodyReadsIsStoppedAfterAMinute() {
    StateJudge.Own young = new StateJudge.Own(ALL, ago(59), null, null, null, List.of());
    StateJudge.Own old = new StateJudge.Own(ALL, ago(61), null, null, null, List.of());
    assertThat(StateJudge.own(young, NOW).state()).isEqualTo(SourceState.STARTING);
    Condition condition = StateJudge.own(old, NOW);
    assertThat(condition.state()).isEqualTo(SourceState.STOPPED);
    assertThat(condition.problem()).isNotNull();
  }

  @Test
  void aPausedSourceIsPausedWhateverElseIsWrong() {
    Condition condition =
        StateJudge.own(
            new StateJudge.Own(
                ALL,
                BEGUN,
                new Pause(ago(100), "m.okafor"),
                null,
                null,
                List.of(bad("performance", 5, null, 9, REFUSED))),
            NOW);
    assertThat(condition.state()).isEqualTo(SourceState.PAUSED);
    assertThat(condition.since()).isEqualTo(ago(100));
    assertThat(condition.reason()).isEqualTo("Paused by m.okafor.");
  }

  @Test
  void aSenderIsFreshUntilItMissesThreeRoundsAndAMinute() {
    Duration tenSeconds = Duration.ofSeconds(10);
    Duration aMinute = Duration.ofMinutes(1);
    assertThat(sender(9000, 60, tenSeconds, Duration.ZERO, NOW)).isEqualTo(Condition.FRESH);
    assertThat(sender(9000, 61, tenSeconds, Duration.ZERO, NOW).state())
        .isEqualTo(SourceState.LATE);
    assertThat(sender(9000, 180, aMinute, Duration.ZERO, NOW)).isEqualTo(Condition.FRESH);
    assertThat(sender(9000, 181, aMinute, Duration.ZERO, NOW).state()).isEqualTo(SourceState.LATE);
  }

  @Test
  void aSenderThatIsSilentForTenRoundsAndTenMinutesHasStopped() {
    Duration fiveMinutes = Duration.ofMinutes(5);
    assertThat(sender(9000, 601, Duration.ofSeconds(10), Duration.ZERO, NOW).state())
        .isEqualTo(SourceState.STOPPED);
    assertThat(sender(9000, 2999, fiveMinutes, Duration.ZERO, NOW).state())
        .isEqualTo(SourceState.LATE);
    assertThat(sender(9000, 3001, fiveMinutes, Duration.ZERO, NOW).state())
        .isEqualTo(SourceState.STOPPED);
  }

  @Test
  void aSilentSenderIsNotSaidToHaveStoppedWhileIngestIsBehind() {
    Condition condition = sender(9000, 4000, Duration.ofSeconds(10), Duration.ZERO, ago(4000));
    assertThat(condition.state()).isEqualTo(SourceState.LATE);
    assertThat(condition.reason()).contains("Ingest");
  }

  @Test
  void aSenderWhoseTimesLieMoreThanTwoMinutesOffIsBehind() {
    Duration tenSeconds = Duration.ofSeconds(10);
    assertThat(sender(9000, 5, tenSeconds, Duration.ofSeconds(-120), NOW).state())
        .isEqualTo(SourceState.FRESH);
    Condition past = sender(9000, 5, tenSeconds, Duration.ofSeconds(-250), NOW);
    assertThat(past.state()).isEqualTo(SourceState.BEHIND);
    assertThat(past.reason()).contains("4 min in the past");
    assertThat(sender(9000, 5, tenSeconds, Duration.ofSeconds(7300), NOW).reason())
        .contains("2 h 1 min in the future");
  }

  @Test
  void aSenderThatHasJustBegunIsStarting() {
    assertThat(sender(20, 20, null, Duration.ZERO, NOW).state()).isEqualTo(SourceState.STARTING);
  }
}
