package io.peerlens.slow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LimitTrialsTest {

  private static final int STEPS = 2_000;

  /**
   * 300 counted operations a second, in the last tenth of the steps 600, of which the limit serves
   * some.
   */
  private static DiskLimit disk(double limit) {
    double[] asked = new double[STEPS];
    double[] served = new double[STEPS];
    double[] latency = new double[STEPS];
    Arrays.setAll(asked, i -> i < STEPS * 9 / 10 ? 300 : 600);
    Arrays.setAll(served, i -> Math.min(limit, asked[i]));
    Arrays.setAll(latency, i -> asked[i] > limit ? 20 : 4);
    double[] unknown = new double[STEPS];
    Arrays.fill(unknown, Double.NaN);
    return new DiskLimit("disk", "", null, limit, asked, served, unknown, latency, unknown);
  }

  private static LimitTrials.Row row(LimitTrials trials, long limit) {
    return trials.rows().stream().filter(one -> one.limit() == limit).findFirst().orElseThrow();
  }

  @Test
  void minutesInWhichMoreIsAskedForAreCut() {
    LimitTrials trials = LimitTrials.of(disk(400), 300);
    assertThat(trials.needed()).isEqualTo(600);
    assertThat(trials.censored()).isFalse();
    assertThat(row(trials, 400).now()).isTrue();
    assertThat(row(trials, 400).minutesCut()).isEqualTo(STEPS / 10 * 5);
    assertThat(row(trials, 400).share()).isCloseTo(0.1, within(1e-9));
    assertThat(row(trials, 200).share()).isEqualTo(1);
    assertThat(row(trials, 600).forP95()).isTrue();
    assertThat(row(trials, 600).minutesCut()).isZero();
    assertThat(trials.rows().getLast().limit()).isZero();
    assertThat(trials.rows().getLast().minutesCut()).isZero();
  }

  @Test
  void latencyOfTodayIsMeasuredAndThatOfOthersEstimated() {
    LimitTrials trials = LimitTrials.of(disk(400), 300);
    assertThat(row(trials, 400).p95()).isEqualTo(20);
    assertThat(row(trials, 400).estimated()).isFalse();
    assertThat(row(trials, 200).p95()).isEqualTo(4 * 600 / 200.0);
    assertThat(row(trials, 200).estimated()).isTrue();
    assertThat(trials.rows().getLast().p95()).isEqualTo(4);
  }

  /** Before it was set another limit, or none, was in force: what was measured is not its doing. */
  @Test
  void latencyOfALimitThatWasSetLaterIsEstimated() {
    DiskLimit open = disk(10_000);
    double[] asked = open.counted();
    LimitTrials trials =
        LimitTrials.of(
            new DiskLimit(
                "disk", "", null, 100, asked, asked, open.block(), open.latency(), open.delayed()),
            300);
    assertThat(row(trials, 100).now()).isTrue();
    assertThat(row(trials, 100).estimated()).isTrue();
    assertThat(row(trials, 100).p95()).isEqualTo(4 * 600 / 100.0);
    assertThat(row(trials, 200).p95()).isEqualTo(4 * 600 / 200.0);
    assertThat(trials.first()).isZero();
  }

  @Test
  void whatALimitHidesIsSaid() {
    DiskLimit open = disk(400);
    double[] capped = Arrays.stream(open.counted()).map(one -> Math.min(400, one)).toArray();
    LimitTrials trials =
        LimitTrials.of(
            new DiskLimit(
                "disk",
                "",
                null,
                400,
                capped,
                capped,
                open.block(),
                open.latency(),
                open.delayed()),
            300);
    assertThat(trials.censored()).isTrue();
  }

  @Test
  void aDayOfHistoryIsNeeded() {
    DiskLimit disk = disk(400);
    double[] few = Arrays.copyOf(disk.counted(), 200);
    assertThat(LimitTrials.of(new DiskLimit("d", "", null, 400, few, few, few, few, few), 300))
        .isEqualTo(LimitTrials.none());
  }

  @Test
  void operationsAreWeighedByTheirSize() {
    assertThat(DiskLimit.weight(4)).isEqualTo(1);
    assertThat(DiskLimit.weight(32)).isEqualTo(1);
    assertThat(DiskLimit.weight(64)).isEqualTo(2);
  }
}
