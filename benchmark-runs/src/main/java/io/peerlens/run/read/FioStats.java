package io.peerlens.run.read;

import io.peerlens.run.Latencies;
import io.peerlens.run.Run.Direction;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a job of fio says of its reads, writes, trims or (with {@code unified_rw_reporting}) of all.
 *
 * <p>Formats: fio's {@code stat.c}. Before 3.0 {@code io_bytes} are KiB and latencies microseconds
 * under {@code lat} and {@code clat}; since then bytes (beside {@code io_kbytes}) and nanoseconds
 * under {@code lat_ns} and {@code clat_ns}.
 *
 * @param ops operations
 * @param bytes that they moved
 * @param iops operations a second, as the job says it
 * @param throughput bytes a second, as the job says it
 * @param seconds that the direction ran
 * @param latency mean, in milliseconds, submission included; NaN = it was not measured
 * @param latencyMax milliseconds; NaN = it was not measured
 * @param completionOnly the mean is of {@code clat}, without submission
 * @param percentiles milliseconds by per cent, as the job says them
 * @param bins distribution, of json+; null = there is none
 * @param binsOfCompletion percentiles and bins are of {@code clat}, without submission
 */
record FioStats(
    double ops,
    double bytes,
    double iops,
    double throughput,
    double seconds,
    double latency,
    double latencyMax,
    boolean completionOnly,
    TreeMap<Double, Double> percentiles,
    @Nullable Latencies bins,
    boolean binsOfCompletion) {

  private static final int MOST_BINS = 4_096;

  /** fio divides each power of two into 64 buckets (FIO_IO_U_PLAT_BITS = 6). */
  private static final int BUCKET_BITS = 6;

  /** Below, a bucket is of one value. */
  private static final long EXACT = 1L << (BUCKET_BITS + 1);

  /** A latency and the milliseconds of its unit. */
  private record Unit(JsonNode node, double milliseconds) {}

  static FioStats of(JsonNode node, Direction direction) {
    double bytes = number(node, "io_bytes");
    if (!node.has("io_kbytes")) {
      bytes *= 1024;
    }
    double throughput = number(node, "bw_bytes");
    if (Double.isNaN(throughput)) {
      throughput = number(node, "bw") * 1024;
    }
    double seconds = number(node, "runtime") / 1000;
    double iops = number(node, "iops");
    double ops = number(node, "total_ios");
    if (Double.isNaN(ops)) {
      ops = Math.rint(iops * seconds);
    }

    Unit whole = unit(node, "lat");
    Unit completion = unit(node, "clat");
    double latency = measured(whole, "mean");
    double max = measured(whole, "max");
    boolean completionOnly = false;
    if (Double.isNaN(latency)) {
      latency = measured(completion, "mean");
      max = measured(completion, "max");
      completionOnly = !Double.isNaN(latency);
    }

    Unit distribution = has(whole, "bins") ? whole : has(completion, "bins") ? completion : null;
    Latencies bins =
        distribution == null
            ? null
            : bins(distribution.node().get("bins"), distribution, direction);
    Unit shares = has(whole, "percentile") ? whole : completion;
    Unit used = distribution == null ? shares : distribution;
    return new FioStats(
        zero(ops),
        zero(bytes),
        zero(iops),
        zero(throughput),
        zero(seconds),
        latency,
        max,
        completionOnly,
        shares == null ? new TreeMap<>() : percentiles(shares),
        bins,
        used != null && used == completion);
  }

  private static double zero(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  static double number(JsonNode node, String key) {
    JsonNode value = node.get(key);
    return value == null || !value.isNumber() ? Double.NaN : value.doubleValue();
  }

  private static @Nullable Unit unit(JsonNode node, String name) {
    if (node.has(name + "_ns")) {
      return new Unit(node.get(name + "_ns"), 1e-6);
    }
    if (node.has(name + "_us")) {
      return new Unit(node.get(name + "_us"), 1e-3);
    }
    if (node.has(name + "_ms")) {
      return new Unit(node.get(name + "_ms"), 1);
    }
    return node.has(name) ? new Unit(node.get(name), 1e-3) : null;
  }

  private static boolean has(@Nullable Unit unit, String key) {
    JsonNode value = unit == null ? null : unit.node().get(key);
    return value != null && value.isObject() && !value.isEmpty();
  }

  /** NaN where nothing was measured: fio writes a mean of 0 then. */
  private static double measured(@Nullable Unit unit, String key) {
    if (unit == null || !(number(unit.node(), "max") > 0)) {
      return Double.NaN;
    }
    return number(unit.node(), key) * unit.milliseconds();
  }

  private static TreeMap<Double, Double> percentiles(Unit unit) {
    TreeMap<Double, Double> percentiles = new TreeMap<>();
    JsonNode node = unit.node().get("percentile");
    if (node != null && node.isObject()) {
      for (Map.Entry<String, JsonNode> one : node.properties()) {
        double percent = Numbers.of(one.getKey());
        // Places of a list that was not filled are "0.00", many times.
        if (percent > 0 && percent <= 100 && one.getValue().isNumber()) {
          percentiles.put(percent, one.getValue().doubleValue() * unit.milliseconds());
        }
      }
    }
    return percentiles;
  }

  /**
   * The distribution. A key is the middle of its bucket (fio's {@code plat_idx_to_val}); buckets
   * that nothing fell into are left out, so the lower bounds of the others are put in. Before 3.0 a
   * key is the number of the bucket, beside keys that say how buckets are divided.
   */
  private static @Nullable Latencies bins(JsonNode node, Unit unit, Direction direction) {
    TreeMap<Double, Double> counts = new TreeMap<>();
    boolean numbered = node.has("FIO_IO_U_PLAT_BITS");
    for (Map.Entry<String, JsonNode> one : node.properties()) {
      double middle = Numbers.of(one.getKey());
      double count = one.getValue().isNumber() ? one.getValue().doubleValue() : Double.NaN;
      if (!(middle >= 0) || middle > Long.MAX_VALUE || !(count > 0)) {
        continue;
      }
      long value = numbered ? firstOf((long) middle) : (long) middle;
      double lower = Math.max(0, value - 1);
      double upper = Math.max(value, 1);
      if (value >= EXACT) {
        long width = Long.highestOneBit(value) >> BUCKET_BITS;
        lower = Math.floor((double) value / width) * width;
        upper = lower + width;
      }
      if (lower > 0) {
        counts.putIfAbsent(lower * unit.milliseconds(), 0.0);
      }
      counts.merge(upper * unit.milliseconds(), count, Double::sum);
      if (counts.size() > 2 * MOST_BINS) {
        throw new UnreadableException(
            0,
            "A distribution has more than %,d bins".formatted(MOST_BINS),
            "fio has at most 1,856; leave the file out.");
      }
    }
    return counts.isEmpty() ? null : Latencies.of(direction, counts);
  }

  /** The lowest value of a bucket by its number. */
  private static long firstOf(long number) {
    if (number < EXACT) {
      return number;
    }
    long doublings = Math.min((number >> BUCKET_BITS) - 1, 40);
    return ((1L << BUCKET_BITS) + number % (1L << BUCKET_BITS)) << doublings;
  }
}
