package io.peerlens.evaluation;

import io.peerlens.alert.AlertChanges;
import io.peerlens.alert.AlertRules;
import io.peerlens.alert.AlertStage;
import io.peerlens.alert.AlertStages;
import io.peerlens.alert.Outcome;
import io.peerlens.alert.Raised;
import io.peerlens.evaluation.EvaluationStore.Found;
import io.peerlens.evaluation.EvaluationStore.Move;
import io.peerlens.evaluation.EvaluationStore.Versions;
import io.peerlens.frame.Frames;
import io.peerlens.frame.LiveFrames;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.judge.OutlierChanges;
import io.peerlens.outlier.judge.OutlierStage;
import io.peerlens.outlier.judge.OutlierStages;
import io.peerlens.outlier.judge.OutlierTick;
import io.peerlens.store.SampleWriter;
import io.peerlens.supermetric.FormulaProperties;
import io.peerlens.supermetric.Policies;
import io.peerlens.supermetric.SuperMetricRule;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import io.peerlens.supermetrics.program.Program;
import io.peerlens.supermetrics.program.Results;
import io.peerlens.talker.report.ShareOutcomes;
import io.peerlens.talker.report.TalkerReport;
import io.peerlens.threshold.Symptoms;
import io.peerlens.threshold.ThresholdStage;
import io.peerlens.threshold.ThresholdStages;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Evaluation of one shard, tick by tick. It remembers last values, prepared programs, symptoms and
 * alerts from tick to tick, for speed alone: another process that takes over computes the same.
 * When a tick cannot be stored, {@link #forgetFindings} or throw it away. Not thread-safe.
 */
final class Evaluation {

  /** How many mixtures of due rules are kept prepared; intervals are few. */
  private static final int PROGRAMS = 32;

  /** How many instances the sets of one entry may hold over all objects. */
  private static final int MOST_MEMBERS = 50_000_000;

  private final int shard;
  private final int shards;
  private final Stages stages;
  private final EvaluationStore store;
  private final SampleWriter writer;
  private final LiveFrames frames;
  private final Program.Options options;
  private final LongSupplier nanos;
  private final Program.Workspace workspace = new Program.Workspace();
  private final Map<Set<UUID>, Program> programs = new HashMap<>();
  private Rules rules = Rules.NONE;
  private @Nullable Versions versions;

  /** The tick that was stored last; what is remembered is as of then. */
  private @Nullable Instant at;

  private ThresholdStage thresholds;
  private OutlierStage outliers;
  private AlertStage alerts;

  /** Beans that the evaluations of all shards work with. */
  record Stages(
      ReadRules.Stores rules,
      Policies policies,
      Frames frames,
      ThresholdStages thresholds,
      OutlierStages outliers,
      ShareOutcomes shares,
      AlertStages alerts) {}

  /**
   * @param writer for this evaluation alone, since its buffer is for one thread
   */
  Evaluation(
      int shard,
      Stages stages,
      EvaluationStore store,
      SampleWriter writer,
      EvaluationProperties properties,
      FormulaProperties formulas,
      LongSupplier nanos) {
    this.shard = shard;
    this.shards = properties.shards();
    this.stages = stages;
    this.thresholds = stages.thresholds().create();
    this.outliers = stages.outliers().create();
    this.alerts = stages.alerts().create();
    this.store = store;
    this.writer = writer;
    this.frames = stages.frames().live();
    this.options =
        new Program.Options(
            formulas.emptyIsZero(), properties.formulaBudget(), MOST_MEMBERS, nanos);
    this.nanos = nanos;
  }

  /**
   * Evaluates one moment, from top to bottom. What it finds is stored in one transaction that also
   * moves the shard on to this tick; it is refused if another process has done so before, or if a
   * rule was changed meanwhile.
   *
   * @param before the tick that the shard was at; null = none yet
   * @param noticing since when samples would have been noticed, as {@link ThresholdStage#run} wants
   *     it
   */
  TickReport run(@Nullable Instant before, Instant tick, Instant noticing) {
    if (!Objects.equals(before, at)) {
      forgetFindings(); // another process has had the shard meanwhile
    }
    Versions known = refresh(tick);
    Rules due = rules.due(tick);
    Program program = program(due.superMetrics());

    long start = nanos.getAsLong();
    Frame frame = frames.load(inputs(program, due), tick);
    long loaded = nanos.getAsLong();
    Results results =
        program.run(
            frame, stages.policies().enabled(due.superMetrics(), frame.objects()), workspace);
    long computed = nanos.getAsLong();
    Symptoms symptoms = thresholds.run(results.over(frame), due.thresholds(), tick, noticing);
    long judged = nanos.getAsLong();
    OutlierTick unlike = outliers.run(due.outlierGroups(), frame.objects(), tick);
    List<Outcome> others = new ArrayList<>(unlike.outcomes());
    others.addAll(stages.shares().at(due.talkerReports(), tick));
    long compared = nanos.getAsLong();
    AlertChanges changes =
        alerts.run(
            frame.objects(), symptoms, due.thresholds(), due.alertDefinitions(), others, tick);
    long found = nanos.getAsLong();
    Move move = new Move(shard, before, tick, next(tick, intervals()), known);
    long values =
        store.commit(
            writer, move, due, new Found(frame.objects(), results, symptoms, unlike, changes));
    at = tick;
    long stored = nanos.getAsLong();

    int failed = (int) results.columns().stream().filter(result -> result.error() != null).count();
    return new TickReport(
        tick,
        due.superMetrics().size(),
        due.thresholds().size(),
        values,
        failed,
        changes.count(),
        Duration.ofNanos(loaded - start),
        Duration.ofNanos(computed - loaded),
        Duration.ofNanos(judged - computed),
        Duration.ofNanos(compared - judged),
        Duration.ofNanos(found - compared),
        Duration.ofNanos(stored - found));
  }

  /** Forgets what a tick has found that was not stored; values that were read are good still. */
  void forgetFindings() {
    thresholds = stages.thresholds().create();
    outliers = stages.outliers().create();
    alerts = stages.alerts().create();
    versions = null;
    at = null;
  }

  /** The next moment after one at which any rule is due; without rules, the next full minute. */
  Instant next(Instant after) {
    refresh(after);
    return next(after, intervals());
  }

  /** How many moments there are after one, up to another, at which any rule is due. */
  long ticks(Instant after, Instant until) {
    refresh(after);
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
    Set<Duration> intervals = rules.intervals();
    return intervals.isEmpty() ? Set.of(Duration.ofMinutes(1)) : intervals;
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

  /** Takes rules over if they have changed. The numbers are read first, so a later change shows. */
  private Versions refresh(Instant around) {
    Versions now =
        new Versions(
            stages.rules().superMetrics().version(), stages.rules().thresholds().version());
    if (now.equals(versions)) {
      return now;
    }
    ReadRules read = ReadRules.of(stages.rules());
    Rules all = read.rules();
    rules = Shards.divide(all, shards).get(shard);
    programs.clear();
    thresholds.assign(rules.thresholds());
    outliers.assign(rules.outlierGroups());
    AlertRules mine = alertRules(rules);
    alerts.assign(
        shard == 0 ? mine.withOrphans(alertRules(all), read.held().keySet()) : mine, around);
    versions = now;
    return now;
  }

  private static AlertRules alertRules(Rules rules) {
    List<Raised> others = new ArrayList<>();
    for (OutlierGroup group : rules.outlierGroups()) {
      Raised raised = OutlierChanges.raised(group);
      if (raised != null) {
        others.add(raised);
      }
    }
    for (TalkerReport report : rules.talkerReports()) {
      Raised raised = ShareOutcomes.raised(report);
      if (raised != null) {
        others.add(raised);
      }
    }
    return AlertRules.of(rules.thresholds(), rules.alertDefinitions(), others);
  }

  private Set<Input> inputs(Program program, Rules due) {
    Set<Input> inputs = new HashSet<>(program.inputs());
    inputs.addAll(thresholds.inputs(due.thresholds()));
    return inputs;
  }

  private Program program(List<SuperMetricRule> due) {
    if (programs.size() > PROGRAMS) {
      programs.clear();
    }
    return programs.computeIfAbsent(
        due.stream().map(SuperMetricRule::id).collect(Collectors.toUnmodifiableSet()),
        ids -> Program.of(due.stream().map(SuperMetricRule::definition).toList(), options));
  }
}
