package io.peerlens.supermetric;

import io.peerlens.api.model.BackfillRequest;
import io.peerlens.api.model.Job;
import io.peerlens.frame.Frames;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.job.JobAnswers;
import io.peerlens.job.JobRecord;
import io.peerlens.job.JobRun;
import io.peerlens.job.Jobs;
import io.peerlens.store.SampleWriter;
import io.peerlens.supermetric.Catalogue.Entry;
import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.program.Definition;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Program;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes super metrics over stored history, on the node that was asked, as jobs. What it finds
 * takes the place of all that was stored of the super metric in that stretch of time, also where it
 * finds nothing. What is done stays when a job is cancelled or its node dies; doing it again gives
 * the same values. Thread-safe.
 */
final class Backfills {

  private static final Logger log = LoggerFactory.getLogger(Backfills.class);

  /** Values that are computed for one transaction, about; some of them may be none. */
  private static final int AT_ONCE = 50_000;

  private final Frames frames;
  private final ResultStore sets;
  private final Policies policies;
  private final BackfillStore store;
  private final Jobs jobs;
  private final SuperMetricProperties properties;
  private final Duration metricAge;
  private final Program.Options options;
  private final InstantSource clock;
  private final Set<UUID> running = ConcurrentHashMap.newKeySet();

  Backfills(
      Frames frames,
      ResultStore sets,
      Policies policies,
      BackfillStore store,
      Jobs jobs,
      SuperMetricProperties properties,
      Duration metricAge,
      Program.Options options,
      InstantSource clock) {
    this.frames = frames;
    this.sets = sets;
    this.policies = policies;
    this.store = store;
    this.jobs = jobs;
    this.properties = properties;
    this.metricAge = metricAge;
    this.options = options;
    this.clock = clock;
  }

  private static final class Cancelled extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Cancelled() {
      super(null, null, false, false);
    }
  }

  /**
   * The moments to be computed.
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

  Job start(Entry entry, BackfillRequest request) {
    SuperMetric it = entry.stored().definition();
    if (!entry.formula().isValid()) {
      throw ApiException.of(
              ErrorCode.CONFLICT, "The formula has errors, so nothing can be computed.")
          .hint("Mend it first: " + entry.formula().issues().getFirst().message() + ".");
    }
    if (entry.stored().kinds().isEmpty()) {
      throw ApiException.of(ErrorCode.CONFLICT, "The super metric is assigned to no object kind.")
          .hint("Assign it to a kind first.");
    }
    Window window = window(entry, request);
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
    Thread.ofVirtual().name("super-metric-backfill").start(() -> carryOut(entry, window, run));
    return JobAnswers.job(job).total(window.ticks());
  }

  private Window window(Entry entry, BackfillRequest request) {
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
    Duration interval = SuperMetricStore.interval(entry.stored());
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

  private void carryOut(Entry entry, Window window, JobRun run) {
    try (run) {
      finish(entry, window, run);
    } finally {
      running.remove(entry.stored().definition().id());
    }
  }

  private void finish(Entry entry, Window window, JobRun run) {
    try {
      if (window.ticks() > 0) {
        new Work(entry, window, run).compute();
      }
      run.finish();
    } catch (Cancelled e) {
      run.finish();
    } catch (RuntimeException e) {
      log.warn("Backfill of {} failed", entry.stored().definition().id(), e);
      run.fail(String.valueOf(e.getMessage()));
    }
  }

  /** One backfill at work; for one thread. */
  private final class Work {
    private final StoredSuperMetric superMetric;
    private final Window window;
    private final Program program;
    private final Program.Workspace workspace = new Program.Workspace();
    private final @Nullable SelfMemory memory;
    private final SampleWriter writer = store.writer();
    private final JobRun run;
    private final Map<UUID, String> units;
    private SampleBatch batch = new SampleBatch();
    private Instant begin;
    private long values;
    private long ticks;

    Work(Entry entry, Window window, JobRun run) {
      this.superMetric = entry.stored();
      this.window = window;
      this.begin = window.from();
      this.run = run;
      UUID id = superMetric.definition().id();
      Definition definition = new Definition(id, entry.formula(), superMetric.kinds());
      this.program = Program.of(List.of(definition), options);
      this.memory = SelfMemory.of(definition, frames, window.from(), metricAge);
      String unit = Units.text(superMetric.definition().unit());
      this.units = unit == null ? Map.of() : Map.of(id, unit);
    }

    void compute() {
      frames.each(program.inputs(), window.from(), window.to(), window.interval(), this::compute);
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
      Frame frame = memory == null ? stored : memory.over(stored);
      // Asked for by name, so it is computed even while it is switched off; its rules hold.
      Policy policy = new Policy(true, superMetric.policy().rules());
      Results results =
          program.run(
              frame, (id, kind) -> policies.flags(policy, kind, frame.objects()), workspace);
      if (memory != null) {
        memory.remember(frame, results);
      }
      for (Results.Result result : results.columns()) {
        if (result.error() != null) {
          throw new IllegalStateException("At " + tick + ": " + result.error());
        }
        values += result.values().length;
      }
      sets.fill(batch, frame.time() * 1000, frame.objects(), units, results);
      run.done(++ticks);
    }

    /** Stores what was computed before a moment in place of all that is stored before it. */
    private void write(Instant end) {
      if (begin.isBefore(end)) {
        store.replace(writer, superMetric.definition().id(), begin, end, batch);
        batch = new SampleBatch();
        begin = end;
        values = 0;
      }
    }
  }
}
