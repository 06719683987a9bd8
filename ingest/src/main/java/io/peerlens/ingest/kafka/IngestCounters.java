package io.peerlens.ingest.kafka;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.RejectReason;
import io.peerlens.ingest.SampleBatch;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * All figures of this node's ingest, as Micrometer metrics and for the status in the API. Counted
 * when a batch is durable, so a batch that is given up does not count.
 */
public final class IngestCounters {

  private static final Duration[] BUCKETS =
      IntStream.of(10, 30, 100, 300, 1_000, 3_000, 10_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private static final Instant NOT_YET = Instant.MIN;

  private final LongAdder points = new LongAdder();
  private final LongAdder rows = new LongAdder();
  private final LongAdder records = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder passedOver = new LongAdder();
  private final LongAdder batches = new LongAdder();
  private final Map<RejectReason, LongAdder> rejected = new EnumMap<>(RejectReason.class);
  private final Map<TopicPartition, Long> lag = new ConcurrentHashMap<>();
  private final Map<TopicPartition, Instant> storedUntil = new ConcurrentHashMap<>();
  private final AtomicInteger series = new AtomicInteger();
  private final LongAdder writeMillis = new LongAdder();
  private volatile String trouble = "";

  private final DistributionSummary batchRows;
  private final Timer decodeTime;
  private final Timer writeTime;

  public IngestCounters(MeterRegistry registry) {
    counter(registry, "peerlens.ingest.points", "Values stored", points);
    counter(registry, "peerlens.ingest.rows", "Sample rows stored", rows);
    counter(registry, "peerlens.ingest.records", "Kafka records taken in", records);
    counter(registry, "peerlens.ingest.bytes", "Bytes of the Kafka records taken in", bytes);
    counter(
        registry,
        "peerlens.ingest.text.only",
        "Lines with texts alone, which were passed over",
        passedOver);
    for (RejectReason reason : RejectReason.values()) {
      LongAdder adder = new LongAdder();
      rejected.put(reason, adder);
      io.micrometer.core.instrument.FunctionCounter.builder(
              "peerlens.ingest.rejected", adder, LongAdder::sum)
          .tag("reason", reason.code())
          .description("Lines that went to the dead letters")
          .register(registry);
    }
    Gauge.builder("peerlens.ingest.lag", this, IngestCounters::totalLag)
        .description("Records in Kafka that are not stored yet, of this node's partitions")
        .register(registry);
    Gauge.builder("peerlens.ingest.series", series, AtomicInteger::get)
        .description("Series that the decoders of this node know")
        .register(registry);
    batchRows =
        DistributionSummary.builder("peerlens.ingest.batch.rows")
            .description("Sample rows in a batch")
            .serviceLevelObjectives(100, 1_000, 10_000, 100_000)
            .register(registry);
    decodeTime =
        Timer.builder("peerlens.ingest.decode")
            .description("Decoding what one poll gave")
            .serviceLevelObjectives(BUCKETS)
            .register(registry);
    writeTime =
        Timer.builder("peerlens.ingest.write")
            .description("Storing a batch, from begin to commit")
            .serviceLevelObjectives(BUCKETS)
            .register(registry);
  }

  private static void counter(
      MeterRegistry registry, String name, String description, LongAdder adder) {
    io.micrometer.core.instrument.FunctionCounter.builder(name, adder, LongAdder::sum)
        .description(description)
        .register(registry);
  }

  void stored(SampleBatch batch, Duration took) {
    points.add(batch.points());
    rows.add(batch.rows());
    records.add(batch.records());
    bytes.add(batch.bytes());
    passedOver.add(batch.passedOver());
    batches.increment();
    writeMillis.add(took.toMillis());
    batchRows.record(batch.rows());
    writeTime.record(took);
    for (DeadLetter letter : batch.deadLetters()) {
      Objects.requireNonNull(rejected.get(letter.reason())).increment();
    }
    trouble = "";
  }

  void decoded(Duration took, int knownSeries) {
    decodeTime.record(took);
    series.set(knownSeries);
  }

  void trouble(String what) {
    trouble = what;
  }

  void lag(TopicPartition partition, long records) {
    lag.put(partition, records);
  }

  void released(Collection<TopicPartition> partitions) {
    lag.keySet().removeAll(partitions);
    storedUntil.keySet().removeAll(partitions);
  }

  /** Partitions that this node reads from now on. */
  void assigned(Collection<TopicPartition> partitions) {
    partitions.forEach(partition -> storedUntil.put(partition, NOT_YET));
  }

  void storedUntil(Collection<TopicPartition> partitions, Instant moment) {
    partitions.forEach(partition -> storedUntil.put(partition, moment));
  }

  /** Values stored since the start. */
  public long points() {
    return points.sum();
  }

  /** Sample rows stored since the start. */
  public long rows() {
    return rows.sum();
  }

  /** Kafka records taken in since the start. */
  public long records() {
    return records.sum();
  }

  /** Bytes of Kafka records taken in since the start. */
  public long bytes() {
    return bytes.sum();
  }

  /** Batches stored since the start. */
  public long batches() {
    return batches.sum();
  }

  /** Time spent storing batches since the start, in milliseconds. */
  public long writeMillis() {
    return writeMillis.sum();
  }

  /** Lines that went to the dead letters since the start. */
  public Map<RejectReason, Long> rejected() {
    Map<RejectReason, Long> sums = new EnumMap<>(RejectReason.class);
    rejected.forEach(
        (reason, adder) -> {
          if (adder.sum() > 0) {
            sums.put(reason, adder.sum());
          }
        });
    return sums;
  }

  /** Records in Kafka that are not stored yet, by partition of this node. */
  public Map<TopicPartition, Long> lag() {
    return Map.copyOf(lag);
  }

  /**
   * Until when all is stored that Kafka had, by the clock of this node and over all partitions that
   * it reads: records that were in them at that moment are in the database. It moves on without
   * records too, and stands still while Kafka or the database is away.
   *
   * @return null = it reads no partition, or has not come to the end of one yet since it got it
   */
  public @Nullable Instant storedUntil() {
    return storedUntil.values().stream()
        .min(Comparator.naturalOrder())
        .filter(until -> !until.equals(NOT_YET))
        .orElse(null);
  }

  private double totalLag() {
    return lag.values().stream().mapToLong(Long::longValue).sum();
  }

  /** What keeps the newest batch from being stored; empty when nothing does. */
  public String trouble() {
    return trouble;
  }
}
