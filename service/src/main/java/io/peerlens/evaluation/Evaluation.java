package io.peerlens.evaluation;

import io.peerlens.frame.Frames;
import io.peerlens.supermetric.EnabledDefinition;
import io.peerlens.supermetric.Policies;
import io.peerlens.supermetric.SuperMetricStore;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Program;
import io.peerlens.supermetrics.program.Results;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The evaluation of one shard. It remembers last values and prepared programs from tick to tick,
 * for speed alone: another process that takes over computes the same. Not thread-safe.
 */
final class Evaluation {

  /** How many mixtures of due rules are kept prepared; intervals are few. */
  private static final int PROGRAMS = 32;

  /** How many instances the sets of one entry may hold over all objects. */
  private static final int MOST_MEMBERS = 50_000_000;

  private final int shard;
  private final int shards;
  private final SuperMetricStore superMetrics;
  private final Policies policies;
  private final EvaluationStore store;
  private final Frames.Live frames;
  private final Program.Options options;
  private final LongSupplier nanos;
  private final Program.Workspace workspace = new Program.Workspace();
  private final Map<Set<UUID>, Program> programs = new HashMap<>();
  private List<EnabledDefinition> rules = List.of();
  private @Nullable Long version;

  Evaluation(
      int shard,
      SuperMetricStore superMetrics,
      Policies policies,
      Frames frames,
      EvaluationStore store,
      EvaluationProperties properties,
      LongSupplier nanos) {
    this.shard = shard;
    this.shards = properties.shards();
    this.superMetrics = superMetrics;
    this.policies = policies;
    this.store = store;
    this.frames = frames.new Live();
    this.options =
        new Program.Options(
            properties.emptyIsZero(), properties.formulaBudget(), MOST_MEMBERS, nanos);
    this.nanos = nanos;
  }

  /**
   * Evaluates one moment, from top to bottom. What it finds is stored in one transaction that also
   * moves the shard on to this tick; it is refused if another process has done so before.
   *
   * @param before the tick that the shard was at; null = none yet
   */
  TickReport run(@Nullable Instant before, Instant tick) {
    List<EnabledDefinition> due = due(tick);
    Program program = program(due);

    long start = nanos.getAsLong();
    Frame frame = frames.load(program.inputs(), tick);
    long loaded = nanos.getAsLong();
    Results results = program.run(frame, policies.enabled(due, frame.objects()), workspace);
    // Thresholds, then outliers, then transitions of alerts go here.
    long computed = nanos.getAsLong();
    long values = store.commit(shard, before, tick, next(tick), frame.objects(), due, results);
    long stored = nanos.getAsLong();

    int failed = (int) results.columns().stream().filter(result -> result.error() != null).count();
    return new TickReport(
        tick,
        due.size(),
        values,
        failed,
        Duration.ofNanos(loaded - start),
        Duration.ofNanos(computed - loaded),
        Duration.ofNanos(stored - computed));
  }

  /** The next moment after one at which any rule is due; without rules, the next full minute. */
  Instant next(Instant after) {
    refresh();
    return next(after, intervals());
  }

  /** How many moments there are after one, up to another, at which any rule is due. */
  long ticks(Instant after, Instant until) {
    refresh();
    Set<Duration> intervals = intervals();
    long ticks = 0;
    for (Instant tick = next(after, intervals);
        !tick.isAfter(until);
        tick = next(tick, intervals)) {
      ticks++;
    }
    return ticks;
  }

  private Set<Duration> intervals() {
    return rules.isEmpty()
        ? Set.of(Duration.ofMinutes(1))
        : rules.stream().map(EnabledDefinition::interval).collect(Collectors.toUnmodifiableSet());
  }

  private static Instant next(Instant after, Set<Duration> intervals) {
    Instant next = Instant.MAX;
    for (Duration interval : intervals) {
      Instant candidate = next(after, interval);
      next = candidate.isBefore(next) ? candidate : next;
    }
    return next;
  }

  static Instant next(Instant after, Duration interval) {
    long seconds = interval.toSeconds();
    return Instant.ofEpochSecond((Math.floorDiv(after.getEpochSecond(), seconds) + 1) * seconds);
  }

  private List<EnabledDefinition> due(Instant tick) {
    refresh();
    return rules.stream()
        .filter(rule -> tick.getEpochSecond() % rule.interval().toSeconds() == 0)
        .toList();
  }

  private void refresh() {
    long now = superMetrics.version();
    if (version == null || version != now) {
      rules = Shards.divide(superMetrics.enabledDefinitions(), shards).get(shard);
      programs.clear();
      version = now;
    }
  }

  private Program program(List<EnabledDefinition> due) {
    if (programs.size() > PROGRAMS) {
      programs.clear();
    }
    return programs.computeIfAbsent(
        due.stream().map(EnabledDefinition::id).collect(Collectors.toUnmodifiableSet()),
        ids -> Program.of(due.stream().map(EnabledDefinition::definition).toList(), options));
  }
}
