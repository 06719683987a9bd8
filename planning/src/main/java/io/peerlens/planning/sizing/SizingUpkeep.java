package io.peerlens.planning.sizing;

import io.peerlens.job.JobRecord;
import io.peerlens.job.Jobs;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * What right-sizing does by itself, on one node at a time: evaluating once a day, telling metrics,
 * and looking for what was carried out.
 */
final class SizingUpkeep {

  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration METRICS = Duration.ofMinutes(30);

  /** Pause after an evaluation that failed, or of far fewer machines than there are now. */
  private static final Duration SOON = Duration.ofHours(1);

  /** So many times as many machines as were evaluated. */
  private static final double GROWN = 1.1;

  private final SizingEvaluation evaluation;
  private final SizingInventoryQueries inventory;
  private final SizingMetrics metrics;
  private final Outcomes outcomes;
  private final Jobs jobs;
  private final InstantSource clock;
  private Instant told = Instant.EPOCH;
  private Instant looked = Instant.EPOCH;

  SizingUpkeep(
      SizingEvaluation evaluation,
      SizingInventoryQueries inventory,
      SizingMetrics metrics,
      Outcomes outcomes,
      Jobs jobs,
      InstantSource clock) {
    this.evaluation = evaluation;
    this.inventory = inventory;
    this.metrics = metrics;
    this.outcomes = outcomes;
    this.jobs = jobs;
    this.clock = clock;
  }

  /** Does what is due. */
  synchronized void look() {
    // First what was carried out: an evaluation no longer recommends it.
    outcomes.look(clock.instant());
    if (isDue(clock.instant())) {
      evaluation.runByItself();
      told = clock.instant();
    } else if (!told.plus(METRICS).isAfter(clock.instant())) {
      metrics.write();
      told = clock.instant();
    }
  }

  /**
   * Once a day, and sooner when many machines have come or files of more datastores were listed
   * since the last time, such as on the first day of an installation.
   */
  private boolean isDue(Instant now) {
    long machines = inventory.count();
    JobRecord last = jobs.newest(JobRecord.Kind.RIGHT_SIZING).orElse(null);
    if (machines == 0 || last == null || last.startedAt() == null) {
      return machines > 0;
    }
    long evaluated = last.total() == null ? 0 : last.total();
    boolean grown = machines > GROWN * evaluated;
    Duration pause =
        switch (last.state()) {
          case FAILED -> SOON;
          case CANCELLED -> DAY;
          default -> evaluated == 0 ? Duration.ZERO : grown ? SOON : DAY;
        };
    if (!last.startedAt().plus(pause).isAfter(now)) {
      return true;
    }
    boolean mayBe =
        !last.startedAt().plus(SOON).isAfter(now)
            && !looked.plus(SOON).isAfter(now)
            && last.state() == JobRecord.State.DONE;
    looked = mayBe ? now : looked;
    return mayBe && evaluation.moreIsListed();
  }
}
