package io.peerlens.impact;

import io.peerlens.baselines.WeekSlots;
import io.peerlens.baselines.compare.Period;
import io.peerlens.ingest.MetricKey;
import io.peerlens.series.Aggregation;
import io.peerlens.series.SeriesAnswer;
import io.peerlens.series.SeriesProperties;
import io.peerlens.series.SeriesRequest;
import io.peerlens.series.SeriesService;
import io.peerlens.store.Level;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads five-minute means of some metrics over a period, as one series for each metric. */
final class PeriodReader {

  private static final long STEP_MILLIS = Side.STEP.toMillis();
  private static final long HOUR_MILLIS = 3_600_000;

  private final SeriesService series;
  private final int maxValues;

  PeriodReader(SeriesService series, SeriesProperties properties) {
    this.series = series;
    this.maxValues = properties.maxValues();
  }

  /**
   * A metric over a period.
   *
   * @param period means over the objects and instances that have a value
   * @param coverage share of the steps of these that have one; 0 = there are none
   */
  record Values(Period period, double coverage) {}

  /**
   * All metrics of a period.
   *
   * @param metrics in the order that was asked for
   * @param hourly whether means of hours are all that is kept of most of it
   */
  record Read(List<Values> metrics, boolean hourly) {}

  /**
   * Reads a period, in stretches of as many values as a query of series may have.
   *
   * @param metrics the keys that each metric stands for
   */
  Read read(Side side, List<List<MetricKey>> metrics, ZoneId zone) {
    int steps = side.steps();
    Map<MetricKey, List<Integer>> places = new HashMap<>();
    for (int m = 0; m < metrics.size(); m++) {
      for (MetricKey key : metrics.get(m)) {
        places.computeIfAbsent(key, k -> new ArrayList<>()).add(m);
      }
    }
    double[][] sums = new double[metrics.size()][steps];
    int[][] counts = new int[metrics.size()][steps];
    int[] lines = new int[metrics.size()];
    int hourly = 0;
    if (!places.isEmpty()) {
      List<MetricKey> keys = List.copyOf(places.keySet());
      int stretch = Math.max(1, maxValues / (keys.size() * side.objects().size()));
      for (int first = 0; first < steps; first += stretch) {
        int last = Math.min(steps, first + stretch);
        SeriesAnswer answer = series.query(request(side, keys, first, last));
        hourly += answer.level() == Level.ONE_HOUR ? last - first : 0;
        for (SeriesAnswer.Line line : answer.lines()) {
          for (int m : places.getOrDefault(line.metric(), List.of())) {
            lines[m] += first == 0 ? 1 : 0;
            add(line.values(), sums[m], counts[m], first);
          }
        }
      }
    }
    int[] slots = slots(side, steps, zone);
    List<Values> values = new ArrayList<>();
    for (int m = 0; m < metrics.size(); m++) {
      long known = 0;
      for (int i = 0; i < steps; i++) {
        known += counts[m][i];
        sums[m][i] = counts[m][i] == 0 ? Double.NaN : sums[m][i] / counts[m][i];
      }
      double coverage = lines[m] == 0 ? 0 : (double) known / ((long) steps * lines[m]);
      values.add(new Values(new Period(sums[m], slots), coverage));
    }
    return new Read(values, 2 * hourly > steps);
  }

  private static SeriesRequest request(Side side, List<MetricKey> keys, int first, int last) {
    return new SeriesRequest(
        side.ids(),
        keys,
        side.from().plus(Side.STEP.multipliedBy(first)),
        side.from().plus(Side.STEP.multipliedBy(last)),
        Side.STEP,
        Aggregation.AVG,
        last - first,
        false);
  }

  private static void add(double[] values, double[] sums, int[] counts, int first) {
    for (int i = 0; i < values.length; i++) {
      if (Double.isFinite(values[i])) {
        sums[first + i] += values[i];
        counts[first + i]++;
      }
    }
  }

  private static int[] slots(Side side, int steps, ZoneId zone) {
    WeekSlots week = new WeekSlots(zone);
    int[] slots = new int[steps];
    Instant from = side.from();
    for (int i = 0; i < steps; i++) {
      slots[i] = week.slot(Math.floorDiv(from.toEpochMilli() + i * STEP_MILLIS, HOUR_MILLIS));
    }
    return slots;
  }
}
