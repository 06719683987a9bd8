package io.peerlens.outliers;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Drift of members away from the configuration of their peers: which properties differ since when,
 * and which members therefore have an event. A difference has to last before it opens an event, so
 * that peers may be changed one after the other; an event has all differences of its member that
 * have lasted, and ends with the last of them. What it knows is a list of differences and what open
 * events say, which can be stored and restored. A member that is expected to differ is given to it
 * without values. Not thread-safe.
 */
public final class Drift {

  /**
   * A property in which a member differs.
   *
   * @param value its value
   * @param common the value of its peers
   * @param agree how many members have that
   * @param judged how many members have a value
   * @param since the end of the first bucket in which it differed
   */
  public record Difference(
      int member, String key, String value, String common, int agree, int judged, long since) {}

  /** What happened to the event of a member. */
  public sealed interface Change {

    int member();

    /** It differs for long enough. */
    record Opened(int member, List<Difference> differences) implements Change {}

    /** Other properties differ, or they have other values. */
    record Updated(int member, List<Difference> differences) implements Change {}

    /** Nothing differs any more. */
    record Closed(int member) implements Change {}
  }

  /** A compared property and its majority, the members of both in the same order. */
  public record Compared(String key, Majority majority, List<? extends @Nullable String> values) {}

  private record Place(int member, String key) {}

  private final long lasts;
  private final Map<Place, Difference> differences = new HashMap<>();
  private final Map<Integer, List<Difference>> open = new TreeMap<>();

  /**
   * @param lasts how long something must differ before it is an event, in milliseconds
   */
  public Drift(long lasts) {
    this.lasts = lasts;
  }

  /**
   * Goes on from what was stored.
   *
   * @param stored all {@link #differences()} as they were
   * @param open what the open event of each member says
   */
  public static Drift restore(
      long lasts, List<Difference> stored, Map<Integer, List<Difference>> open) {
    Drift drift = new Drift(lasts);
    stored.forEach(one -> drift.differences.put(new Place(one.member, one.key), one));
    open.forEach((member, differ) -> drift.open.put(member, List.copyOf(differ)));
    return drift;
  }

  /**
   * Judges a moment.
   *
   * @param at end of the bucket
   * @param members by place
   * @param compared every property of the group; what is not among them does not differ any more
   * @return what happened, by member
   */
  public List<Change> judge(long at, int[] members, List<Compared> compared) {
    Map<Place, Difference> now = new HashMap<>();
    for (Compared one : compared) {
      for (int place : one.majority.differing()) {
        Place where = new Place(members[place], one.key);
        Difference before = differences.get(where);
        now.put(
            where,
            new Difference(
                where.member,
                where.key,
                Objects.requireNonNull(one.values.get(place)),
                Objects.requireNonNull(one.majority.common()),
                one.majority.agree(),
                one.majority.judged(),
                before == null ? at : before.since));
      }
    }
    differences.clear();
    differences.putAll(now);

    Map<Integer, List<Difference>> lasting = new HashMap<>();
    for (Difference one : differences()) {
      if (at - one.since >= lasts) {
        lasting.computeIfAbsent(one.member, m -> new ArrayList<>()).add(one);
      }
    }
    List<Change> changes = new ArrayList<>();
    TreeSet<Integer> affected = new TreeSet<>(open.keySet());
    affected.addAll(lasting.keySet());
    for (int member : affected) {
      List<Difference> differ = lasting.get(member);
      List<Difference> before = open.get(member);
      if (differ == null) {
        open.remove(member);
        changes.add(new Change.Closed(member));
      } else if (before == null) {
        open.put(member, List.copyOf(differ));
        changes.add(new Change.Opened(member, List.copyOf(differ)));
      } else if (!alike(before, differ)) {
        open.put(member, List.copyOf(differ));
        changes.add(new Change.Updated(member, List.copyOf(differ)));
      }
    }
    return changes;
  }

  /** Whether the same properties differ by the same values; how many peers agree may change. */
  private static boolean alike(List<Difference> some, List<Difference> others) {
    if (some.size() != others.size()) {
      return false;
    }
    for (int i = 0; i < some.size(); i++) {
      Difference a = some.get(i);
      Difference b = others.get(i);
      if (!a.key.equals(b.key) || !a.value.equals(b.value) || !a.common.equals(b.common)) {
        return false;
      }
    }
    return true;
  }

  /** All that differs now, whether it has lasted or not, by member and property. */
  public List<Difference> differences() {
    return differences.values().stream()
        .sorted(Comparator.comparingInt(Difference::member).thenComparing(Difference::key))
        .toList();
  }

  /** What the open events say, by member. */
  public Map<Integer, List<Difference>> open() {
    return Map.copyOf(open);
  }
}
