package io.peerlens.slow.api;

import io.peerlens.frame.Frames;
import io.peerlens.frame.KeySets;
import io.peerlens.frame.Means;
import io.peerlens.ingest.key.MetricKey;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Series of one question: first all wishes are collected, then they are read with one statement for
 * each metric group. For one thread.
 */
final class SeriesBatch {

  /**
   * So many steps without a value at the end are filled with the one before: collectors are late.
   */
  private static final int LATE = 2;

  private final Frames frames;
  private final Means means;
  private final Instant from;
  private final int steps;
  private final Duration step;
  private final Map<Wish, Set<Integer>> wishes = new LinkedHashMap<>();
  private final Map<Wish, Map<Integer, double[]>> values = new HashMap<>();

  private record Wish(ObjectKind kind, String key) {}

  SeriesBatch(Frames frames, Means means, Instant from, int steps, Duration step) {
    this.frames = frames;
    this.means = means;
    this.from = from;
    this.steps = steps;
    this.step = step;
  }

  int steps() {
    return steps;
  }

  /** Wishes a key of some objects. */
  void want(ObjectKind kind, String key, Collection<Integer> objects) {
    wishes.computeIfAbsent(new Wish(kind, key), any -> new LinkedHashSet<>()).addAll(objects);
  }

  /**
   * Wishes a key of all instances of some objects.
   *
   * @param key without instance
   * @return the instances of each object
   */
  Map<Integer, Set<String>> wantInstances(ObjectKind kind, String key, Set<Integer> objects) {
    Map<Integer, Set<String>> found = instances(kind, key, objects);
    MetricKey bare = MetricKey.parse(key);
    found.forEach(
        (object, instances) ->
            instances.forEach(
                instance ->
                    want(
                        kind,
                        new MetricKey(bare.group(), instance, bare.metric()).toString(),
                        List.of(object))));
    return found;
  }

  /** Instances of a key by object; those without any are left out. */
  Map<Integer, Set<String>> instances(ObjectKind kind, String key, Set<Integer> objects) {
    Map<Integer, Set<String>> found = new HashMap<>();
    KeySets sets = frames.keySets(kind, key, true);
    for (int i = 0; sets != null && i < sets.sets().length; i++) {
      if (!sets.instances()[i].isEmpty() && objects.contains(sets.objects()[i])) {
        found.computeIfAbsent(sets.objects()[i], id -> new TreeSet<>()).add(sets.instances()[i]);
      }
    }
    return found;
  }

  /** Reads what was wished for since the last time. */
  void read() {
    List<Wish> order = new ArrayList<>();
    List<Means.Wanted> wanted = new ArrayList<>();
    record Group(ObjectKind kind, Set<Integer> objects) {}
    Map<Group, List<String>> groups = new LinkedHashMap<>();
    wishes.forEach(
        (wish, objects) ->
            groups
                .computeIfAbsent(new Group(wish.kind(), objects), any -> new ArrayList<>())
                .add(wish.key()));
    List<int[]> objectsOf = new ArrayList<>();
    groups.forEach(
        (group, keys) -> {
          int[] objects = group.objects().stream().mapToInt(Integer::intValue).toArray();
          wanted.add(new Means.Wanted(group.kind(), keys, objects));
          keys.forEach(
              key -> {
                order.add(new Wish(group.kind(), key));
                objectsOf.add(objects);
              });
        });
    int at = 0;
    for (double[][][] of : means.read(wanted, from, steps, step)) {
      for (double[][] byStep : of) {
        keep(order.get(at), objectsOf.get(at), byStep);
        at++;
      }
    }
    wishes.clear();
  }

  private void keep(Wish wish, int[] objects, double[][] byStep) {
    Map<Integer, double[]> kept = values.computeIfAbsent(wish, any -> new HashMap<>());
    for (int i = 0; i < objects.length; i++) {
      double[] series = new double[steps];
      boolean any = false;
      for (int s = 0; s < steps; s++) {
        series[s] = byStep[s][i];
        any |= !Double.isNaN(series[s]);
      }
      if (any) {
        fill(series);
        kept.put(objects[i], series);
      }
    }
  }

  private static void fill(double[] series) {
    int last = series.length - 1;
    while (last >= 0 && Double.isNaN(series[last])) {
      last--;
    }
    if (last >= 0 && series.length - 1 - last <= LATE) {
      Arrays.fill(series, last, series.length, series[last]);
    }
  }

  /** A series; null = it has no value. */
  double @Nullable [] get(ObjectKind kind, String key, int object) {
    Map<Integer, double[]> kept = values.get(new Wish(kind, key));
    return kept == null ? null : kept.get(object);
  }

  /** Sum of several keys, where all of them have a value; null = one has none. */
  double @Nullable [] sum(ObjectKind kind, int object, String... keys) {
    double[] sum = null;
    for (String key : keys) {
      double[] one = get(kind, key, object);
      if (one == null) {
        return null;
      }
      sum = sum == null ? one.clone() : plus(sum, one);
    }
    return sum;
  }

  static double[] plus(double[] a, double[] b) {
    double[] sum = new double[a.length];
    Arrays.setAll(sum, i -> a[i] + b[i]);
    return sum;
  }

  static double[] times(double[] values, double factor) {
    double[] all = new double[values.length];
    Arrays.setAll(all, i -> values[i] * factor);
    return all;
  }

  static double[] none(int steps) {
    double[] none = new double[steps];
    Arrays.fill(none, Double.NaN);
    return none;
  }
}
