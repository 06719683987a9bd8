package io.peerlens.planning;

import io.peerlens.api.model.LoadProfileRequest;
import io.peerlens.database.Uuid7;
import io.peerlens.job.JobRecord;
import io.peerlens.job.JobRun;
import io.peerlens.job.Jobs;
import io.peerlens.job.Progress;
import io.peerlens.planning.LoadProfileComputation.Computed;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Jobs that compute load profiles, on the node that was asked, one at a time. Thread-safe. */
final class LoadProfiles {

  private static final Logger log = LoggerFactory.getLogger(LoadProfiles.class);

  /** A report waits so long for the profile before it. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final LoadProfileStore store;
  private final LoadProfileComputation computation;
  private final Jobs jobs;
  private final InstantSource clock;
  private final Semaphore running = new Semaphore(1);

  LoadProfiles(
      LoadProfileStore store, LoadProfileComputation computation, Jobs jobs, InstantSource clock) {
    this.store = store;
    this.computation = computation;
    this.jobs = jobs;
    this.clock = clock;
  }

  /**
   * Begins to compute a profile.
   *
   * @param request with its period
   * @return its id
   */
  UUID begin(LoadProfileRequest request, String by) {
    if (!running.tryAcquire()) {
      throw ApiException.of(ErrorCode.CONFLICT, "A load profile is being computed already.")
          .hint("Wait for that job, or cancel it; see GET /api/v1/jobs.");
    }
    try {
      Instant now = clock.instant();
      UUID id = Uuid7.at(now);
      JobRun job = jobs.start(JobRecord.Kind.LOAD_PROFILE, "Load profile", "machines", true);
      try {
        store.begin(id, job.id(), request, now, by);
      } catch (RuntimeException e) {
        job.fail("It could not be stored.");
        throw e;
      }
      Thread.ofVirtual().name("load-profile").start(() -> run(id, request, job));
      return id;
    } catch (RuntimeException e) {
      running.release();
      throw e;
    }
  }

  /**
   * Computes a profile that is not kept, and waits for one that is being computed.
   *
   * @param request with its period
   */
  Computed now(LoadProfileRequest request) {
    try {
      if (!running.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw ApiException.of(
            ErrorCode.CONFLICT,
            "Another load profile has been computed for %d minutes."
                .formatted(PATIENCE.toMinutes()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while another load profile is computed", e);
    }
    try {
      return computation.compute(request, Progress.NONE);
    } finally {
      running.release();
    }
  }

  private void run(UUID id, LoadProfileRequest request, JobRun job) {
    try (job) {
      store.done(id, computation.compute(request, job));
      job.finish();
    } catch (CancellationException e) {
      store.failed(id, String.valueOf(e.getMessage()));
      job.fail(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      log.warn("A load profile could not be computed", e);
      store.failed(id, String.valueOf(e.getMessage()));
      job.fail(String.valueOf(e.getMessage()));
    } finally {
      running.release();
    }
  }
}
