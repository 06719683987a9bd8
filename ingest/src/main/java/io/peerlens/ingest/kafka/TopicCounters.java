package io.peerlens.ingest.kafka;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.RejectReason;
import io.peerlens.ingest.sender.SenderCounters;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.TopicPartition;

/**
 * Counters of what this node reads from a topic, as Micrometer metrics and for the status in the
 * API. Counted when it is durable, so what is given up does not count. Thread-safe.
 */
public abstract class TopicCounters {

  private final MeterRegistry registry;
  private final String prefix;
  private final LongAdder records = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder rows = new LongAdder();
  private final Map<TopicPartition, LongAdder> recordsOf = new ConcurrentHashMap<>();
  private final Map<RejectReason, LongAdder> rejected = new EnumMap<>(RejectReason.class);
  private final Map<TopicPartition, Long> lag = new ConcurrentHashMap<>();
  private final SenderCounters senders = new SenderCounters();
  private final Timer writeTime;
  private volatile String trouble = "";

  /**
   * @param prefix of the metrics, with a dot at its end
   * @param rowsAre what a row is, for the description of the metric; the other texts likewise
   * @param writeBuckets bounds of the histogram of write times; empty = there is none
   */
  protected TopicCounters(
      MeterRegistry registry,
      String prefix,
      String rowsAre,
      String rejectedAre,
      String writeIs,
      Duration... writeBuckets) {
    this.registry = registry;
    this.prefix = prefix;
    counter("records", "Kafka records taken in", records);
    counter("bytes", "Bytes of the Kafka records taken in", bytes);
    counter("rows", rowsAre, rows);
    for (RejectReason reason : RejectReason.values()) {
      LongAdder adder = new LongAdder();
      rejected.put(reason, adder);
      FunctionCounter.builder(prefix + "rejected", adder, LongAdder::sum)
          .tag("reason", reason.code())
          .description(rejectedAre)
          .register(registry);
    }
    Gauge.builder(prefix + "lag", this, TopicCounters::totalLag)
        .description("Records in Kafka that are not stored yet, of this node's partitions")
        .register(registry);
    writeTime =
        Timer.builder(prefix + "write")
            .description(writeIs)
            .serviceLevelObjectives(writeBuckets)
            .register(registry);
  }

  /** Makes an adder a metric. */
  protected final void counter(String name, String description, LongAdder adder) {
    FunctionCounter.builder(prefix + name, adder, LongAdder::sum)
        .description(description)
        .register(registry);
  }

  /** Counts what was stored in one transaction, and ends the trouble. */
  protected final void stored(
      Map<TopicPartition, Long> moreOf,
      long moreRecords,
      long moreBytes,
      long moreRows,
      List<DeadLetter> letters,
      Duration took) {
    moreOf.forEach(
        (partition, count) ->
            recordsOf.computeIfAbsent(partition, any -> new LongAdder()).add(count));
    records.add(moreRecords);
    bytes.add(moreBytes);
    rows.add(moreRows);
    writeTime.record(took);
    for (DeadLetter letter : letters) {
      Objects.requireNonNull(rejected.get(letter.reason())).increment();
    }
    trouble = "";
  }

  /** Kafka records taken in since the start. */
  public final long records() {
    return records.sum();
  }

  /** Records stored since the start, by partition. */
  public final Map<TopicPartition, Long> recordsByPartition() {
    Map<TopicPartition, Long> sums = new HashMap<>();
    recordsOf.forEach((partition, sum) -> sums.put(partition, sum.sum()));
    return sums;
  }

  /** Bytes of Kafka records taken in since the start. */
  public final long bytes() {
    return bytes.sum();
  }

  /** Rows stored since the start. */
  public final long rows() {
    return rows.sum();
  }

  /** Transactions since the start. */
  public final long batches() {
    return writeTime.count();
  }

  /** Time spent storing since the start, in milliseconds. */
  public final double writeMillis() {
    return writeTime.totalTime(TimeUnit.MILLISECONDS);
  }

  /** Dead letters since the start, by reason; reasons without any are absent. */
  public final Map<RejectReason, Long> rejected() {
    Map<RejectReason, Long> sums = new EnumMap<>(RejectReason.class);
    rejected.forEach(
        (reason, adder) -> {
          if (adder.sum() > 0) {
            sums.put(reason, adder.sum());
          }
        });
    return sums;
  }

  /** What each sender sent. */
  public final SenderCounters senders() {
    return senders;
  }

  /** Reason why nothing is read or stored now; empty when there is none. */
  public final String trouble() {
    return trouble;
  }

  /** Sets {@link #trouble}. */
  public final void trouble(String reason) {
    trouble = reason;
  }

  /** Records in Kafka that are not stored yet, by partition that this node reads. */
  public final Map<TopicPartition, Long> lag() {
    return Map.copyOf(lag);
  }

  /** Records in Kafka that are not stored yet, of all partitions that this node reads. */
  public final long totalLag() {
    return lag.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Sets how many records of a partition wait in Kafka. */
  final void lag(TopicPartition partition, long waiting) {
    lag.put(partition, waiting);
  }

  /** Forgets partitions that are read by somebody else from now on. */
  void released(Collection<TopicPartition> partitions) {
    lag.keySet().removeAll(partitions);
  }
}
