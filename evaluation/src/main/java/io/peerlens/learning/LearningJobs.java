package io.peerlens.learning;

import io.peerlens.job.JobRecord;
import io.peerlens.job.JobRecord.Kind;
import io.peerlens.job.JobRecord.State;
import io.peerlens.job.JobRun;
import io.peerlens.job.Jobs;
import io.peerlens.store.SetPart;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs that run {@link Learning}: by themselves on evaluators, part by part, and when a user asks
 * for it as a whole on the node that is asked. A node learns one thing at a time. Thread-safe.
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
  private final Semaphore room = new Semaphore(1);

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
   * Learns what is missing of a part, unless all of it is being learned because a user asked, or a
   * user has cancelled the last run today.
   *
   * @return false = this node is learning something else
   */
  boolean runByItself(SetPart part) {
    if (!room.tryAcquire()) {
      return false;
    }
    try {
      JobRecord last = newest().orElse(null);
      if (last == null || !(isWhole(last) && isRunning(last) || wasCancelledToday(last))) {
        run(jobs.startQuietly(Kind.LEARNING, part.title(TITLE), UNIT, true), part);
      }
      return true;
    } finally {
      room.release();
    }
  }

  private static boolean isWhole(JobRecord job) {
    return job.title().equals(TITLE);
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
              room.acquireUninterruptibly();
              try {
                learning.lookAgain(clock.instant());
                run(job, SetPart.WHOLE);
              } finally {
                room.release();
              }
            });
    return Optional.of(job.id());
  }

  private void run(JobRun job, SetPart part) {
    try (job) {
      learning.run(clock.instant(), job, part);
      job.finish();
    } catch (RuntimeException e) {
      log.warn("Bounds could not be learned", e);
      job.fail(e.getMessage() + " It is tried again.");
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
