package io.peerlens.outlier.judge;

import static java.util.Objects.requireNonNull;

import io.peerlens.alert.Finding;
import io.peerlens.alert.Outcome;
import io.peerlens.frame.Means;
import io.peerlens.frame.ObjectProperties;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.group.OutlierProperties;
import io.peerlens.outliers.Judgement;
import io.peerlens.outliers.Method;
import io.peerlens.outliers.PeerGroup;
import io.peerlens.scope.ScopeFlags;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.words.MetricNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Outlier stage of a tick: judges the groups of a shard, bucket by bucket. A bucket is judged at
 * the first tick that is late enough after its end; buckets that were missed are judged in order.
 * What a group has learned is stored every few buckets, and what was judged with each tick, so who
 * takes the shard over goes through the buckets since then with the same code and is where the last
 * one was. When a tick cannot be stored, the stage that ran it is to be thrown away. Not
 * thread-safe.
 */
public final class OutlierStage {

  private static final Logger log = LoggerFactory.getLogger(OutlierStage.class);

  /** So many missed buckets of a group are judged in one tick. */
  private static final int MOST_AT_ONCE = 24;

  /** So many values are read at once when a group learns. */
  private static final int VALUES_AT_ONCE = 4_000_000;

  /** So many groups that were taken over are restored at once. */
  private static final int RESTORED_AT_ONCE = 100;

  private static final Duration GONE_HOLDS = Duration.ofMinutes(10);

  private final OutlierStore store;
  private final Means means;
  private final PeerValues past;
  private final ScopeFlags scopes;
  private final MetricNames names;
  private final OutlierExplanations explanations;
  private final UsualMedians usual;
  private final BucketJudge judge;
  private final ConfigurationJudge configurations;
  private final Supplier<ObjectProperties> configuration;
  private final OutlierProperties properties;
  private final Duration forgetAfter;
  private final Duration flowDelay;
  private final LongSupplier nanos;
  private final Map<UUID, Watch> watches = new LinkedHashMap<>();
  private Set<Integer> gone = Set.of();
  private Instant goneAt = Instant.MIN;

  /**
   * @param configuration properties of objects as they are now
   * @param forgetAfter an object of which nothing was heard for this long is no member
   * @param flowDelay when the flow metrics of a bucket are there, from its end
   * @param nanos a clock, as {@link System#nanoTime}
   */
  public OutlierStage(
      OutlierStore store,
      Means means,
      PeerValues past,
      ScopeFlags scopes,
      MetricNames names,
      OutlierExplanations explanations,
      UsualMedians usual,
      Supplier<ObjectProperties> configuration,
      OutlierProperties properties,
      Duration forgetAfter,
      Duration flowDelay,
      LongSupplier nanos) {
    this.store = store;
    this.means = means;
    this.past = past;
    this.scopes = scopes;
    this.names = names;
    this.explanations = explanations;
    this.usual = usual;
    this.judge = new BucketJudge(names, explanations, nanos);
    this.configurations = new ConfigurationJudge(explanations);
    this.configuration = configuration;
    this.properties = properties;
    this.forgetAfter = forgetAfter;
    this.flowDelay = flowDelay;
    this.nanos = nanos;
  }

  /**
   * Says which groups are the shard's from now on: to be called before the first tick, and when
   * rules have changed.
   */
  public void assign(Collection<OutlierGroup> groups) {
    names.forget();
    Map<UUID, OutlierStore.Stored> stored =
        store.load(groups.stream().map(OutlierGroup::id).toList());
    Map<UUID, Watch> before = Map.copyOf(watches);
    watches.clear();
    for (OutlierGroup group : groups) {
      OutlierStore.Stored of = requireNonNull(stored.get(group.id()));
      Watch watch = new Watch(group, names.units(group.kind(), group.keys()), flowDelay);
      if (watch.basis.equals(of.basis())) {
        watch.last = of.bucket();
        goOn(before.get(group.id()), watch);
      }
      of.open().forEach(event -> watch.open.put(event.objectId(), event));
      watch.configuration(of.differences(), of.drifted());
      Watch known = before.get(group.id());
      watch.toSave |= known == null || !known.marks.equals(of.marks());
      watch.marks = of.marks();
      watch.tellMarks();
      watches.put(group.id(), watch);
    }
  }

  /** Takes over what is in memory, if nobody else has judged the group since. */
  private static void goOn(@Nullable Watch before, Watch watch) {
    if (before == null
        || before.engine == null
        || !before.basis.equals(watch.basis)
        || !Objects.equals(before.last, watch.last)) {
      return;
    }
    watch.usual.putAll(before.usual);
    if (before.settings.equals(watch.settings) && Objects.equals(before.rule, watch.rule)) {
      watch.engine = before.engine;
      watch.shift = before.shift;
      watch.toSave = before.toSave;
    } else {
      watch.engine = PeerGroup.restore(watch.settings, before.engine.save());
      watch.shift(before.shift == null ? null : before.shift.save());
      watch.toSave = true;
    }
  }

  /**
   * Judges every bucket that can be judged at a tick.
   *
   * @param groups those that are due, among those of {@link #assign}
   */
  public OutlierTick run(Collection<OutlierGroup> groups, ObjectGraph objects, Instant tick) {
    PendingChanges found = new PendingChanges();
    long start = nanos.getAsLong();
    refreshGone(tick);
    usual.learnAhead(watches.values());
    resume(groups, tick);
    List<Due> due = new ArrayList<>();
    for (OutlierGroup group : groups) {
      Watch watch = requireNonNull(watches.get(group.id()));
      try {
        Due one = due(watch, objects, tick, start, found);
        if (one != null) {
          due.add(one);
        }
      } catch (IllegalArgumentException | IllegalStateException e) {
        failed(watch, e, found);
      }
    }
    Set<UUID> judged = judge(due, objects, found);
    List<Outcome> outcomes = new ArrayList<>();
    long open = 0;
    for (Watch watch : watches.values()) {
      open += watch.open.size() + watch.drifted.size();
      if (watch.group.alert() != null && judged.contains(watch.group.id())) {
        outcomes.add(outcome(watch));
      }
    }
    return new OutlierTick(found.changes(), outcomes, watches.size(), open);
  }

  private void refreshGone(Instant tick) {
    if (!watches.isEmpty()
        && (goneAt.equals(Instant.MIN)
            || Duration.between(goneAt, tick).abs().compareTo(GONE_HOLDS) > 0)) {
      Set<Integer> now = store.gone(tick.minus(forgetAfter));
      gone = now.equals(gone) ? gone : now;
      goneAt = tick;
    }
  }

  // What is due ---------------------------------------------------------------------------------

  /** Buckets of a group that follow one another. */
  private record Due(Watch watch, int[] members, Instant first, int buckets) {}

  private @Nullable Due due(
      Watch watch, ObjectGraph objects, Instant tick, long start, PendingChanges found) {
    Instant newest = watch.newest(tick);
    Instant last = watch.last;
    if (last != null && !newest.isAfter(last)) {
      return null;
    }
    int[] members =
        watch.members(
            objects, scopes.flags(watch.group.scope(), watch.group.kind(), objects), gone);
    String tooMany = tooMany(watch, members.length);
    if (tooMany != null) {
      watch.engine = null;
      found.failures.add(new OutlierChanges.Failure(watch.group.id(), "too-many", tooMany));
      return null;
    }
    boolean isAnew = last == null || watch.engine == null || isLong(last, newest);
    if (isAnew) {
      if (nanos.getAsLong() - start > properties.learnTime().toNanos()) {
        return null; // in the next tick
      }
      if (last != null) {
        log.warn("Group {} starts from stored values; it was at {}", watch.group.name(), last);
      }
      learn(watch, members, newest, found);
      return new Due(watch, members, newest, 1);
    }
    Instant first = requireNonNull(last).plus(watch.width());
    long missed = Duration.between(last, newest).dividedBy(watch.width());
    if (missed == 1
        && watch.learning
        && watch.open.isEmpty()
        && nanos.getAsLong() - start <= properties.learnTime().toNanos()) {
      // Its past may have come in meanwhile, as when a collector sends what it has kept.
      learn(watch, requireNonNull(watch.engine).ids(), newest, found);
    }
    return new Due(watch, members, first, (int) Math.min(MOST_AT_ONCE, missed));
  }

  /** Whether so much was missed that it is not judged bucket by bucket. */
  private boolean isLong(Instant last, Instant newest) {
    return newest.isAfter(last.plus(properties.catchUp()));
  }

  private static @Nullable String tooMany(Watch watch, int members) {
    int most =
        watch.group.method() instanceof Method.Dbscan
            ? Method.Dbscan.MAX_MEMBERS
            : OutlierGroup.MOST_MEMBERS;
    return members > most
        ? "%,d objects are in scope, %,d may be compared by this method".formatted(members, most)
        : null;
  }

  /** Makes the engines of groups that were taken over of what is stored, many at a time. */
  private void resume(Collection<OutlierGroup> groups, Instant tick) {
    List<Watch> cold = new ArrayList<>();
    for (OutlierGroup group : groups) {
      Watch watch = requireNonNull(watches.get(group.id()));
      Instant last = watch.last;
      Instant newest = watch.newest(tick);
      if (watch.engine == null && last != null && newest.isAfter(last) && !isLong(last, newest)) {
        cold.add(watch);
      }
    }
    for (int from = 0; from < cold.size(); from += RESTORED_AT_ONCE) {
      resume(cold.subList(from, Math.min(cold.size(), from + RESTORED_AT_ONCE)));
    }
  }

  private void resume(List<Watch> cold) {
    Map<UUID, Watch> byId = new HashMap<>();
    cold.forEach(watch -> byId.put(watch.group.id(), watch));
    List<OutlierStore.Stretch> stretches = new ArrayList<>();
    List<UsualMedians.Wanted> wanted = new ArrayList<>();
    for (OutlierChanges.Learned learned : store.learned(byId.keySet())) {
      Watch watch = requireNonNull(byId.get(learned.group()));
      Instant last = requireNonNull(watch.last);
      if (!learned.basis().equals(watch.basis) || learned.bucket().isAfter(last)) {
        continue;
      }
      try {
        watch.engine = PeerGroup.restore(watch.settings, learned.state());
        watch.shift(learned.shift());
        wanted.add(new UsualMedians.Wanted(watch, learned.bucket().plus(watch.width()), last));
        stretches.add(
            new OutlierStore.Stretch(watch.group.id(), watch.basis, learned.bucket(), last));
      } catch (IllegalArgumentException e) {
        watch.engine = null;
        log.info("Group {} starts learning over: {}", watch.group.name(), e.getMessage());
      }
    }
    usual.learn(wanted);
    store.judged(
        stretches,
        (group, bucket, members, values) -> {
          Watch watch = requireNonNull(byId.get(group));
          PeerGroup engine = watch.engine;
          if (engine == null) {
            return;
          }
          try {
            engine.members(members);
            Judgement judgement = engine.judge(bucket.plus(watch.width()).toEpochMilli(), values);
            BucketJudge.shift(watch, bucket, judgement);
          } catch (IllegalArgumentException | IllegalStateException e) {
            log.warn("Group {} starts learning over", watch.group.name(), e);
            watch.engine = null;
          }
        });
    cold.forEach(Watch::tellMarks);
  }

  /** Goes through what is stored up to a bucket; nothing of that raises anything. */
  private void learn(Watch watch, int[] members, Instant until, PendingChanges found) {
    PeerGroup engine = new PeerGroup(watch.settings, members);
    watch.engine = engine;
    watch.shift(null);
    watch.usual.clear();
    watch.isFresh = true;
    watch.tellMarks();
    watch.toSave = true;
    if (members.length < OutlierGroup.FEWEST_MEMBERS) {
      return;
    }
    Duration width = watch.width();
    long buckets = properties.learnFrom().dividedBy(width);
    long step =
        Math.max(1, VALUES_AT_ONCE / ((long) members.length * watch.group.metrics().size()));
    Instant from = until.minus(width.multipliedBy(buckets));
    long firstHour = from.getEpochSecond() / 3600;
    int hours = (int) (until.getEpochSecond() / 3600 - firstHour);
    MedianHours.Builder medians =
        new MedianHours.Builder(firstHour, hours, watch.group.metrics().size());
    for (long done = 0; done < buckets; done += step) {
      int count = (int) Math.min(step, buckets - done);
      Instant first = from.plus(width.multipliedBy(done));
      double[][][] values =
          past.read(watch.group.kind(), watch.group.keys(), members, first, count, width);
      for (int b = 0; b < count; b++) {
        double[][] row = BucketJudge.row(values, b);
        if (engine.last() != Long.MIN_VALUE || hasValues(row)) {
          Instant begin = first.plus(width.multipliedBy(b));
          Judgement judgement = engine.judge(begin.plus(width).toEpochMilli(), row);
          medians.add(begin.toEpochMilli(), judgement.centres());
        }
      }
    }
    MedianHours made = medians.hours();
    for (long hour = firstHour; hour < firstHour + hours; hour++) {
      if (made.has(hour)) {
        found.past.add(
            new OutlierChanges.HourLearned(watch.group.id(), watch.basis, made.hour(hour)));
      }
    }
  }

  private static boolean hasValues(double[][] row) {
    return Arrays.stream(row).flatMapToDouble(Arrays::stream).anyMatch(v -> !Double.isNaN(v));
  }

  // Judging -------------------------------------------------------------------------------------

  /** Groups whose buckets are read together. */
  private record Read(Duration width, Instant first, int buckets) {}

  private Set<UUID> judge(List<Due> due, ObjectGraph objects, PendingChanges found) {
    Map<Read, List<Due>> together = new LinkedHashMap<>();
    for (Due one : due) {
      together
          .computeIfAbsent(
              new Read(one.watch().width(), one.first(), one.buckets()), r -> new ArrayList<>())
          .add(one);
    }
    prepare(due);
    usual.learn(due.stream().map(OutlierStage::wanted).toList());
    Set<UUID> judged = new HashSet<>();
    ObjectProperties now =
        due.stream().anyMatch(one -> one.watch().drift != null) ? configuration.get() : null;
    together.forEach(
        (read, groups) -> {
          List<double[][][]> values =
              means.read(
                  groups.stream()
                      .map(
                          one ->
                              new Means.Wanted(
                                  one.watch().group.kind(),
                                  one.watch().group.keys(),
                                  one.members()))
                      .toList(),
                  read.first(),
                  read.buckets(),
                  read.width());
          for (int i = 0; i < groups.size(); i++) {
            Due one = groups.get(i);
            PendingChanges of = new PendingChanges();
            try {
              judge.judge(
                  one.watch(), one.members(), gone, one.first(), values.get(i), objects, of);
              if (now != null && one.watch().drift != null) {
                configurations.judge(one.watch(), one.members(), gone, now, objects, last(one), of);
              }
              found.add(of);
              judged.add(one.watch().group.id());
            } catch (RuntimeException e) {
              failed(one.watch(), e, found);
            }
          }
        });
    return judged;
  }

  private static UsualMedians.Wanted wanted(Due one) {
    return new UsualMedians.Wanted(one.watch(), one.first(), last(one));
  }

  /** Start of its last bucket. */
  private static Instant last(Due one) {
    return one.first().plus(one.watch().width().multipliedBy(one.buckets() - 1L));
  }

  /** What explanations of the events that are open look up is looked up together. */
  private void prepare(List<Due> due) {
    List<OutlierExplanations.Ongoing> ongoing = new ArrayList<>();
    for (Due one : due) {
      for (OpenEvent event : one.watch().open.values()) {
        if (!event.isOfGroup()) {
          ongoing.add(
              new OutlierExplanations.Ongoing(
                  one.watch().group,
                  event.lead().key(),
                  event.objectId(),
                  event.since(),
                  last(one)));
        }
      }
    }
    explanations.prepare(ongoing);
  }

  /** The group is read from the database and tried again with the next rules or tick. */
  private void failed(Watch watch, RuntimeException e, PendingChanges found) {
    log.error("Group {} could not be judged", watch.group.name(), e);
    watch.engine = null;
    OutlierStore.Stored stored =
        requireNonNull(store.load(List.of(watch.group.id())).get(watch.group.id()));
    watch.open.clear();
    stored.open().forEach(event -> watch.open.put(event.objectId(), event));
    watch.configuration(stored.differences(), stored.drifted());
    watch.last = watch.basis.equals(stored.basis()) ? stored.bucket() : null;
    found.failures.add(new OutlierChanges.Failure(watch.group.id(), "failing", e.toString()));
  }

  // Alerts --------------------------------------------------------------------------------------

  private static Outcome outcome(Watch watch) {
    Map<Integer, Finding> fires = new HashMap<>();
    watch.open.forEach(
        (object, event) -> {
          if (!event.isOfGroup()) {
            fires.put(object, event.finding(watch.group));
          }
        });
    watch.drifted.forEach(
        (object, event) -> fires.merge(object, event.finding(watch.group), Finding::and));
    int[] members = requireNonNull(watch.engine).ids();
    return new Outcome(
        watch.group.id(),
        1,
        1,
        fires,
        object ->
            Arrays.binarySearch(members, object) >= 0 || watch.marks.containsKey(object)
                ? Outcome.Verdict.CLEAR
                : Outcome.Verdict.OUT_OF_SCOPE);
  }
}
