package io.peerlens.ingest.kafka;

import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.SampleSink;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Poll loop that gathers what several polls bring, and stores it with the offsets in one
 * transaction of its own thread. Records that the store refuses are read again and stored half by
 * half, until those to blame are dead letters.
 *
 * <p>The topic need not exist: until it does the consumer waits for it.
 */
public abstract class BatchLoop extends TopicLoop {

  private static final long FIRST_BACKOFF_MILLIS = 200;
  private static final long MAX_BACKOFF_MILLIS = 5_000;

  private final Logger log = LoggerFactory.getLogger(getClass());
  private final String topic;
  private final String what;

  /** Offsets of what was taken, beyond those that the store holds. */
  private final Map<TopicPartition, SampleBatch.Range> pending = new HashMap<>();

  private final Map<TopicPartition, Long> pendingOf = new HashMap<>();
  private long pendingBytes;

  /** Up to where some record is to blame for what the store refused. */
  private final Map<TopicPartition, Long> suspects = new HashMap<>();

  private long backoff = FIRST_BACKOFF_MILLIS;

  /**
   * Where and what a loop reads.
   *
   * @param what the topic holds, in the plural, for the log: {@code flows}
   * @param bootstrapServers Kafka's {@code host:port} list
   * @param kafka further consumer settings, for instance for TLS and SASL
   */
  public record Reading(
      String topic,
      String what,
      String group,
      int maxPollRecords,
      String bootstrapServers,
      Map<String, String> kafka) {

    private Properties properties() {
      Map<String, String> all = new HashMap<>();
      // a topic that is made is found soon
      all.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, "10000");
      all.putAll(kafka);
      return TopicLoop.properties(bootstrapServers, group, maxPollRecords, all);
    }
  }

  /**
   * @param storedAt see {@link ReadingPlaces}
   * @param pause why nothing must be read now, in words; empty = read
   */
  protected BatchLoop(
      Reading reading,
      IntSupplier maxRecordBytes,
      Function<Collection<TopicPartition>, Map<TopicPartition, Instant>> storedAt,
      Supplier<String> pause,
      TopicCounters counters) {
    super(reading.properties(), maxRecordBytes, storedAt, pause, counters);
    this.topic = reading.topic();
    this.what = reading.what();
  }

  /** Takes records over; calls {@link #note} for each. */
  protected abstract void add(Iterable<ConsumerRecord<byte[], byte[]>> records);

  /** Takes over that a record becomes a dead letter. */
  protected abstract void addGivenUp(ConsumerRecord<byte[], byte[]> record, DeadLetter letter);

  /** Stores what was taken, and the offsets of {@link #pending}, in one transaction. */
  protected abstract void store();

  /** Drops what was taken: it is stored, or read again. */
  protected abstract void clear();

  /** Gives up what of it is with the store already, but not committed. */
  protected void abandon() {}

  /** Whether what was taken is to be stored now. */
  protected boolean isDue() {
    return true;
  }

  /** Whether an error says that the store is away, so that no record is to blame. */
  protected abstract boolean isStoreAway(RuntimeException e);

  /** Offsets of what was taken, beyond those that the store holds. */
  protected final Map<TopicPartition, SampleBatch.Range> pending() {
    return pending;
  }

  /** Number of records that were taken, by partition. */
  protected final Map<TopicPartition, Long> pendingOf() {
    return Map.copyOf(pendingOf);
  }

  /** Number of records that were taken. */
  protected final long pendingRecords() {
    return pendingOf.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Bytes of the records that were taken. */
  protected final long pendingBytes() {
    return pendingBytes;
  }

  /** Notes that a record was taken. */
  protected final void note(ConsumerRecord<byte[], byte[]> record) {
    TopicPartition partition = partition(record);
    pending.merge(
        partition,
        new SampleBatch.Range(positions.getOrDefault(partition, 0L), record.offset() + 1),
        (before, now) -> new SampleBatch.Range(before.from(), now.to()));
    pendingOf.merge(partition, 1L, Long::sum);
    byte[] value = record.value();
    pendingBytes += value == null ? 0 : value.length;
  }

  @Override
  protected final void subscribe() {
    // By a pattern, because Kafka's client complains all the time of a name that does not exist.
    consumer.subscribe(Pattern.compile(Pattern.quote(topic)), new Rebalance());
  }

  @Override
  protected final RefusedRecords.Store parts() {
    return new Halves();
  }

  @Override
  protected final void take(List<ConsumerRecord<byte[], byte[]>> records) {
    if (suspects.isEmpty()) {
      add(records);
    } else {
      takeSuspects(records);
    }
  }

  @Override
  protected final void storeIfDue() {
    if (!pending.isEmpty() && isDue()) {
      commit();
    }
  }

  @Override
  protected final void refused(SampleSink.RefusedException e) {
    trouble("The store refuses " + what + "; looking for the records that are to blame", e);
    suspectPending();
    startOver();
  }

  /**
   * The database or Kafka is away, another node has a partition, or something is wrong with us. If
   * that does not pass and nobody else is to blame, it is some record.
   */
  @Override
  protected final void failed(RuntimeException e) {
    trouble("Reading of " + what + " begins again at the stored offsets", e);
    Map<TopicPartition, Long> from = new HashMap<>();
    pending.forEach((partition, range) -> from.put(partition, range.from()));
    restarts.failed(from, String.valueOf(e.getMessage()));
    if (!restarts.stuck().isEmpty()
        && !isOfOthers(e)
        && !(e instanceof SampleSink.FencedException)) {
      suspectPending();
    }
    startOver();
    rest(backoff);
    backoff = Math.min(backoff * 2, MAX_BACKOFF_MILLIS);
  }

  private boolean isOfOthers(RuntimeException e) {
    return isStoreAway(e) || Restarts.isOfOthers(e);
  }

  private void suspectPending() {
    pending.forEach((partition, range) -> suspects.merge(partition, range.to(), Math::max));
  }

  /** Stores records one of which the store refuses, so that only that one is lost. */
  private void takeSuspects(List<ConsumerRecord<byte[], byte[]>> records) {
    RefusedRecords.store(records, new Halves());
    suspects
        .entrySet()
        .removeIf(suspect -> positions.getOrDefault(suspect.getKey(), 0L) >= suspect.getValue());
  }

  private void commit() {
    store();
    pending.forEach((partition, range) -> positions.put(partition, range.to()));
    restarts.moved(pending.keySet());
    clearAll();
    backoff = FIRST_BACKOFF_MILLIS;
    noTrouble();
  }

  @Override
  protected final void forget() {
    abandon();
    clearAll();
  }

  private void clearAll() {
    clear();
    pending.clear();
    pendingOf.clear();
    pendingBytes = 0;
  }

  @Override
  protected final void finish() {
    if (!mustStartOver() && !pending.isEmpty()) {
      try {
        commit();
      } catch (RuntimeException e) {
        log.info("The last {} were not stored and will be read again: {}", what, e.getMessage());
      }
    }
  }

  private final class Halves implements RefusedRecords.Store {

    @Override
    public void store(List<ConsumerRecord<byte[], byte[]>> records) {
      try {
        add(records);
        commit();
      } catch (SampleSink.RefusedException | SampleSink.FencedException | OutOfMemoryError e) {
        forget();
        throw e;
      } catch (RuntimeException e) {
        forget();
        throw isOfOthers(e) ? e : new SampleSink.RefusedException(e.toString(), e);
      }
    }

    @Override
    public void giveUp(ConsumerRecord<byte[], byte[]> record, DeadLetter letter) {
      note(record);
      addGivenUp(record, letter);
      try {
        commit();
      } catch (RuntimeException e) {
        forget();
        throw e;
      }
    }

    @Override
    public boolean isClosed() {
      return BatchLoop.this.isClosed();
    }
  }

  private final class Rebalance implements ConsumerRebalanceListener {

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      finish();
      startOver();
      released(partitions);
      suspects.keySet().removeAll(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      startOver();
      released(partitions);
      suspects.keySet().removeAll(partitions);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      assigned(partitions);
    }
  }
}
