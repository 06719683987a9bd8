package io.peerlens.outlier.judge;

import io.peerlens.frame.ObjectProperties;
import io.peerlens.outlier.group.Mark;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outliers.Drift;
import io.peerlens.outliers.GroupShift;
import io.peerlens.outliers.PeerGroup;
import io.peerlens.outliers.Settings;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A group between two buckets: its engine, its members, and its open events. Not thread-safe. */
final class Watch {

  /** Every so many buckets what was learned is stored. */
  private static final int SAVED_EVERY = 12;

  final OutlierGroup group;
  final List<@Nullable String> units;
  final Settings settings;
  final String basis;
  private final Duration delay;

  /** How far its median has to be out; null = nobody asked. */
  final GroupShift.@Nullable Rule rule;

  /** Null = it has to be restored, or to learn. */
  @Nullable PeerGroup engine;

  /** There is one when there is an engine and somebody asked. */
  @Nullable GroupShift shift;

  /** What is usual for its medians, by day. */
  final Map<Long, UsualDay> usual = new HashMap<>();

  /** It has learned anew in this tick; what its medians were is stored with it. */
  boolean isFresh;

  /** Start of the bucket that was judged last; null = none yet. */
  @Nullable Instant last;

  /** By object. */
  final Map<Integer, OpenEvent> open = new HashMap<>();

  /** Which members differ in configuration since when; null = that is not compared. */
  @Nullable Drift drift;

  /** Events of configuration, by object. */
  final Map<Integer, OpenDrift> drifted = new HashMap<>();

  Map<Integer, Mark> marks = Map.of();

  /** The group was still learning in the bucket that was judged last. */
  boolean learning;

  /** What has changed since it was stored cannot be found again from buckets. */
  boolean toSave;

  private int[] members = {};
  private boolean @Nullable [] flags;
  private @Nullable ObjectGraph graph;
  private Set<Integer> gone = Set.of();
  private @Nullable Map<Integer, Mark> marksOfMembers;
  private @Nullable ConfigurationComparison comparison;
  private @Nullable ObjectProperties compared;
  private Set<Integer> expected = Set.of();

  /**
   * @param flowDelay when the flow metrics of a bucket are there, from its end
   */
  Watch(OutlierGroup group, List<@Nullable String> units, Duration flowDelay) {
    this.group = group;
    this.delay = group.delay(flowDelay);
    this.units = units;
    this.settings = group.settings(units);
    this.basis = group.basis(units);
    this.rule = group.groupEvent() == null ? null : group.groupEvent().rule();
  }

  Duration width() {
    return group.bucket();
  }

  /** The group as a whole begins to be judged, or goes on from where it was. */
  void shift(byte @Nullable [] saved) {
    shift =
        rule == null
            ? null
            : saved == null
                ? new GroupShift(settings, rule)
                : GroupShift.restore(settings, rule, saved);
  }

  /** What is usual for its medians in a bucket; null = nobody asked. */
  @Nullable List<GroupShift.Usual> usual(Instant bucket) {
    if (rule == null) {
      return null;
    }
    UsualDay day = isFresh ? null : usual.get(UsualLearner.day(bucket));
    return day == null
        ? Collections.nCopies(group.metrics().size(), GroupShift.Usual.UNKNOWN)
        : day.at(bucket);
  }

  /** Start of the newest bucket that can be judged at a tick. */
  Instant newest(Instant tick) {
    long width = width().toSeconds();
    long until = tick.minus(delay).getEpochSecond();
    return Instant.ofEpochSecond((Math.floorDiv(until, width) - 1) * width);
  }

  /** Members now, ascending; remembered while nothing has changed. */
  int[] members(ObjectGraph objects, boolean @Nullable [] inScope, Set<Integer> goneNow) {
    if (graph == objects && flags == inScope && gone == goneNow && marksOfMembers == marks) {
      return members;
    }
    int count = objects.count(group.kind());
    int[] found = new int[count];
    int size = 0;
    for (int number = 0; number < count; number++) {
      if (inScope != null && !inScope[number]) {
        continue;
      }
      int id = objects.id(group.kind(), number);
      Mark mark = marks.get(id);
      if (!goneNow.contains(id) && (mark == null || !mark.excludes())) {
        found[size++] = id;
      }
    }
    members = Arrays.copyOf(found, size);
    Arrays.sort(members);
    graph = objects;
    flags = inScope;
    gone = goneNow;
    marksOfMembers = marks;
    return members;
  }

  /** Tells the engine which members are expected to differ. */
  void tellMarks() {
    PeerGroup peers = engine;
    if (peers == null) {
      return;
    }
    List<Map.Entry<Integer, Mark>> expected = new ArrayList<>();
    for (Map.Entry<Integer, Mark> one : marks.entrySet()) {
      if (!one.getValue().excludes()) {
        expected.add(one);
      }
    }
    int[] ids = new int[expected.size()];
    long[] until = new long[ids.length];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = expected.get(i).getKey();
      Instant end = expected.get(i).getValue().until();
      until[i] = end == null ? PeerGroup.FOR_EVER : end.toEpochMilli();
    }
    peers.expected(ids, until);
  }

  /**
   * Goes on with what is stored of its configuration.
   *
   * @param differences that there were at the bucket that was judged last
   * @param events those that are open
   */
  void configuration(List<Drift.Difference> differences, List<OpenDrift> events) {
    drifted.clear();
    if (!group.configuration().compares()) {
      drift = null;
      return;
    }
    Map<Integer, List<Drift.Difference>> said = new HashMap<>();
    for (OpenDrift event : events) {
      drifted.put(event.objectId(), event);
      said.put(event.objectId(), event.differences(width()));
    }
    drift = Drift.restore(group.configuration().lasts().toMillis(), differences, said);
  }

  /** Members that are expected to differ at a moment. */
  Set<Integer> expected(Instant at) {
    Set<Integer> now = new HashSet<>();
    marks.forEach(
        (object, mark) -> {
          Instant until = mark.until();
          if (until != null && until.isAfter(at)) {
            now.add(object);
          }
        });
    return now;
  }

  /** How its members compare in properties; remembered while nothing has changed. */
  ConfigurationComparison comparison(
      int[] of, Set<Integer> expectedNow, ObjectProperties properties) {
    ConfigurationComparison known = comparison;
    if (known == null
        || known.members() != of
        || compared != properties
        || !expected.equals(expectedNow)) {
      known = ConfigurationComparison.of(group, of, expectedNow, properties);
      comparison = known;
      compared = properties;
      expected = expectedNow;
    }
    return known;
  }

  /** Whether what was learned is to be stored after a bucket; not of all groups after the same. */
  boolean isToBeSaved(Instant bucket) {
    long turn = bucket.getEpochSecond() / width().toSeconds() + group.id().hashCode();
    return toSave || Math.floorMod(turn, SAVED_EVERY) == 0;
  }
}
