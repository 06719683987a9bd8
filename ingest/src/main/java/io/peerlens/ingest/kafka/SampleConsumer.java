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
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a topic in batches and hands them to the sink, exactly once. An {@link Error} in either
 * thread, other than that of memory, ends {@link #run} with it, the consumer closed.
 *
 * <p>Two threads share the work: one polls and decodes the next batch while the other stores the
 * last one. The place to read from is what the store says, never Kafka's own offset, because the
 * store moves it in the transaction that holds the samples. Whatever goes wrong (a rebalance, a
 * lost race for a partition, a batch that the store refuses) has one answer: forget the batch and
 * all that was concluded from it, ask the store where to go on, and read again.
 *
 * <p>What is held in memory is bounded ({@link BoundedConsumer}). Should memory run out all the
 * same, records are read one by one until past the place ({@link CarefulReading}).
 *
 * <p>While the store is away the consumer stays in its group with its partitions paused, so a short
 * outage costs no rebalance and no data.
 */
public final class SampleConsumer implements TopicReader {

  private static final Logger log = LoggerFactory.getLogger(SampleConsumer.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration LAG_EVERY = Duration.ofSeconds(1);

  /** How long Kafka may take to say where the partitions end; if longer, it is asked again. */
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(1);

  private static final long MAX_BACKOFF_MILLIS = 10_000;

  /** A batch takes several polls; what a poll unpacks beyond its bounds is unpacked in vain. */
  private static final int MAX_POLL_RECORDS = 5_000;

  /**
   * @param bootstrapServers Kafka's {@code host:port} list
   * @param topic what to read
   * @param group consumer group; all ingest nodes share it
   * @param maxBatchRecords a batch is stored when it holds this many records
   * @param linger or when it is this old
   * @param precision of timestamps in line protocol
   * @param kafka further consumer settings, for instance for TLS and SASL
   */
  public record Settings(
      String bootstrapServers,
      String topic,
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
  private final Supplier<String> pause;
  private final IngestCounters counters;
  private final InstantSource clock;
  private final BoundedConsumer reader;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final ReadingPlaces places;
  private final CarefulReading careful;
  private final Restarts restarts = new Restarts();
  private final ExecutorService writer =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().name("sample-writer").factory());

  private final CountDownLatch closing = new CountDownLatch(1);

  // Owned by the polling thread.
  private RecordDecoder decoder;
  private SampleBatch filling = new SampleBatch();
  private SampleBatch spare = new SampleBatch();
  private List<ConsumerRecord<byte[], byte[]>> fillingRecords = new ArrayList<>();
  private List<ConsumerRecord<byte[], byte[]>> writingRecords = new ArrayList<>();
  private @Nullable Future<?> writing;
  private final Map<TopicPartition, Long> positions = new HashMap<>();
  private long fillingSince;
  private long lagAt;

  /** Where the partitions ended at a moment, while reading has not come there; null = not asked. */
  private @Nullable Ends ends;

  /** All that Kafka had at this moment was read since the last start; null = not yet. */
  private @Nullable Instant readUntil;

  /** As {@link #readUntil} was when the batch that is being written was handed over. */
  private @Nullable Instant writtenUntil;

  /** Whether the store must be asked where to go on before anything is read. */
  private boolean astray = true;

  private String lastTrouble = "";

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
    this.settings = settings;
    this.mappings = mappings;
    this.catalog = catalog;
    this.sink = sink;
    this.guards = guards;
    this.pause = pause;
    this.counters = counters;
    this.clock = clock;
    this.decoder = newDecoder();
    Properties properties = properties(settings);
    this.reader = new BoundedConsumer(properties, () -> guards.get().maxRecordBytes());
    this.consumer = reader.kafka();
    this.places = new ReadingPlaces(consumer, partitions -> Map.of());
    this.careful = new CarefulReading(properties, () -> guards.get().maxRecordBytes());
  }

  private RecordDecoder newDecoder() {
    return new RecordDecoder(mappings, catalog, guards, settings.precision(), clock);
  }

  private static Properties properties(Settings settings) {
    Properties p = BoundedConsumer.bounds(Math.min(MAX_POLL_RECORDS, settings.maxBatchRecords()));
    p.put(ConsumerConfig.GROUP_ID_CONFIG, settings.group());
    p.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    p.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, "15000");
    p.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, "3000");
    p.putAll(settings.kafka());
    p.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrapServers());
    p.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    p.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none"); // see ReadingPlaces
    return p;
  }

  @Override
  public void run() {
    try {
      consumer.subscribe(List.of(settings.topic()), new Rebalance());
      while (!isClosed()) {
        try {
          step();
        } catch (OutOfMemoryError e) {
          startCarefully(e);
        }
      }
      flush();
    } finally {
      writer.shutdown();
      reader.close();
    }
  }

  /** Reads what there is, and hands a batch over when it is large or old enough. */
  private void step() {
    try {
      finishedWriting();
      if (isPaused()) {
        return;
      }
      if (careful.isDue()) {
        readCarefully();
        return;
      }
      if (astray) {
        findPlace();
      }
      List<ConsumerRecord<byte[], byte[]>> records = reader.poll(POLL);
      if (astray) {
        return; // a rebalance came; whatever was read is read again from the stored place
      }
      restarts.reading();
      if (!records.isEmpty()) {
        take(records);
      }
      noteProgress();
      if (!filling.isEmpty()
          && (isFull() || millis() - fillingSince >= settings.linger().toMillis())) {
        handOver();
      }
    } catch (SampleSink.RefusedException e) {
      refused(e);
    } catch (OffsetOutOfRangeException e) {
      places.note(e);
      goAstray();
    } catch (RuntimeException e) {
      if (CarefulReading.isUnreadable(e)) {
        startCarefully(e);
      } else {
        startAgain(e);
      }
    }
  }

  /** The catalog, the store or Kafka is away, or something is wrong with us. */
  private void startAgain(RuntimeException e) {
    List<ConsumerRecord<byte[], byte[]>> records = List.copyOf(fillingRecords);
    trouble("Ingest starts again from the stored offsets", e);
    restarts.failed(begins(records), shown(e));
    goAstray();
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
    rest(500);
  }

  private static Map<TopicPartition, Long> begins(List<ConsumerRecord<byte[], byte[]>> records) {
    Map<TopicPartition, Long> begins = new HashMap<>();
    records.forEach(record -> begins.putIfAbsent(partition(record), record.offset()));
    return begins;
  }

  /** What comes next cannot be read as usual: it is read record by record. */
  private void startCarefully(Throwable e) {
    goAstray(); // frees what is not stored
    spare = new SampleBatch();
    counters.trouble(shown(e));
    log.warn("Memory is not enough, or a record is damaged: {}", shown(e));
    careful.begin(consumer);
    rest(500);
  }

  private void readCarefully() {
    awaitWriter();
    if (writing != null) {
      return; // closing
    }
    positions.clear();
    positions.putAll(sink.positions(consumer.assignment()));
    careful.run(consumer, Map.copyOf(positions), new Halves());
    decoder = newDecoder();
  }

  private static String shown(Throwable e) {
    return e instanceof RuntimeException && e.getMessage() != null ? e.getMessage() : e.toString();
  }

  /** Stays in the group without reading while there is a reason to pause. */
  private boolean isPaused() {
    String why = pause.get();
    if (why.isEmpty()) {
      if (counters.trouble().startsWith("paused: ")) {
        counters.trouble(""); // also where nothing comes that would show that it is over
      }
      return false;
    }
    awaitWriter();
    if (!astray) {
      log.warn("Ingest is paused: {}", why);
      goAstray();
    }
    counters.trouble("paused: " + why);
    consumer.poll(POLL); // everything is paused, so that nothing comes
    return true;
  }

  private boolean isFull() {
    return Math.max(fillingRecords.size(), filling.rows()) >= settings.maxBatchRecords()
        || filling.bytes() >= BoundedConsumer.MAX_POLL_BYTES;
  }

  private void take(List<ConsumerRecord<byte[], byte[]>> records) {
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
    if (writing != null || astray || filling.isEmpty()) {
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
        // partitions were assigned in this call, we are astray and it is read again.
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
    if (paused && !astray) {
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
      goAstray();
      Throwable failure = future.state() == Future.State.FAILED ? future.exceptionNow() : null;
      if (failure instanceof SampleSink.RefusedException e) {
        refused(e, List.copyOf(writingRecords));
      } else if (failure instanceof Error e) {
        throw e; // as if this thread had met it: the consumer ends
      } else {
        log.warn("A batch was given up: {}", String.valueOf(failure));
      }
    } else {
      lastTrouble = "";
      if (writtenUntil != null && !astray) {
        counters.storedUntil(consumer.assignment(), writtenUntil);
      }
    }
    return true;
  }

  /** The catalog refuses something of the batch that is being filled. */
  private void refused(SampleSink.RefusedException e) {
    List<ConsumerRecord<byte[], byte[]>> records = List.copyOf(fillingRecords);
    goAstray();
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
    goAstray();
  }

  /** Stores some of the records of a refused batch, in this thread. */
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

  private static TopicPartition partition(ConsumerRecord<byte[], byte[]> record) {
    return new TopicPartition(record.topic(), record.partition());
  }

  /** Drops what is not stored and everything concluded from it; reads nothing until told where. */
  private void goAstray() {
    astray = true;
    ends = null;
    readUntil = null;
    filling.clear();
    fillingRecords.clear();
    decoder = newDecoder();
    consumer.pause(consumer.assignment());
  }

  /** Asks the store where to go on, once no batch is on its way to it. */
  private void findPlace() {
    Set<TopicPartition> assigned = consumer.assignment();
    if (writing != null || assigned.isEmpty()) {
      return;
    }
    Map<TopicPartition, Long> stored = sink.positions(assigned);
    positions.clear();
    assigned.forEach(partition -> positions.put(partition, stored.getOrDefault(partition, 0L)));
    places.seek(assigned, stored);
    consumer.resume(assigned);
    astray = false;
    counters.trouble(restarts.stuck());
  }

  private void flush() {
    awaitWriterOnClose();
    if (!astray && !filling.isEmpty()) {
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
        astray = true; // what was read since builds on it; all of it is read again
        log.info("The last batch was not stored and will be read again");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Takes down how far reading is behind what Kafka has. */
  private void noteProgress() {
    if (ends != null && isReadTo(ends)) {
      readUntil = ends.at;
      ends = null;
    }
    if (readUntil != null && filling.isEmpty() && writing == null) {
      counters.storedUntil(consumer.assignment(), readUntil);
    }
    long now = millis();
    if (now - lagAt < LAG_EVERY.toMillis()) {
      return;
    }
    lagAt = now;
    Set<TopicPartition> assigned = consumer.assignment();
    for (TopicPartition partition : assigned) {
      OptionalLong lag = consumer.currentLag(partition);
      if (lag.isPresent()) {
        counters.lag(partition, lag.getAsLong());
      }
    }
    if (ends == null) {
      ends = ends(assigned);
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

  /** Says what is wrong, once for each reason. */
  private void trouble(String what, RuntimeException e) {
    String reason = String.valueOf(e.getMessage());
    counters.trouble(reason);
    if (!reason.equals(lastTrouble)) {
      lastTrouble = reason;
      log.warn(what, e);
    }
  }

  private boolean isClosed() {
    return closing.getCount() == 0;
  }

  /** Waits, but not when closing. Returns whether it is time to stop. */
  private boolean rest(long millis) {
    try {
      return closing.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close();
      return true;
    }
  }

  private static long millis() {
    return System.nanoTime() / 1_000_000;
  }

  @Override
  public String stuck() {
    return restarts.stuck();
  }

  /** Stops reading, stores what was read, leaves the group. Does not wait for {@link #run}. */
  @Override
  public void close() {
    closing.countDown();
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
      goAstray();
      counters.released(partitions);
      restarts.moved(partitions);
      careful.release(partitions);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      log.info("Partitions assigned: {}", partitions);
      goAstray();
      places.hold(partitions);
      counters.assigned(partitions);
    }
  }
}
