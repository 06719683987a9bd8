package io.peerlens.ingest.kafka;

import io.peerlens.ingest.SampleSink;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Poll loop of a consumer that stores exactly once. The place to read from is what the store says,
 * never Kafka's own offset, because the store moves it in the transaction that holds what was read.
 * Whatever goes wrong (a rebalance, a lost race for a partition, a store that is away) has one
 * answer: forget what is not stored, ask the store where to go on, and read again.
 *
 * <p>What is held in memory is bounded ({@link BoundedConsumer}). Should memory run out all the
 * same, records are read one by one until past the place ({@link CarefulReading}). While there is a
 * reason to pause, the consumer stays in its group with its partitions paused.
 *
 * <p>Belongs to the thread of {@link #run}, save {@link #stuck} and {@link #close}.
 */
public abstract class TopicLoop implements TopicReader {

  /** Time that a poll waits for records. */
  protected static final Duration POLL = Duration.ofMillis(100);

  private static final long LAG_EVERY_MILLIS = 1_000;
  private static final long AFTER_MEMORY_MILLIS = 500;

  private final Logger log = LoggerFactory.getLogger(getClass());
  private final Supplier<String> pause;
  private final TopicCounters counters;
  private final BoundedConsumer reader;
  private final ReadingPlaces places;
  private final CarefulReading careful;
  private final CountDownLatch closing = new CountDownLatch(1);
  private String lastTrouble = "";
  private long lagAt;

  /** Reads the topic; to be subscribed to by {@link #subscribe}. */
  protected final KafkaConsumer<byte[], byte[]> consumer;

  /** Count of the restarts at one place. */
  protected final Restarts restarts = new Restarts();

  /** Offsets up to which all is stored, or on its way to the store. */
  protected final Map<TopicPartition, Long> positions = new HashMap<>();

  /** Whether the store must be asked where to go on before anything is read. */
  private boolean startingOver = true;

  /**
   * @param properties of the consumer, see {@link #properties}
   * @param storedAt see {@link ReadingPlaces}
   * @param pause why nothing must be read now, in words; empty = read
   */
  protected TopicLoop(
      Properties properties,
      IntSupplier maxRecordBytes,
      Function<Collection<TopicPartition>, Map<TopicPartition, Instant>> storedAt,
      Supplier<String> pause,
      TopicCounters counters) {
    this.pause = pause;
    this.counters = counters;
    this.reader = new BoundedConsumer(properties, maxRecordBytes);
    this.consumer = reader.kafka();
    this.places = new ReadingPlaces(consumer, storedAt);
    this.careful = new CarefulReading(properties, maxRecordBytes);
  }

  /**
   * Settings of a consumer whose offsets the store keeps.
   *
   * @param bootstrapServers Kafka's {@code host:port} list
   * @param kafka further settings of the user, for instance for TLS and SASL
   */
  protected static Properties properties(
      String bootstrapServers, String group, int maxPollRecords, Map<String, String> kafka) {
    Properties p = BoundedConsumer.bounds(maxPollRecords);
    p.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    p.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    p.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, "15000");
    p.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, "3000");
    p.putAll(kafka);
    p.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    p.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    p.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none"); // see ReadingPlaces
    return p;
  }

  /** Joins the group; rebalances are to call {@link #assigned} and {@link #released}. */
  protected abstract void subscribe();

  /** Looks after what is on its way to the store; called before each poll. */
  protected void settle() {}

  /** Waits until nothing is on its way to the store; false when closing, and something is. */
  protected boolean isSettled() {
    return true;
  }

  /** Takes records of a poll over. */
  protected abstract void take(List<ConsumerRecord<byte[], byte[]>> records);

  /** Stores what was taken if it is large or old enough; called after each poll. */
  protected abstract void storeIfDue();

  /** Offsets from which the store wants to read on; absent = nothing of it was ever stored. */
  protected abstract Map<TopicPartition, Long> stored(Set<TopicPartition> partitions);

  /** Whether something is on its way to the store, so that it cannot say where to go on yet. */
  protected boolean isStoring() {
    return false;
  }

  /** Drops what is not stored, and all that was concluded from it. */
  protected abstract void forget();

  /** Gives back what is kept for use again, as memory is short. */
  protected void freeMemory() {}

  /** The store refuses something of what was taken. */
  protected abstract void refused(SampleSink.RefusedException e);

  /** Something else went wrong; ends with {@link #startOver}. */
  protected abstract void failed(RuntimeException e);

  /** Stores records one by one, or a few at a time. */
  protected abstract RefusedRecords.Store parts();

  /** Stores what was taken, before the consumer leaves its group. */
  protected abstract void finish();

  /** Lets go of what the consumer holds besides the connection to Kafka. */
  protected abstract void release();

  @Override
  public final void run() {
    try {
      subscribe();
      while (!isClosed()) {
        try {
          step();
        } catch (OutOfMemoryError e) {
          startCarefully(e);
        }
      }
      finish();
    } finally {
      release();
      reader.close();
    }
  }

  /** Reads what there is, and stores it when that is due. */
  private void step() {
    try {
      settle();
      if (isPaused()) {
        return;
      }
      if (careful.isDue()) {
        readCarefully();
        return;
      }
      List<ConsumerRecord<byte[], byte[]>> records = reader.poll(POLL);
      if (startingOver) {
        findPlace(); // whatever was read is read again from the stored place
        return;
      }
      restarts.reading();
      if (!records.isEmpty()) {
        take(records);
      }
      noteProgress();
      noteLag();
      storeIfDue();
    } catch (SampleSink.RefusedException e) {
      refused(e);
    } catch (OffsetOutOfRangeException e) {
      places.note(e);
      startOver();
    } catch (RuntimeException e) {
      if (CarefulReading.isUnreadable(e)) {
        startCarefully(e);
      } else {
        failed(e);
      }
    }
  }

  /** Starts to read record by record, as what comes next cannot be read as usual. */
  private void startCarefully(Throwable e) {
    startOver(); // frees what is not stored
    freeMemory();
    counters.trouble(shown(e));
    log.warn("Memory is not enough, or a record is damaged: {}", shown(e));
    careful.begin(consumer);
    rest(AFTER_MEMORY_MILLIS);
  }

  private void readCarefully() {
    if (isSettled()) {
      positions.clear();
      positions.putAll(stored(consumer.assignment()));
      careful.run(consumer, Map.copyOf(positions), parts());
      forget();
    }
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
    var unused = isSettled();
    if (!startingOver) {
      log.warn("Reading is paused: {}", why);
      startOver();
    }
    counters.trouble("paused: " + why);
    consumer.poll(POLL); // everything is paused, so that nothing comes
    return true;
  }

  /** Whether nothing may be stored until the store has said where to go on. */
  protected final boolean mustStartOver() {
    return startingOver;
  }

  /** Drops what is not stored; reads nothing until told where. */
  protected final void startOver() {
    startingOver = true;
    forget();
    consumer.pause(consumer.assignment());
  }

  /** Asks the store where to go on; until it answers all partitions are paused. */
  private void findPlace() {
    Set<TopicPartition> assigned = consumer.assignment();
    if (isStoring() || assigned.isEmpty()) {
      return;
    }
    Map<TopicPartition, Long> stored = stored(assigned);
    positions.clear();
    assigned.forEach(partition -> positions.put(partition, stored.getOrDefault(partition, 0L)));
    places.seek(assigned, stored);
    consumer.resume(assigned);
    startingOver = false;
    found();
  }

  /** Reading goes on at the places that the store has named. */
  protected void found() {}

  /** Partitions are read by this consumer from now on. */
  protected final void assigned(Collection<TopicPartition> partitions) {
    log.info("Partitions assigned: {}", partitions);
    startOver();
    places.hold(partitions);
  }

  /** Partitions are read by somebody else from now on. */
  protected final void released(Collection<TopicPartition> partitions) {
    counters.released(partitions);
    restarts.moved(partitions);
    careful.release(partitions);
  }

  private void noteLag() {
    long now = millis();
    if (now - lagAt < LAG_EVERY_MILLIS) {
      return;
    }
    lagAt = now;
    for (TopicPartition partition : consumer.assignment()) {
      OptionalLong lag = consumer.currentLag(partition);
      if (lag.isPresent()) {
        counters.lag(partition, lag.getAsLong());
      }
    }
  }

  /** Looks how far reading has come; called after each poll. */
  protected void noteProgress() {}

  /** Says what is wrong, once for each reason. */
  protected final void trouble(String what, RuntimeException e) {
    String reason = String.valueOf(e.getMessage());
    counters.trouble(reason);
    if (!reason.equals(lastTrouble)) {
      lastTrouble = reason;
      log.warn(what, e);
    }
  }

  /** Something was stored: the next trouble is a new one. */
  protected final void noTrouble() {
    lastTrouble = "";
  }

  /** An exception in words: its message, where it has one. */
  protected static String shown(Throwable e) {
    return e instanceof RuntimeException && e.getMessage() != null ? e.getMessage() : e.toString();
  }

  /** The partition that a record is of. */
  protected static TopicPartition partition(ConsumerRecord<byte[], byte[]> record) {
    return new TopicPartition(record.topic(), record.partition());
  }

  /** A clock that runs on evenly, in milliseconds. */
  protected static long millis() {
    return System.nanoTime() / 1_000_000;
  }

  /** Whether {@link #close} was called. */
  protected final boolean isClosed() {
    return closing.getCount() == 0;
  }

  /** Waits, but not when closing. Returns whether it is time to stop. */
  protected final boolean rest(long millis) {
    try {
      return closing.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close();
      return true;
    }
  }

  @Override
  public final String stuck() {
    return restarts.stuck();
  }

  /** Stops reading, stores what was read, leaves the group. Does not wait for {@link #run}. */
  @Override
  public final void close() {
    closing.countDown();
  }
}
