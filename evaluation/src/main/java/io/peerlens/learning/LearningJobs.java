package io.peerlens.learning;

import io.peerlens.job.JobRecord;
import io.peerlens.job.JobRecord.Kind;
import io.peerlens.job.JobRecord.State;
import io.peerlens.job.JobRun;
import io.peerlens.job.Jobs;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs that run {@link Learning}: by themselves on an evaluator, and when a user asks for it on the
 * node that is asked. One run at a time. Thread-safe.
 */
final class LearningJobs {

  private static final Logger log = LoggerFactory.getLogger(LearningJobs.class);
  private static final String TITLE = "Learn bounds";
  private static final String UNIT = "series";

  /** A job that is silent for so long has lost its node, and another may go on. */
  private static final Duration SILENT = Duration.ofMinutes(1);

  private final Learning learning;
  private final Jobs jobs;
  private final InstantSource clock;

  LearningJobs(Learning learning, Jobs jobs, InstantSource clock) {
    this.learning = learning;
    this.jobs = jobs;
    this.clock = clock;
  }

  /** The job that was begun last and lasted long enough to be seen. */
  Optional<JobRecord> newest() {
    return jobs.newest(Kind.LEARNING);
  }

  /**
   * Learns what is missing, unless it is being done already, or a user has cancelled the last run
   * today.
   */
  void runByItself() {
    Optional<JobRecord> last = newest();
    if (last.isPresent() && (isRunning(last.get()) || wasCancelledToday(last.get()))) {
      return;
    }
    run(jobs.startQuietly(Kind.LEARNING, TITLE, UNIT, true));
  }

  /**
   * Starts to learn what is missing, in the background; what had too little history is looked at
   * again.
   *
   * @return the job; empty = it is being done already
   */
  Optional<UUID> start() {
    if (newest().filter(this::isRunning).isPresent()) {
      return Optional.empty();
    }
    JobRun job = jobs.start(Kind.LEARNING, TITLE, UNIT, true);
    Thread.ofVirtual()
        .name("learning")
        .start(
            () -> {
              synchronized (learning) {
                learning.lookAgain(clock.instant());
                run(job);
              }
            });
    return Optional.of(job.id());
  }

  private void run(JobRun job) {
    synchronized (learning) {
      try (job) {
        learning.run(clock.instant(), job);
        job.finish();
      } catch (RuntimeException e) {
        log.warn("Bounds could not be learned", e);
        job.fail(e.getMessage() + " It is tried again.");
      }
    }
  }

  private boolean isRunning(JobRecord job) {
    return job.finishedAt() == null && job.updatedAt().plus(SILENT).isAfter(clock.instant());
  }

  private boolean wasCancelledToday(JobRecord job) {
    Instant end = job.finishedAt();
    return job.state() == State.CANCELLED
        && end != null
        && Days.day(end) == Days.day(clock.instant());
  }
}
