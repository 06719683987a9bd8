package io.peerlens.ingest.kafka;

import io.peerlens.ingest.Catalog;
import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.IngestGuards;
import io.peerlens.ingest.RecordDecoder;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.SampleSink;
import io.peerlens.ingest.TimePrecision;
import io.peerlens.ingest.mapping.Mappings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumer of samples: reads them in batches and hands these to the sink, exactly once. An {@link
 * Error} in either thread, other than that of memory, ends {@link #run} with it, the consumer
 * closed.
 *
 * <p>Two threads share the work: one polls and decodes the next batch while the other stores the
 * last one. A batch that the store refuses is stored in parts, without the records to blame.
 */
public final class SampleConsumer extends TopicLoop {

  private static final Logger log = LoggerFactory.getLogger(SampleConsumer.class);
  private static final long ENDS_EVERY_MILLIS = 1_000;
  private static final long AFTER_FAILURE_MILLIS = 500;

  /** Time that Kafka may take to say where the partitions end; if longer, it is asked again. */
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(1);

  private static final long MAX_BACKOFF_MILLIS = 10_000;

  /** A batch takes several polls; what a poll unpacks beyond its bounds is unpacked in vain. */
  private static final int MAX_POLL_RECORDS = 5_000;

  /**
   * @param bootstrapServers Kafka's {@code host:port} list
   * @param topics what to read
   * @param group consumer group; all ingest nodes share it
   * @param maxBatchRecords a batch is stored when it holds this many records
   * @param linger or when it is this old
   * @param precision of timestamps in line protocol
   * @param kafka further consumer settings, for instance for TLS and SASL
   */
  public record Settings(
      String bootstrapServers,
      List<String> topics,
      String group,
      int maxBatchRecords,
      Duration linger,
      TimePrecision precision,
      Map<String, String> kafka) {}

  /**
   * @param at the moment before which Kafka was asked
   */
  private record Ends(Instant at, Map<TopicPartition, Long> offsets) {}

  private final Settings settings;
  private final Mappings mappings;
  private final Catalog catalog;
  private final SampleSink sink;
  private final Supplier<IngestGuards> guards;
  private final IngestCounters counters;
  private final InstantSource clock;
  private final ExecutorService writer =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().name("sample-writer").factory());

  // Owned by the polling thread.
  private RecordDecoder decoder;
  private SampleBatch filling = new SampleBatch();
  private SampleBatch spare = new SampleBatch();
  private List<ConsumerRecord<byte[], byte[]>> fillingRecords = new ArrayList<>();
  private List<ConsumerRecord<byte[], byte[]>> writingRecords = new ArrayList<>();
  private @Nullable Future<?> writing;
  private long fillingSince;
  private long endsAt;

  /** Ends of the partitions at a moment, while reading has not come there; null = not asked. */
  private @Nullable Ends ends;

  /** All that Kafka had at this moment was read since the last start; null = not yet. */
  private @Nullable Instant readUntil;

  /** As {@link #readUntil} was when the batch that is being written was handed over. */
  private @Nullable Instant writtenUntil;

  /**
   * @param pause why nothing must be read now, in words; empty = read. The consumer stays in its
   *     group meanwhile, and goes on from the stored offsets when this is empty again.
   */
  public SampleConsumer(
      Settings settings,
      Mappings mappings,
      Catalog catalog,
      SampleSink sink,
      Supplier<IngestGuards> guards,
      Supplier<String> pause,
      IngestCounters counters,
      InstantSource clock) {
    super(
        properties(
            settings.bootstrapServers(),
            settings.group(),
            Math.min(MAX_POLL_RECORDS, settings.maxBatchRecords()),
            settings.kafka()),
        () -> guards.get().maxRecordBytes(),
        partitions -> Map.of(),
        pause,
        counters);
    this.settings = settings;
    this.mappings = mappings;
    this.catalog = catalog;
    this.sink = sink;
    this.guards = guards;
    this.counters = counters;
    this.clock = clock;
    this.decoder = newDecoder();
  }

  private RecordDecoder newDecoder() {
    return new RecordDecoder(mappings, catalog, guards, settings.precision(), clock);
  }

  @Override
  protected void subscribe() {
    consumer.subscribe(settings.topics(), new Rebalance());
  }

  @Override
  protected void release() {
    writer.shutdown();
  }

  @Override
  protected Map<TopicPartition, Long> stored(Set<TopicPartition> partitions) {
    return sink.positions(partitions);
  }

  @Override
  protected void found() {
    counters.trouble(restarts.stuck());
  }

  @Override
  protected RefusedRecords.Store parts() {
    return new Halves();
  }

  @Override
  protected void settle() {
    var unused = finishedWriting();
  }

  @Override
  protected boolean isSettled() {
    awaitWriter();
    return !isStoring();
  }

  @Override
  protected boolean isStoring() {
    return writing != null;
  }

  @Override
  protected void freeMemory() {
    spare = new SampleBatch();
  }

  @Override
  protected void storeIfDue() {
    if (!filling.isEmpty()
        && (isFull() || millis() - fillingSince >= settings.linger().toMillis())) {
      handOver();
    }
  }

  /** The catalog, the store or Kafka is away, or something is wrong with us. */
  @Override
  protected void failed(RuntimeException e) {
    List<ConsumerRecord<byte[], byte[]>> records = List.copyOf(fillingRecords);
    trouble("Ingest starts again from the stored offsets", e);
    restarts.failed(begins(records), shown(e));
    startOver();
    if (!restarts.stuck().isEmpty()
        && !records.isEmpty()
        && !Restarts.isOfOthers(e)
        && !(e instanceof SampleSink.FencedException)) {
      // It does not pass and nobody else is to blame: then it is some record.
      awaitWriter();
      if (finishedWriting()) {
        refused(new SampleSink.RefusedException(shown(e), e), records);
      }
    }
    rest(AFTER_FAILURE_MILLIS);
  }

  private static Map<TopicPartition, Long> begins(List<ConsumerRecord<byte[], byte[]>> records) {
    Map<TopicPartition, Long> begins = new HashMap<>();
    records.forEach(record -> begins.putIfAbsent(partition(record), record.offset()));
    return begins;
  }

  private boolean isFull() {
    return Math.max(fillingRecords.size(), filling.rows()) >= settings.maxBatchRecords()
        || filling.bytes() >= BoundedConsumer.MAX_POLL_BYTES;
  }

  @Override
  protected void take(List<ConsumerRecord<byte[], byte[]>> records) {
    if (filling.isEmpty()) {
      fillingSince = millis();
    }
    fillingRecords.addAll(records);
    long begin = System.nanoTime();
    decoder.decode(records, positions, filling);
    counters.decoded(Duration.ofNanos(System.nanoTime() - begin), decoder.seriesCount());
  }

  /** Gives the batch to the writer as soon as that is free, staying in the group meanwhile. */
  private void handOver() {
    awaitWriter();
    if (writing != null || mustStartOver() || filling.isEmpty()) {
      return; // closing, or given up while waiting
    }
    SampleBatch batch = filling;
    filling = spare;
    spare = batch;
    List<ConsumerRecord<byte[], byte[]>> records = fillingRecords;
    fillingRecords = writingRecords;
    writingRecords = records;
    fillingRecords.clear();
    filling.clear();
    // What comes next builds on this batch being stored; if it is not, everything starts again.
    batch.ranges().forEach((partition, range) -> positions.put(partition, range.to()));
    writtenUntil = readUntil;
    writing = writer.submit(() -> store(batch));
  }

  /** Runs in the writer's thread. Tries until the batch is stored or must be given up. */
  private void store(SampleBatch batch) {
    long backoff = 100;
    while (true) {
      long begin = System.nanoTime();
      try {
        sink.write(batch);
        counters.stored(batch, Duration.ofNanos(System.nanoTime() - begin));
        restarts.moved(batch.ranges().keySet());
        return;
      } catch (SampleSink.FencedException | SampleSink.RefusedException e) {
        throw e;
      } catch (RuntimeException e) {
        if (isClosed()) {
          throw e;
        }
        String message = String.valueOf(e.getMessage());
        if (!message.equals(counters.trouble())) {
          log.warn("A batch could not be stored and is tried again: {}", message);
        }
        counters.trouble(message);
        Map<TopicPartition, Long> from = new HashMap<>();
        batch.ranges().forEach((partition, range) -> from.put(partition, range.from()));
        restarts.failed(from, message);
        if (!restarts.stuck().isEmpty() && !Restarts.isOfOthers(e)) {
          throw new SampleSink.RefusedException(message, e);
        }
        if (rest(backoff)) {
          throw e;
        }
        backoff = Math.min(backoff * 2, MAX_BACKOFF_MILLIS);
      }
    }
  }

  private void awaitWriter() {
    boolean paused = false;
    while (!finishedWriting() && !isClosed()) {
      try {
        Objects.requireNonNull(writing).get(100, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        // The group must see us. With everything paused nothing comes; if something does, because
        // partitions were assigned in this call, reading starts over and it is read again.
        consumer.pause(consumer.assignment());
        paused = true;
        consumer.poll(Duration.ZERO);
      } catch (ExecutionException e) {
        // looked at by finishedWriting
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        close();
      }
    }
    if (paused && !mustStartOver()) {
      consumer.resume(consumer.assignment());
    }
  }

  /** Whether no batch is being stored. A batch that was given up makes everything start again. */
  private boolean finishedWriting() {
    Future<?> future = writing;
    if (future == null) {
      return true;
    }
    if (!future.isDone()) {
      return false;
    }
    writing = null;
    if (future.state() != Future.State.SUCCESS) {
      startOver();
      Throwable failure = future.state() == Future.State.FAILED ? future.exceptionNow() : null;
      if (failure instanceof SampleSink.RefusedException e) {
        refused(e, List.copyOf(writingRecords));
      } else if (failure instanceof Error e) {
        throw e; // as if this thread had met it: the consumer ends
      } else {
        log.warn("A batch was given up: {}", String.valueOf(failure));
      }
    } else {
      noTrouble();
      if (writtenUntil != null && !mustStartOver()) {
        counters.storedUntil(consumer.assignment(), writtenUntil);
      }
    }
    return true;
  }

  /** The catalog refuses something of the batch that is being filled. */
  @Override
  protected void refused(SampleSink.RefusedException e) {
    List<ConsumerRecord<byte[], byte[]>> records = List.copyOf(fillingRecords);
    startOver();
    awaitWriter();
    if (finishedWriting()) {
      refused(e, records);
    }
  }

  private void refused(
      SampleSink.RefusedException e, List<ConsumerRecord<byte[], byte[]>> records) {
    log.warn(
        "The store refuses a batch; looking for the records that are to blame: {}", e.getMessage());
    try {
      Set<TopicPartition> assigned = consumer.assignment();
      positions.clear();
      positions.putAll(sink.positions(assigned));
      RefusedRecords.store(
          records.stream()
              .filter(r -> assigned.contains(partition(r)))
              .filter(r -> r.offset() >= positions.getOrDefault(partition(r), 0L))
              .toList(),
          new Halves());
    } catch (RuntimeException away) {
      trouble("Records of a refused batch could not be stored and are read again", away);
      restarts.failed(begins(records), shown(away));
    }
    startOver();
  }

  /** Bisection of a refused batch: stores some of its records, in this thread. */
  private final class Halves implements RefusedRecords.Store {

    @Override
    public void store(List<ConsumerRecord<byte[], byte[]>> records) {
      SampleBatch part = new SampleBatch();
      long begin = System.nanoTime();
      try {
        decoder.decode(records, positions, part);
        sink.write(part);
      } catch (SampleSink.RefusedException | SampleSink.FencedException | OutOfMemoryError e) {
        decoder = newDecoder();
        throw e;
      } catch (RuntimeException e) {
        decoder = newDecoder();
        throw Restarts.isOfOthers(e) ? e : new SampleSink.RefusedException(shown(e), e);
      }
      stored(part, begin);
    }

    @Override
    public void giveUp(ConsumerRecord<byte[], byte[]> record, DeadLetter letter) {
      SampleBatch part = new SampleBatch();
      long begin = System.nanoTime();
      part.refuse(partition(record), positions.getOrDefault(partition(record), 0L), letter);
      sink.write(part);
      stored(part, begin);
    }

    private void stored(SampleBatch part, long begin) {
      counters.stored(part, Duration.ofNanos(System.nanoTime() - begin));
      restarts.moved(part.ranges().keySet());
      part.ranges().forEach((partition, range) -> positions.put(partition, range.to()));
    }

    @Override
    public boolean isClosed() {
      return SampleConsumer.this.isClosed();
    }
  }

  @Override
  protected void forget() {
    ends = null;
    readUntil = null;
    filling.clear();
    fillingRecords.clear();
    decoder = newDecoder();
  }

  @Override
  protected void finish() {
    awaitWriterOnClose();
    if (!mustStartOver() && !filling.isEmpty()) {
      handOver();
      awaitWriterOnClose();
    }
  }

  private void awaitWriterOnClose() {
    Future<?> future = writing;
    if (future != null) {
      try {
        future.get(10, TimeUnit.SECONDS);
        writing = null;
      } catch (ExecutionException | TimeoutException e) {
        startOver(); // what was read since builds on it; all of it is read again
        log.info("The last batch was not stored and will be read again");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Takes down up to when all that Kafka had is stored. */
  @Override
  protected void noteProgress() {
    if (ends != null && isReadTo(ends)) {
      readUntil = ends.at;
      ends = null;
    }
    if (readUntil != null && filling.isEmpty() && writing == null) {
      counters.storedUntil(consumer.assignment(), readUntil);
    }
    if (ends == null && millis() - endsAt >= ENDS_EVERY_MILLIS) {
      endsAt = millis();
      ends = ends(consumer.assignment());
    }
  }

  private boolean isReadTo(Ends there) {
    return there.offsets.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  /** Null when Kafka does not say, and when there are no partitions. */
  private @Nullable Ends ends(Set<TopicPartition> assigned) {
    if (assigned.isEmpty()) {
      return null;
    }
    Instant at = clock.instant();
    try {
      return new Ends(at, consumer.endOffsets(assigned, ENDS_WITHIN));
    } catch (org.apache.kafka.common.errors.TimeoutException e) {
      return null;
    }
  }

  private final class Rebalance implements ConsumerRebalanceListener {

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      Future<?> future = writing;
      if (future != null) {
        try {
          future.get(10, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
          log.info("A batch was not stored before its partitions went; its next owner reads it");
        } catch (TimeoutException e) {
          log.info("A batch is still on its way; its next owner or this one is fenced off");
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      startOver();
      released(partitions);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      assigned(partitions);
      counters.assigned(partitions);
    }
  }
}
