package io.peerlens.run.read;

import io.peerlens.run.Latencies;
import io.peerlens.run.Run.Direction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A time span of DiskSpd on one machine, while it is read. */
final class DiskSpdSpan {

  final String file;
  String version = "";
  String computer = "";

  /** When the tool was called, warm-up included; null = it does not say. */
  @Nullable Instant called;

  /** Values of the profile's time span. */
  Map<String, String> profile = new HashMap<>();

  /** Values of the profile's targets. */
  List<Map<String, String>> targets = new ArrayList<>();

  double seconds = Double.NaN;
  double threads = Double.NaN;
  double cpu = Double.NaN;
  String error = "";

  /** Operations and bytes. */
  final Map<Direction, double[]> done = new EnumMap<>(Direction.class);

  /** Bytes of the files, by path. */
  final Map<String, Double> sizes = new LinkedHashMap<>();

  /** Milliseconds. */
  final Map<Direction, Double> means = new EnumMap<>(Direction.class);

  /** Milliseconds by per cent. */
  final Map<Direction, TreeMap<Double, Double>> percentiles = new EnumMap<>(Direction.class);

  final Intervals intervals = new Intervals();

  /** Of threads and targets. */
  final Map<String, Intervals> parts = new LinkedHashMap<>();

  DiskSpdSpan(String file) {
    this.file = file;
  }

  double ops(Direction direction) {
    return sum(direction, 0);
  }

  double bytes(Direction direction) {
    return sum(direction, 1);
  }

  private double sum(Direction direction, int which) {
    double sum = 0;
    for (Map.Entry<Direction, double[]> one : done.entrySet()) {
      if (direction == Direction.BOTH || one.getKey() == direction) {
        sum += one.getValue()[which];
      }
    }
    return sum;
  }

  /**
   * The distribution that the percentiles draw: between two of them, operations are spread evenly.
   *
   * @return null = the file has no percentiles
   */
  @Nullable Latencies distribution(Direction direction) {
    TreeMap<Double, Double> given = percentiles.get(direction);
    double ops = ops(direction);
    if (given == null || given.isEmpty() || ops <= 0) {
      return null;
    }
    TreeMap<Double, Double> counts = new TreeMap<>();
    double before = 0;
    double highest = 0;
    for (Map.Entry<Double, Double> one : given.entrySet()) {
      highest = Math.max(highest, one.getValue());
      counts.merge(highest, (one.getKey() - before) / 100 * ops, Double::sum);
      before = one.getKey();
    }
    counts.merge(highest, (100 - before) / 100 * ops, Double::sum);
    return Latencies.of(direction, counts);
  }

  /** What machines that do the same together have in common. */
  String sameness() {
    Map<String, String> span = new TreeMap<>(profile);
    span.remove("RandSeed");
    List<Map<String, String>> all = new ArrayList<>();
    for (Map<String, String> target : targets) {
      Map<String, String> one = new TreeMap<>(target);
      one.remove("Path");
      all.add(one);
    }
    return span + "\n" + all;
  }
}
