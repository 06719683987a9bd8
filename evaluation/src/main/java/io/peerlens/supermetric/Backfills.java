package io.peerlens.supermetric;

import io.peerlens.api.model.BackfillRequest;
import io.peerlens.api.model.Job;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.job.JobAnswers;
import io.peerlens.job.JobRecord;
import io.peerlens.job.JobRun;
import io.peerlens.job.Jobs;
import io.peerlens.store.SampleWriter;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Results;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Moments;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Backfill jobs: super metrics computed over stored history, on the node that was asked. What it
 * finds takes the place of all that was stored of the super metric in that stretch of time, also
 * where it finds nothing. What is done stays when a job is cancelled or its node dies; doing it
 * again gives the same values. Thread-safe.
 */
final class Backfills {

  private static final Logger log = LoggerFactory.getLogger(Backfills.class);

  /** Values that are computed for one transaction, about; some of them may be none. */
  private static final int AT_ONCE = 50_000;

  private final PastFormulas formulas;
  private final ResultStore sets;
  private final Policies policies;
  private final BackfillStore store;
  private final Jobs jobs;
  private final SuperMetricProperties properties;
  private final InstantSource clock;
  private final Set<UUID> running = ConcurrentHashMap.newKeySet();

  Backfills(
      PastFormulas formulas,
      ResultStore sets,
      Policies policies,
      BackfillStore store,
      Jobs jobs,
      SuperMetricProperties properties,
      InstantSource clock) {
    this.formulas = formulas;
    this.sets = sets;
    this.policies = policies;
    this.store = store;
    this.jobs = jobs;
    this.properties = properties;
    this.clock = clock;
  }

  private static final class Cancelled extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Cancelled() {
      super(null, null, false, false);
    }
  }

  /**
   * Moments to be computed.
   *
   * @param from on the grid of the super metric
   */
  private record Window(Instant from, Instant to, Duration interval) {
    long ticks() {
      return from.isBefore(to)
          ? Math.ceilDiv(Duration.between(from, to).toMillis(), interval.toMillis())
          : 0;
    }
  }

  Job start(SuperMetricRule it, BackfillRequest request) {
    if (!it.formula().isValid()) {
      throw ApiException.of(
              ErrorCode.CONFLICT, "The formula has errors, so nothing can be computed.")
          .hint("Correct it first: " + it.formula().issues().getFirst().message() + ".");
    }
    if (it.kinds().isEmpty()) {
      throw ApiException.of(ErrorCode.CONFLICT, "The super metric is assigned to no object kind.")
          .hint("Assign it to a kind first.");
    }
    Window window = window(it, request);
    if (!running.add(it.id())) {
      throw ApiException.of(ErrorCode.CONFLICT, "The super metric is being computed already.")
          .hint("Wait for that job, or cancel it; see GET /api/v1/jobs.");
    }
    JobRun run;
    JobRecord job;
    try {
      run = jobs.start(JobRecord.Kind.BACK_FILL, "Super metric " + it.name(), "ticks", true);
      run.total(window.ticks());
      UUID jobId = run.id();
      job =
          jobs.find(jobId)
              .orElseThrow(
                  () -> ApiException.of(ErrorCode.UNAVAILABLE, "The job could not be stored."));
    } catch (RuntimeException e) {
      running.remove(it.id());
      throw e;
    }
    Thread.ofVirtual().name("super-metric-backfill").start(() -> carryOut(it, window, run));
    return JobAnswers.job(job).total(window.ticks());
  }

  private Window window(SuperMetricRule rule, BackfillRequest request) {
    Instant from = Moments.field("from", request.getFrom());
    Instant to = Moments.field("to", request.getTo());
    if (!from.isBefore(to)) {
      throw ApiException.invalidField("to", "is not after from");
    }
    if (to.isAfter(clock.instant())) {
      throw ApiException.invalidField("to", "is in the future");
    }
    store
        .rawKeptFrom()
        .filter(from::isBefore)
        .ifPresent(
            kept -> {
              throw ApiException.invalidField("from", "is before " + kept)
                  .hint("Samples are kept from then on; see GET /api/v1/settings/retention.");
            });
    Duration interval = rule.interval();
    long width = interval.toMillis();
    Window window =
        new Window(
            Instant.ofEpochMilli(Math.ceilDiv(from.toEpochMilli(), width) * width), to, interval);
    if (window.ticks() > properties.backfillTicks()) {
      throw ApiException.of(
              ErrorCode.TOO_MANY_POINTS,
              "The window has %,d ticks; the limit is %,d."
                  .formatted(window.ticks(), properties.backfillTicks()))
          .field("from", "is too long ago for ticks every " + interval.toSeconds() + " s")
          .hint("Compute it in parts.");
    }
    return window;
  }

  private void carryOut(SuperMetricRule rule, Window window, JobRun run) {
    try (run) {
      finish(rule, window, run);
    } finally {
      running.remove(rule.id());
    }
  }

  private void finish(SuperMetricRule rule, Window window, JobRun run) {
    try {
      if (window.ticks() > 0) {
        new Work(rule, window, run).compute();
      }
      run.finish();
    } catch (Cancelled e) {
      run.finish();
    } catch (RuntimeException e) {
      log.warn("Backfill of {} failed", rule.id(), e);
      run.fail(String.valueOf(e.getMessage()));
    }
  }

  /** A running backfill; for one thread. */
  private final class Work {
    private final SuperMetricRule superMetric;
    private final Window window;
    private final PastFormulas.Replay replay;
    private final Map<UUID, Policy> policy;
    private final SampleWriter writer = store.writer();
    private final JobRun run;
    private final Map<UUID, String> units;
    private SampleBatch batch = new SampleBatch();
    private Instant start;
    private long values;
    private long ticks;

    Work(SuperMetricRule rule, Window window, JobRun run) {
      this.superMetric = rule;
      this.window = window;
      this.start = window.from();
      this.run = run;
      this.replay = formulas.replay(List.of(rule.definition()), window.from());
      // Asked for by name, so it is computed even while it is switched off; its rules hold.
      this.policy = Map.of(rule.id(), new Policy(true, rule.policy().rules()));
      this.units = rule.unit() == null ? Map.of() : Map.of(rule.id(), rule.unit());
    }

    void compute() {
      formulas
          .frames()
          .each(replay.inputs(), window.from(), window.to(), window.interval(), this::compute);
      write(window.to());
    }

    private void compute(Frame stored) {
      Instant tick = Instant.ofEpochMilli(stored.time());
      if (run.cancelled()) {
        write(tick);
        throw new Cancelled();
      }
      if (values >= AT_ONCE) {
        write(tick);
      }
      Results results = replay.compute(stored, policies.enabled(policy, stored.objects()));
      for (Results.Result result : results.columns()) {
        if (result.error() != null) {
          throw new IllegalStateException("At " + tick + ": " + result.error());
        }
        values += result.values().length;
      }
      sets.fill(batch, stored.time() * 1000, stored.objects(), units, results);
      run.done(++ticks);
    }

    /** Stores what was computed before a moment in place of all that is stored before it. */
    private void write(Instant end) {
      if (start.isBefore(end)) {
        store.replace(writer, superMetric.id(), start, end, batch);
        batch = new SampleBatch();
        start = end;
        values = 0;
      }
    }
  }
}
