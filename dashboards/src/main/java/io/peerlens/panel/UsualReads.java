package io.peerlens.panel;

import io.peerlens.baselines.Sensitivity;
import io.peerlens.dashboard.file.Column;
import io.peerlens.learning.LearnedBands;
import io.peerlens.learning.LearnedRange;
import io.peerlens.store.Level;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * What is usual for the objects of rows, as it was learned, at the medium sensitivity of learned
 * thresholds. Of aggregates only.
 */
final class UsualReads {

  /** Longer windows would compute what was usual in days that are not kept any more. */
  static final Duration LONGEST = Duration.ofDays(35);

  private static final int STEPS = 2016; // of 5 minutes in a week
  private static final double MARGIN = Sensitivity.MEDIUM.margin();

  private final PanelData data;
  private final MetricReads metrics;
  private final ObjectGraph graph;

  UsualReads(PanelData data, MetricReads metrics, ObjectGraph graph) {
    this.data = data;
    this.metrics = metrics;
    this.graph = graph;
  }

  /**
   * Bounds of rows.
   *
   * @param lower by row; NaN = nothing is learned
   * @param upper likewise
   */
  record Bounds(double[] lower, double[] upper) {}

  /** Bounds of a metric in the hour of a moment. */
  Bounds at(String key, Rows rows, Instant moment) {
    LearnedBands learned = data.bands(moment.minusMillis(1), moment.plusMillis(1), objects(rows));
    return at(learned, key, rows, moment.toEpochMilli());
  }

  private Bounds at(LearnedBands learned, String key, Rows rows, long millis) {
    Bounds bounds = new Bounds(Cells.none(rows.size()), Cells.none(rows.size()));
    for (ObjectKind kind : rows.distinctKinds()) {
      LearnedRange range = learned.at(kind, key, graph, millis);
      if (range == null) {
        continue;
      }
      for (int row : rows.ofKind(kind)) {
        int number = graph.number(kind, rows.objects()[row]);
        if (number >= 0 && number < range.lower().length) {
          double spread = range.spread()[number];
          bounds.lower()[row] = range.lower()[number] - MARGIN * spread;
          bounds.upper()[row] = range.upper()[number] + MARGIN * spread;
        }
      }
    }
    return bounds;
  }

  /** Bounds of a metric in each hour of some moments: by moment, then by row. */
  Bounds[] at(String key, Rows rows, long[] millis) {
    if (millis.length == 0) {
      return new Bounds[0];
    }
    LearnedBands learned =
        data.bands(
            Instant.ofEpochMilli(millis[0]),
            Instant.ofEpochMilli(millis[millis.length - 1] + 1),
            objects(rows));
    Bounds[] found = new Bounds[millis.length];
    long hour = Long.MIN_VALUE;
    for (int i = 0; i < millis.length; i++) {
      long its = Math.floorDiv(millis[i], 3_600_000L);
      found[i] = its == hour && i > 0 ? found[i - 1] : at(learned, key, rows, millis[i]);
      hour = its;
    }
    return found;
  }

  /**
   * Share of the steps, in percent, whose mean was not usual for the object; NaN = it had no value,
   * or nothing is learned of it.
   */
  double[] outside(Column.Metric metric, Rows rows, Instant from, Instant to) {
    double[] shares = Cells.none(rows.size());
    Instant start = Duration.between(from, to).compareTo(LONGEST) > 0 ? to.minus(LONGEST) : from;
    MetricReads.Course course =
        metrics.course(metric, rows, Level.micros(start), Level.micros(to), STEPS);
    String key = course.key();
    if (key == null) {
      return shares;
    }
    Bins bins = course.bins();
    int[] judged = new int[shares.length];
    int[] outside = new int[shares.length];
    LearnedBands learned =
        data.bands(
            Instant.ofEpochMilli(bins.time(0)),
            Instant.ofEpochMilli(bins.time(bins.steps() - 1) + 1),
            objects(rows));
    Bounds bounds = new Bounds(Cells.none(shares.length), Cells.none(shares.length));
    long hour = Long.MIN_VALUE;
    for (int step = 0; step < bins.steps(); step++) {
      long its = Math.floorDiv(bins.time(step), 3_600_000L);
      if (its != hour) {
        bounds = at(learned, key, rows, bins.time(step));
        hour = its;
      }
      for (int row = 0; row < shares.length; row++) {
        double mean = bins.mean(row, step);
        double lower = bounds.lower()[row];
        if (!Double.isNaN(mean) && !Double.isNaN(lower)) {
          judged[row]++;
          outside[row] += mean < lower || mean > bounds.upper()[row] ? 1 : 0;
        }
      }
    }
    for (int row = 0; row < shares.length; row++) {
      shares[row] = judged[row] == 0 ? Double.NaN : 100.0 * outside[row] / judged[row];
    }
    return shares;
  }

  private static java.util.function.IntPredicate objects(Rows rows) {
    Set<Integer> ids = new HashSet<>();
    Arrays.stream(rows.objects()).forEach(ids::add);
    return ids::contains;
  }
}
