package io.peerlens.run.read;

import io.peerlens.run.Latencies;
import io.peerlens.run.Run.Direction;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A run definition of vdbench while it is read, from a flatfile, a summary or what was printed. */
final class VdbenchRun {

  /** vdbench's MB, unless a header says {@code 1000**2}. */
  static final double MB = 1_048_576;

  private static final Pattern AVERAGE = Pattern.compile("avg_(\\d{1,9})-(\\d{1,9})");
  private static final int MOST_VALUES = 8;
  private static final int DAY = 86_400_000;

  /** What columns mean, whatever their place and heading. */
  enum Column {
    RATE,
    MEGABYTES,
    READ_PERCENT,
    RESPONSE,
    READ_RESPONSE,
    WRITE_RESPONSE,
    RESPONSE_MAX,
    READ_MAX,
    WRITE_MAX,
    QUEUE,
    CPU,
    READ_RATE,
    WRITE_RATE,
    READ_MEGABYTES,
    WRITE_MEGABYTES
  }

  final String name;
  double megabyte = MB;

  /** Milliseconds of the day; -1 = unknown. */
  int started = -1;

  /** As vdbench prints it, {@code Apr 11, 2019}; empty = unknown. */
  String date = "";

  final Intervals intervals = new Intervals();

  /** The tool's own average; null = it did not come to it. */
  @Nullable Map<Column, Double> average;

  /** The first interval of the average, from 1. */
  int first = 2;

  /** Distinct values of columns that are parameters. */
  final Map<String, List<String>> parameters = new TreeMap<>();

  /** What this turn of its loops has, such as {@code threads=2}. */
  final Map<String, String> loops = new TreeMap<>();

  final List<Latencies> latencies = new ArrayList<>();
  private final Doubles lengths = new Doubles();
  private final Map<Column, double[]> sums = new EnumMap<>(Column.class);
  private boolean ended;
  private int lastInterval;
  private int lastTime = -1;

  VdbenchRun(String name) {
    this.name = name;
  }

  /** Whether an interval of this number can follow; otherwise another run has begun. */
  boolean continuesWith(String interval) {
    if (ended) {
      return false;
    }
    double number = Numbers.of(interval);
    return Double.isNaN(number) || number > lastInterval;
  }

  /**
   * Adds a line.
   *
   * @param time of the day; NaN-like texts are left out of the length of an interval
   * @param interval a number, {@code avg_2-60}, or {@code std_} and {@code max_}, which are left
   *     out
   * @return whether the line's interval was understood
   */
  boolean add(String time, String interval, Map<Column, Double> values) {
    Matcher averages = AVERAGE.matcher(interval);
    if (averages.matches()) {
      first = Integer.parseInt(averages.group(1));
      ended = true;
      // avg_2-1 is of no interval: the run was not longer than its warm-up.
      if (Integer.parseInt(averages.group(2)) >= first) {
        average = new EnumMap<>(values);
      }
      return true;
    }
    if (interval.startsWith("std_") || interval.startsWith("max_")) {
      return true;
    }
    double number = Numbers.of(interval);
    if (!(number >= 1) || number > Integer.MAX_VALUE || number != Math.rint(number)) {
      return false;
    }
    int at = millisecondOfDay(time);
    if (at >= 0) {
      if (lastTime >= 0 && number == lastInterval + 1) {
        lengths.add(Math.floorMod(at - lastTime, DAY) / 1000.0);
      }
      lastTime = at;
    }
    lastInterval = (int) number;
    intervals.end(number);
    series(values);
    if (number >= 2) {
      values.forEach(
          (column, value) -> {
            if (!Double.isNaN(value)) {
              double weight = weight(column, values);
              double[] sum = sums.computeIfAbsent(column, key -> new double[3]);
              sum[0] += weight == 0 ? 0 : value * weight;
              sum[1] += weight;
              sum[2] = Math.max(sum[2], value);
            }
          });
    }
    return true;
  }

  /** Whether it only prepared what others work on. */
  boolean prepares() {
    return name.equals("SD_format") || name.startsWith("format_for_");
  }

  /** What a column's mean over intervals is weighted by. */
  private static double weight(Column column, Map<Column, Double> values) {
    double rate = values.getOrDefault(Column.RATE, 0.0);
    double share = values.getOrDefault(Column.READ_PERCENT, Double.NaN) / 100;
    double weight =
        switch (column) {
          case RESPONSE, READ_PERCENT -> rate;
          case READ_RESPONSE -> values.getOrDefault(Column.READ_RATE, rate * share);
          case WRITE_RESPONSE -> values.getOrDefault(Column.WRITE_RATE, rate * (1 - share));
          default -> 1;
        };
    return Double.isNaN(weight) ? 0 : weight;
  }

  private void series(Map<Column, Double> values) {
    values(
        values,
        (direction, metric, unit, value) ->
            intervals.value(LatencyFigures.name(direction, metric), unit, value));
  }

  /** Takes a value under our name. */
  interface Value {
    void take(Direction direction, String metric, String unit, double value);
  }

  /** A line's values under our names and in our units. */
  void values(Map<Column, Double> values, Value to) {
    double rate = values.getOrDefault(Column.RATE, Double.NaN);
    double share = values.getOrDefault(Column.READ_PERCENT, Double.NaN) / 100;
    double reads = values.getOrDefault(Column.READ_RATE, rate * share);
    double writes = values.getOrDefault(Column.WRITE_RATE, rate * (1 - share));
    to.take(Direction.BOTH, "iops", "IO/s", rate);
    to.take(Direction.READ, "iops", "IO/s", reads);
    to.take(Direction.WRITE, "iops", "IO/s", writes);
    megabytes(values, Column.MEGABYTES, Direction.BOTH, to);
    megabytes(values, Column.READ_MEGABYTES, Direction.READ, to);
    megabytes(values, Column.WRITE_MEGABYTES, Direction.WRITE, to);
    plain(values, Column.RESPONSE, Direction.BOTH, "latency", "ms", to);
    plain(values, Column.RESPONSE_MAX, Direction.BOTH, "latency_max", "ms", to);
    // Of no operations, vdbench writes a response time of 0.
    if (reads != 0) {
      plain(values, Column.READ_RESPONSE, Direction.READ, "latency", "ms", to);
      plain(values, Column.READ_MAX, Direction.READ, "latency_max", "ms", to);
    }
    if (writes != 0) {
      plain(values, Column.WRITE_RESPONSE, Direction.WRITE, "latency", "ms", to);
      plain(values, Column.WRITE_MAX, Direction.WRITE, "latency_max", "ms", to);
    }
    plain(values, Column.QUEUE, Direction.BOTH, "outstanding", "", to);
    plain(values, Column.CPU, Direction.BOTH, "cpu", "%", to);
  }

  private void megabytes(Map<Column, Double> values, Column of, Direction direction, Value to) {
    Double value = values.get(of);
    if (value != null) {
      to.take(direction, "throughput", "B/s", value * megabyte);
    }
  }

  private static void plain(
      Map<Column, Double> values,
      Column of,
      Direction direction,
      String metric,
      String unit,
      Value to) {
    Double value = values.get(of);
    if (value != null) {
      to.take(direction, metric, unit, value);
    }
  }

  /** Remembers a value of a parameter that has a column of its own. */
  void parameter(String column, String value) {
    List<String> values = parameters.computeIfAbsent(column, key -> new ArrayList<>());
    if (values.size() < MOST_VALUES && !value.equals("n/a") && !values.contains(value)) {
      values.add(value);
    }
  }

  /** The average of the intervals after the first, where the tool did not come to its own. */
  Map<Column, Double> ownAverage() {
    Map<Column, Double> means = new EnumMap<>(Column.class);
    sums.forEach(
        (column, sum) ->
            means.put(
                column,
                switch (column) {
                  case RESPONSE_MAX, READ_MAX, WRITE_MAX -> sum[2];
                  default -> sum[1] == 0 ? 0 : sum[0] / sum[1];
                }));
    return means;
  }

  /** Seconds of an interval, as usual as possible; NaN = there are not two. */
  double intervalSeconds() {
    double median = lengths.median();
    return median >= 0.95 ? Math.rint(median) : median;
  }

  /** -1 = it is no time of day. */
  static int millisecondOfDay(String time) {
    if (time.length() < 8 || time.charAt(2) != ':' || time.charAt(5) != ':') {
      return -1;
    }
    double hours = Numbers.of(time.substring(0, 2));
    double minutes = Numbers.of(time.substring(3, 5));
    double seconds = Numbers.of(time.substring(6));
    double all = (hours * 3600 + minutes * 60 + seconds) * 1000;
    return all >= 0 && all < 2.0 * DAY ? (int) Math.round(all) : -1;
  }
}
