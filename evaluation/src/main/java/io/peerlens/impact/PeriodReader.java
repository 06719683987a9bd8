package io.peerlens.impact;

import io.peerlens.baselines.WeekSlots;
import io.peerlens.baselines.compare.Period;
import io.peerlens.ingest.key.MetricKey;
import io.peerlens.series.Aggregation;
import io.peerlens.series.SeriesAnswer;
import io.peerlens.series.SeriesProperties;
import io.peerlens.series.SeriesRequest;
import io.peerlens.series.SeriesService;
import io.peerlens.store.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Five-minute means of some metrics over two periods, as one series for each metric; of periods of
 * at most {@link #SHORT}, such as runs of a test, means of a minute, where there are samples for
 * most of these.
 */
final class PeriodReader {

  static final Duration SHORT = Duration.ofHours(3);

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Values of a minute need to be there in this share of the minutes. */
  private static final double MOST = 0.6;

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
   * Both periods, by the same steps.
   *
   * @param step means of so long
   */
  record Both(Read a, Read b, Duration step) {}

  /**
   * Reads two periods.
   *
   * @param metrics the keys that each metric stands for
   */
  Both read(ComparisonSide a, ComparisonSide b, List<List<MetricKey>> metrics, ZoneId zone) {
    if (isShort(a) && isShort(b)) {
      Both both = new Both(read(a, metrics, zone, MINUTE), read(b, metrics, zone, MINUTE), MINUTE);
      if (isDense(both.a()) && isDense(both.b())) {
        return both;
      }
    }
    return new Both(
        read(a, metrics, zone, ComparisonSide.STEP),
        read(b, metrics, zone, ComparisonSide.STEP),
        ComparisonSide.STEP);
  }

  private static boolean isShort(ComparisonSide side) {
    return Duration.between(side.from(), side.to()).compareTo(SHORT) <= 0;
  }

  private static boolean isDense(Read read) {
    return read.metrics().stream().allMatch(of -> of.coverage() == 0 || of.coverage() >= MOST);
  }

  /** Reads a period, in stretches of as many values as a query of series may have. */
  private Read read(
      ComparisonSide side, List<List<MetricKey>> metrics, ZoneId zone, Duration step) {
    int steps = Math.toIntExact(Duration.between(side.from(), side.to()).dividedBy(step));
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
        SeriesAnswer answer = series.query(request(side, keys, first, last, step));
        long start = side.from().toEpochMilli();
        hourly += answer.level() == Level.ONE_HOUR ? last - first : 0;
        for (SeriesAnswer.Line line : answer.lines()) {
          for (int m : places.getOrDefault(line.metric(), List.of())) {
            lines[m] += first == 0 ? 1 : 0;
            add(answer.times(), line.values(), start, step, sums[m], counts[m], first, last);
          }
        }
      }
    }
    int[] slots = slots(side, steps, zone, step);
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

  private static SeriesRequest request(
      ComparisonSide side, List<MetricKey> keys, int first, int last, Duration step) {
    return new SeriesRequest(
        side.ids(),
        keys,
        side.from().plus(step.multipliedBy(first)),
        side.from().plus(step.multipliedBy(last)),
        step,
        Aggregation.AVG,
        last - first,
        false);
  }

  /** Adds values of the steps from first to last; an answer in wider steps has fewer. */
  private static void add(
      long[] times,
      double[] values,
      long start,
      Duration step,
      double[] sums,
      int[] counts,
      int first,
      int last) {
    for (int i = 0; i < values.length; i++) {
      int at = Math.toIntExact(Math.floorDiv(times[i] - start, step.toMillis()));
      if (at >= first && at < last && Double.isFinite(values[i])) {
        sums[at] += values[i];
        counts[at]++;
      }
    }
  }

  private static int[] slots(ComparisonSide side, int steps, ZoneId zone, Duration step) {
    WeekSlots week = new WeekSlots(zone);
    int[] slots = new int[steps];
    Instant from = side.from();
    for (int i = 0; i < steps; i++) {
      slots[i] = week.slot(Math.floorDiv(from.toEpochMilli() + i * step.toMillis(), HOUR_MILLIS));
    }
    return slots;
  }
}
