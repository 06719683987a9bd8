package io.peerlens.event;

import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.SampleSink;
import io.peerlens.ingest.kafka.RefusedRecords;
import io.peerlens.ingest.kafka.Restarts;
import io.peerlens.ingest.kafka.TopicLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Consumer of events: stores what each poll brings, exactly once. Records that the store refuses
 * are read again and stored half by half, until those to blame are dead letters.
 *
 * <p>The topic need not exist: until it does the consumer waits for it.
 */
final class EventConsumer extends TopicLoop {

  private static final Logger log = LoggerFactory.getLogger(EventConsumer.class);

  private static final long FIRST_BACKOFF_MILLIS = 200;
  private static final long MAX_BACKOFF_MILLIS = 5_000;

  /**
   * @param events everything that is set for events
   * @param bootstrapServers Kafka's {@code host:port} list
   * @param kafka further consumer settings, for instance for TLS and SASL
   */
  record Settings(EventProperties events, String bootstrapServers, Map<String, String> kafka) {}

  private final Settings settings;
  private final EventStore store;
  private final EventIntake intake;
  private final EventCounters counters;
  private final InstantSource clock;

  /** Offsets of what was taken, beyond those that the store holds. */
  private final Map<TopicPartition, SampleBatch.Range> pending = new HashMap<>();

  private final Map<TopicPartition, Long> pendingOf = new HashMap<>();
  private long pendingBytes;
  private final List<DeadLetter> givenUp = new ArrayList<>();

  /** Up to where some record is to blame for what the store refused. */
  private final Map<TopicPartition, Long> suspects = new HashMap<>();

  private long backoff = FIRST_BACKOFF_MILLIS;

  /**
   * @param intake of this consumer alone
   * @param pause why nothing must be read now, in words; empty = read
   */
  EventConsumer(
      Settings settings,
      EventStore store,
      EventIntake intake,
      Supplier<String> pause,
      EventCounters counters,
      InstantSource clock) {
    super(
        properties(settings), settings.events()::maxRecordBytes, store::storedAt, pause, counters);
    this.settings = settings;
    this.store = store;
    this.intake = intake;
    this.counters = counters;
    this.clock = clock;
  }

  private static Properties properties(Settings settings) {
    Map<String, String> kafka = new HashMap<>();
    kafka.put(
        ConsumerConfig.METADATA_MAX_AGE_CONFIG, "10000"); // a topic that is made is found soon
    kafka.putAll(settings.kafka());
    return properties(
        settings.bootstrapServers(),
        settings.events().group(),
        settings.events().maxPollRecords(),
        kafka);
  }

  @Override
  protected void subscribe() {
    // By a pattern, because Kafka's client complains all the time of a name that does not exist.
    consumer.subscribe(Pattern.compile(Pattern.quote(settings.events().topic())), new Rebalance());
  }

  @Override
  protected void release() {}

  @Override
  protected Map<TopicPartition, Long> stored(Set<TopicPartition> partitions) {
    return store.positions(partitions);
  }

  @Override
  protected RefusedRecords.Store parts() {
    return new Halves();
  }

  @Override
  protected void take(List<ConsumerRecord<byte[], byte[]>> records) {
    if (suspects.isEmpty()) {
      add(records);
    } else {
      takeSuspects(records);
    }
  }

  @Override
  protected void storeIfDue() {
    if (!pending.isEmpty()) {
      commit();
    }
  }

  @Override
  protected void refused(SampleSink.RefusedException e) {
    trouble("The store refuses events; looking for the records that are to blame", e);
    pending.forEach((partition, range) -> suspects.merge(partition, range.to(), Math::max));
    startOver();
  }

  /**
   * The database or Kafka is away, another node has a partition, or something is wrong with us. If
   * that does not pass and nobody else is to blame, it is some record.
   */
  @Override
  protected void failed(RuntimeException e) {
    trouble("Events are read again from the stored offsets", e);
    Map<TopicPartition, Long> from = new HashMap<>();
    pending.forEach((partition, range) -> from.put(partition, range.from()));
    restarts.failed(from, String.valueOf(e.getMessage()));
    if (!restarts.stuck().isEmpty()
        && !isOfOthers(e)
        && !(e instanceof SampleSink.FencedException)) {
      pending.forEach((partition, range) -> suspects.merge(partition, range.to(), Math::max));
    }
    startOver();
    rest(backoff);
    backoff = Math.min(backoff * 2, MAX_BACKOFF_MILLIS);
  }

  private static boolean isOfOthers(RuntimeException e) {
    return e instanceof DataAccessException || Restarts.isOfOthers(e);
  }

  /** Stores records one of which the store refuses, so that only that one is lost. */
  private void takeSuspects(List<ConsumerRecord<byte[], byte[]>> records) {
    RefusedRecords.store(records, new Halves());
    suspects
        .entrySet()
        .removeIf(suspect -> positions.getOrDefault(suspect.getKey(), 0L) >= suspect.getValue());
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
      byte[] payload = letter.payload().length == 0 ? letter.payload() : intake.whole(record);
      note(record);
      givenUp.add(
          new DeadLetter(
              letter.topic(),
              letter.partition(),
              letter.offset(),
              letter.line(),
              letter.timestamp(),
              letter.reason(),
              letter.detail(),
              payload));
      try {
        commit();
      } catch (RuntimeException e) {
        forget();
        throw e;
      }
    }

    @Override
    public boolean isClosed() {
      return EventConsumer.this.isClosed();
    }
  }

  private void add(Iterable<ConsumerRecord<byte[], byte[]>> records) {
    intake.at(clock.millis());
    for (ConsumerRecord<byte[], byte[]> record : records) {
      note(record);
      intake.add(record);
    }
  }

  private void note(ConsumerRecord<byte[], byte[]> record) {
    TopicPartition partition = partition(record);
    pending.merge(
        partition,
        new SampleBatch.Range(positions.getOrDefault(partition, 0L), record.offset() + 1),
        (before, now) -> new SampleBatch.Range(before.from(), now.to()));
    pendingOf.merge(partition, 1L, Long::sum);
    byte[] value = record.value();
    pendingBytes += value == null ? 0 : value.length;
  }

  private void commit() {
    long begin = System.nanoTime();
    List<DeadLetter> letters = new ArrayList<>(intake.letters());
    letters.addAll(givenUp);
    EventStore.Stored stored = store.commit(pending, intake.events(), letters);
    pending.forEach((partition, range) -> positions.put(partition, range.to()));
    restarts.moved(pending.keySet());
    counters.stored(
        Map.copyOf(pendingOf),
        pendingOf.values().stream().mapToLong(Long::longValue).sum(),
        pendingBytes,
        intake.dropped(),
        stored,
        Duration.ofNanos(System.nanoTime() - begin));
    intake.stored();
    clear();
    backoff = FIRST_BACKOFF_MILLIS;
    noTrouble();
  }

  @Override
  protected void forget() {
    intake.clear();
    clear();
  }

  private void clear() {
    pending.clear();
    pendingOf.clear();
    givenUp.clear();
    pendingBytes = 0;
  }

  @Override
  protected void finish() {
    if (!mustStartOver() && !pending.isEmpty()) {
      try {
        commit();
      } catch (RuntimeException e) {
        log.info("The last events were not stored and will be read again: {}", e.getMessage());
      }
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
