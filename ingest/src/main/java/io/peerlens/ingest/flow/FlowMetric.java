package io.peerlens.ingest.flow;

import io.peerlens.ingest.key.MetricKey;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A metric made of flows. Traffic that an object received and traffic that it sent are different
 * metrics; a rate is the mean of a bucket, a sum counts the whole bucket.
 */
public enum FlowMetric {
  BYTES_RX_RATE("bytesRx_rate", "B/s", TalkerMeasure.BYTES, true, true),
  BYTES_TX_RATE("bytesTx_rate", "B/s", TalkerMeasure.BYTES, false, true),
  PACKETS_RX_RATE("packetsRx_rate", "packets/s", TalkerMeasure.PACKETS, true, true),
  PACKETS_TX_RATE("packetsTx_rate", "packets/s", TalkerMeasure.PACKETS, false, true),
  /** Sessions that others opened to it. */
  SESSIONS_RX("sessionsRx_summation", "number", TalkerMeasure.SESSIONS, true, false),
  /** Sessions that it opened. */
  SESSIONS_TX("sessionsTx_summation", "number", TalkerMeasure.SESSIONS, false, false),
  /** Packets to it that were not forwarded. */
  DROPS_RX_RATE("dropsRx_rate", "drops/s", TalkerMeasure.DROPS, true, true),
  DROPS_TX_RATE("dropsTx_rate", "drops/s", TalkerMeasure.DROPS, false, true),
  RESETS_RX("resetsRx_summation", "number", TalkerMeasure.RESETS, true, false),
  RESETS_TX("resetsTx_summation", "number", TalkerMeasure.RESETS, false, false),
  BYTES_RX("bytesRx_summation", "B", TalkerMeasure.BYTES, true, false),
  BYTES_TX("bytesTx_summation", "B", TalkerMeasure.BYTES, false, false);

  private static final Map<String, FlowMetric> BY_NAME =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(FlowMetric::metric, Function.identity()));

  private final String metric;
  private final String unit;
  private final TalkerMeasure measure;
  private final boolean received;
  private final boolean rate;

  FlowMetric(String metric, String unit, TalkerMeasure measure, boolean received, boolean rate) {
    this.metric = metric;
    this.unit = unit;
    this.measure = measure;
    this.received = received;
    this.rate = rate;
  }

  /** Last part of its key. */
  public String metric() {
    return metric;
  }

  /** Unit as it is stored with the metric. */
  public String unit() {
    return unit;
  }

  /** Measure that the metric is made of. */
  public TalkerMeasure measure() {
    return measure;
  }

  /** Whether it is what the object receives, not what it sends. */
  public boolean received() {
    return received;
  }

  /** Whether it is by second, not of the whole bucket. */
  public boolean rate() {
    return rate;
  }

  /**
   * Its value.
   *
   * @param sum of its measure, in one bucket or several
   * @param buckets how many
   * @param seconds length of one
   */
  public double value(double sum, double buckets, double seconds) {
    return sum / (rate ? buckets * seconds : buckets);
  }

  /** Key of the metric for a part of the traffic. */
  public String key(FlowPart part) {
    return new MetricKey(FlowPart.GROUP, part.instance(), metric).toString();
  }

  /** A metric of a part of the traffic. */
  public record Of(FlowMetric metric, FlowPart part) {

    /** Its key. */
    public String key() {
      return metric.key(part);
    }
  }

  /** Reads a key; null = it is of no flow metric. */
  public static @Nullable Of parse(String key) {
    Of read = read(key);
    return read != null && read.key().equals(key) ? read : null;
  }

  /** The same for a key as people may write it, with services in any order. */
  public static @Nullable Of read(String key) {
    MetricKey parsed = MetricKey.parse(key);
    FlowMetric metric = BY_NAME.get(parsed.metric());
    if (metric == null || !parsed.group().equals(FlowPart.GROUP)) {
      return null;
    }
    FlowPart part = FlowPart.read(parsed.instance());
    return part == null ? null : new Of(metric, part);
  }

  /** All metric names, in the order of this enumeration. */
  public static List<String> names() {
    return Arrays.stream(values()).map(FlowMetric::metric).toList();
  }
}
