package io.peerlens.learning;

import io.peerlens.baselines.Sensitivity;
import io.peerlens.frame.Frames;
import io.peerlens.store.ComputedSampleStore;
import io.peerlens.store.ComputedSetStore.Metric;
import io.peerlens.store.ComputedSetStore.Owner;
import io.peerlens.store.Level;
import io.peerlens.store.SampleReader;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Anomaly counts: for each object the number of metrics outside their learned bounds, on it and
 * with all that is below it. They are written as metrics of the object by the names that vRealize
 * Operations has for them: {@code System Attributes|active_alarms} of {@code all_metrics}, and
 * {@code total_alarms} of {@code child_all_metrics}. What is usual for these counts is learned as
 * for any metric. Beside them is {@code anomaly_score}, how unusual the object is as a whole
 * ({@link RunningScores}).
 *
 * <p>A metric counts by its mean over five minutes, beyond its bounds at {@link Sensitivity#MEDIUM}
 * and by at least 5 % of the bound. One that has no value or no bounds is not judged and in none of
 * the counts. Not thread-safe.
 */
final class AnomalyCounts {

  static final String GROUP = "System Attributes";

  /** In the order in which counts are kept. */
  static final List<Metric> METRICS =
      List.of(
          new Metric("all_metrics", null),
          new Metric("active_alarms", null),
          new Metric("child_all_metrics", null),
          new Metric("total_alarms", null),
          new Metric("anomaly_score", null));

  /** Metrics of groups with such names are made from others. */
  private static final String CAPACITY = "OnlineCapacityAnalytics";

  /** Means of so long are judged. */
  static final Duration WINDOW = Duration.ofMinutes(5);

  /** Samples that are not there by then after the end of a window do not count. */
  private static final Duration WAIT = Duration.ofMinutes(2);

  static final double LEAST_SHARE = 0.05;

  /** Place of the score among the metrics. */
  private static final int SCORE = 4;

  private static final int MOST_PARENTS = 100_000;

  private final BandStore groups;
  private final BandQueries bands;
  private final SampleReader reader;
  private final Frames frames;
  private final ComputedSampleStore store;
  private final RunningScores scores;

  AnomalyCounts(
      BandStore groups,
      BandQueries bands,
      SampleReader reader,
      Frames frames,
      ComputedSampleStore store,
      RunningScores scores) {
    this.groups = groups;
    this.bands = bands;
    this.reader = reader;
    this.frames = frames;
    this.store = store;
    this.scores = scores;
  }

  /** End of the newest window that can be counted. */
  static Instant newest(Instant now) {
    long window = WINDOW.toSeconds();
    long end = Math.floorDiv(now.minus(WAIT).getEpochSecond(), window) * window;
    return Instant.ofEpochSecond(end);
  }

  /** Number of metrics of an object that are judged, and of those that are outside. */
  private static final class Count {
    int judged;
    int outside;
  }

  /**
   * Counts, scores and writes what held in the five minutes before a moment.
   *
   * @return how many objects have counts or a score
   */
  int run(Instant end) {
    Map<Integer, Count> own = new HashMap<>();
    for (MetricGroup group : groups.groups()) {
      if (!group.name().equals(GROUP)) {
        count(group, end, own);
      }
    }
    ObjectGraph objects = frames.objects();
    Map<Integer, double[]> found = new LinkedHashMap<>();
    withThoseBelow(own, objects)
        .forEach(
            (object, below) -> {
              Count itself = own.getOrDefault(object, new Count());
              found.put(
                  object,
                  new double[] {
                    itself.judged, itself.outside, below.judged, below.outside, Double.NaN
                  });
            });
    scores
        .score(end, objects)
        .forEach((object, score) -> found.computeIfAbsent(object, o -> none())[SCORE] = score);
    Map<ObjectKind, Map<Owner, double[]>> byKind = new LinkedHashMap<>();
    found.forEach(
        (object, values) -> {
          ObjectKind kind = objects.kindOf(object);
          if (kind != null) {
            byKind
                .computeIfAbsent(kind, k -> new LinkedHashMap<>())
                .put(new Owner(object, ""), values);
          }
        });
    if (!byKind.isEmpty()) {
      store.write(end, byKind);
    }
    return byKind.values().stream().mapToInt(Map::size).sum();
  }

  /**
   * Lets objects that have no score yet learn from their history.
   *
   * @param end of the last five minutes that were scored
   * @param time how long at most
   */
  void learn(Instant end, Duration time) {
    scores.learn(end, System.nanoTime() + time.toNanos());
  }

  private static double[] none() {
    double[] none = new double[METRICS.size()];
    Arrays.fill(none, Double.NaN);
    return none;
  }

  private void count(MetricGroup group, Instant end, Map<Integer, Count> own) {
    int width = group.metrics().size();
    int[] positions = IntStream.range(0, width).toArray();
    Map<Integer, BandColumns> columns =
        bands.hour(group.id(), IntStream.of(positions).boxed().toList(), end.minusMillis(1));
    boolean scored = !scores.isEmpty() && !group.name().startsWith(CAPACITY);
    if (!scored && columns.values().stream().allMatch(of -> of.sets().length == 0)) {
      return;
    }
    Map<Integer, Integer> objects = bands.objects(group.id());
    SetMeans means = new SetMeans(width);
    reader.readGroup(
        Level.RAW,
        group.id(),
        null,
        positions,
        Set.of(),
        Level.micros(end.minus(WINDOW)),
        Level.micros(end),
        means::add);
    for (int m = 0; m < width; m++) {
      BandColumns of = columns.getOrDefault(m, BandColumns.NONE);
      for (int i = 0; i < of.sets().length; i++) {
        Integer object = objects.get(of.sets()[i]);
        double value = means.of(of.sets()[i], m);
        if (object != null && !Double.isNaN(value) && !Float.isNaN(of.upper()[i])) {
          Count count = own.computeIfAbsent(object, o -> new Count());
          count.judged++;
          count.outside += isOutside(value, of.lower()[i], of.upper()[i], of.spread()[i]) ? 1 : 0;
        }
      }
    }
    if (scored) {
      take(objects, means, width);
    }
  }

  private void take(Map<Integer, Integer> objects, SetMeans means, int width) {
    objects.forEach(
        (set, object) -> {
          for (int m = 0; m < width; m++) {
            double value = means.of(set, m);
            if (!Double.isNaN(value)) {
              scores.take(object, set, m, value);
            }
          }
        });
  }

  static boolean isOutside(double value, double lower, double upper, double spread) {
    double low = low(lower, spread);
    double high = high(upper, spread);
    return value < low - LEAST_SHARE * Math.abs(low) || value > high + LEAST_SHARE * Math.abs(high);
  }

  static double low(double lower, double spread) {
    return lower - Sensitivity.MEDIUM.margin() * spread;
  }

  static double high(double upper, double spread) {
    return upper + Sensitivity.MEDIUM.margin() * spread;
  }

  /** Every object once for each of those above it, however many ways lead there. */
  private static Map<Integer, Count> withThoseBelow(Map<Integer, Count> own, ObjectGraph objects) {
    Map<Integer, Count> sums = new HashMap<>();
    Set<Integer> seen = new HashSet<>();
    ArrayDeque<Integer> next = new ArrayDeque<>();
    own.forEach(
        (object, count) -> {
          seen.clear();
          next.add(object);
          seen.add(object);
          while (!next.isEmpty()) {
            int at = next.remove();
            Count sum = sums.computeIfAbsent(at, o -> new Count());
            sum.judged += count.judged;
            sum.outside += count.outside;
            for (int parent : objects.parents(at, MOST_PARENTS)) {
              if (seen.add(parent)) {
                next.add(parent);
              }
            }
          }
        });
    return sums;
  }
}
