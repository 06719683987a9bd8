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

  /** Pause after an evaluation that found no machine, or that failed. */
  private static final Duration SOON = Duration.ofHours(1);

  private final SizingEvaluation evaluation;
  private final ResultStore results;
  private final SizingMetrics metrics;
  private final Outcomes outcomes;
  private final Jobs jobs;
  private final InstantSource clock;
  private Instant told = Instant.EPOCH;

  SizingUpkeep(
      SizingEvaluation evaluation,
      ResultStore results,
      SizingMetrics metrics,
      Outcomes outcomes,
      Jobs jobs,
      InstantSource clock) {
    this.evaluation = evaluation;
    this.results = results;
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

  private boolean isDue(Instant now) {
    Duration pause = results.hasMachines() ? DAY : SOON;
    return results.run().filter(last -> last.at().plus(pause).isAfter(now)).isEmpty()
        && jobs.newest(JobRecord.Kind.RIGHT_SIZING)
            .filter(
                last ->
                    last.startedAt() != null
                        && last.startedAt()
                            .plus(last.state() == JobRecord.State.CANCELLED ? DAY : SOON)
                            .isAfter(now))
            .isEmpty();
  }
}
