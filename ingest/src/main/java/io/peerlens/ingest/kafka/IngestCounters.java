package io.peerlens.ingest.kafka;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.peerlens.ingest.Catalog;
import io.peerlens.ingest.SampleBatch;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Counters of this node's ingest of samples. A batch costs one lock. */
public final class IngestCounters extends TopicCounters {

  private static final Duration[] BUCKETS =
      IntStream.of(10, 30, 100, 300, 1_000, 3_000, 10_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private static final Instant NOT_YET = Instant.MIN;

  /** More batches between two reports than this are not needed for a median. */
  private static final int MAX_BATCHES = 1_000;

  /**
   * A stored batch.
   *
   * @param millis from begin to commit
   */
  public record Batch(int records, int rows, int points, float millis) {}

  /** New parts of the inventory in the minute that began then. */
  public record Minute(Instant begin, int newObjects, int newMetrics, int newSets) {}

  private final LongAdder points = new LongAdder();
  private final LongAdder passedOver = new LongAdder();
  private final LongAdder descriptions = new LongAdder();
  private final Map<TopicPartition, Instant> storedUntil = new ConcurrentHashMap<>();
  private final AtomicInteger series = new AtomicInteger();
  private final DistributionSummary batchRows;
  private final Timer decodeTime;
  private final InstantSource clock;
  private final List<Batch> batches = new ArrayList<>(); // guarded by this
  private Minute minute = new Minute(Instant.EPOCH, 0, 0, 0); // guarded by this

  public IngestCounters(MeterRegistry registry, InstantSource clock) {
    super(
        registry,
        "peerlens.ingest.",
        "Sample rows stored",
        "Lines that went to the dead letters",
        "Storing a batch, from start to commit",
        BUCKETS);
    this.clock = clock;
    counter("points", "Values stored", points);
    counter("text.only", "Lines with texts alone, which were passed over", passedOver);
    counter("descriptions", "Records that tell of an object and hold no value", descriptions);
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
  }

  void stored(SampleBatch batch, Duration took) {
    points.add(batch.points());
    senders().add(batch.senders());
    passedOver.add(batch.passedOver());
    descriptions.add(batch.descriptions());
    batchRows.record(batch.rows());
    Map<TopicPartition, Long> of = new HashMap<>();
    batch
        .ranges()
        .forEach(
            (partition, range) ->
                // An offset not known before the first batch is 0, so the difference may be too
                // big.
                of.put(partition, Math.min(batch.records(), range.to() - range.from())));
    stored(of, batch.records(), batch.bytes(), batch.rows(), batch.deadLetters(), took);
    note(
        new Batch(
            Math.toIntExact(batch.records()),
            batch.rows(),
            Math.toIntExact(batch.points()),
            took.toNanos() / 1e6f));
  }

  private synchronized void note(Batch batch) {
    if (batches.size() < MAX_BATCHES) {
      batches.add(batch);
    }
  }

  /** Takes the batches since the last call. */
  public synchronized List<Batch> takeBatches() {
    List<Batch> taken = List.copyOf(batches);
    batches.clear();
    return taken;
  }

  void decoded(Duration took, int knownSeries) {
    decodeTime.record(took);
    series.set(knownSeries);
  }

  /** Counts what a catalog makes anew. */
  public Catalog counted(Catalog catalog) {
    return request -> {
      Catalog.Answer answer = catalog.apply(request);
      met(answer);
      return answer;
    };
  }

  private synchronized void met(Catalog.Answer answer) {
    Minute now = minute();
    minute =
        new Minute(
            now.begin,
            now.newObjects + answer.newObjects(),
            now.newMetrics + answer.newMetrics(),
            now.newSets + answer.newSets());
  }

  /** Counts of this minute. */
  public synchronized Minute minute() {
    Instant begin = clock.instant().truncatedTo(ChronoUnit.MINUTES);
    if (!minute.begin.equals(begin)) {
      minute = new Minute(begin, 0, 0, 0);
    }
    return minute;
  }

  @Override
  void released(Collection<TopicPartition> partitions) {
    super.released(partitions);
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
}
