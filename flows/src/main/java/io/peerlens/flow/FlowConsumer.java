package io.peerlens.flow;

import io.peerlens.flow.decode.Exporters;
import io.peerlens.flow.decode.FlowBatch;
import io.peerlens.flow.decode.FlowDeadLetters;
import io.peerlens.flow.decode.FlowDecoder;
import io.peerlens.flow.decode.FlowGuards;
import io.peerlens.flow.minute.Endpoints;
import io.peerlens.flow.minute.FlowMinutes;
import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.SampleSink;
import io.peerlens.ingest.kafka.RefusedRecords;
import io.peerlens.ingest.kafka.Restarts;
import io.peerlens.ingest.kafka.TopicLoop;
import io.peerlens.samples.DeadLetterCheck;
import java.nio.charset.StandardCharsets;
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
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Consumer of flow records: adds them up by minute and stores the sums every few seconds, exactly
 * once.
 *
 * <p>Sums hold nothing of what was read before them, so it does not matter where they begin.
 * Records that the store refuses are read again and stored half by half, until those to blame are
 * dead letters.
 *
 * <p>The topic need not exist: until it does the consumer waits for it.
 */
final class FlowConsumer extends TopicLoop {

  private static final Logger log = LoggerFactory.getLogger(FlowConsumer.class);

  /** Ids of ends are asked for anew, which tells the store that the ends are still there. */
  private static final long ASK_AGAIN_MILLIS = Duration.ofHours(1).toMillis();

  private static final long FIRST_BACKOFF_MILLIS = 200;
  private static final long MAX_BACKOFF_MILLIS = 5_000;

  /**
   * @param flows everything that is set for flows
   * @param bootstrapServers Kafka's {@code host:port} list
   * @param kafka further consumer settings, for instance for TLS and SASL
   */
  record Settings(FlowProperties flows, String bootstrapServers, Map<String, String> kafka) {}

  private final Settings settings;
  private final FlowStore store;
  private final FlowLookups lookups;
  private final Exporters exporters;
  private final FlowCounters counters;
  private final InstantSource clock;
  private final FlowDecoder decoder;
  private final FlowMinutes minutes;
  private final FlowBatch batch = new FlowBatch();
  private final FlowDeadLetters rejects = new FlowDeadLetters();

  /** Offsets that are in the sums beyond those that the store holds. */
  private final Map<TopicPartition, SampleBatch.Range> pending = new HashMap<>();

  private final List<DeadLetter> letters = new ArrayList<>();

  /** Up to where some record is to blame for what the store refused. */
  private final Map<TopicPartition, Long> suspects = new HashMap<>();

  private long askedAt;
  private long pendingSince;
  private final Map<TopicPartition, Long> pendingOf = new HashMap<>();
  private long pendingRecords;
  private long pendingBytes;
  private long pendingFlows;
  private long spilledRows;

  private long savedRevision;
  private long exportersAt;
  private long backoff = FIRST_BACKOFF_MILLIS;
  private boolean restored;

  /**
   * @param exporters shared by all consumers of the process
   * @param store of this consumer alone
   * @param pause why nothing must be read now, in words; empty = read
   */
  FlowConsumer(
      Settings settings,
      FlowStore store,
      Endpoints endpoints,
      FlowLookups lookups,
      Exporters exporters,
      Supplier<String> pause,
      FlowCounters counters,
      InstantSource clock) {
    super(
        properties(settings),
        settings.flows().guards()::maxRecordBytes,
        store::storedAt, // flows must not be counted twice
        pause,
        counters);
    this.settings = settings;
    this.store = store;
    this.lookups = lookups;
    this.exporters = exporters;
    this.counters = counters;
    this.clock = clock;
    FlowProperties flows = settings.flows();
    FlowGuards guards = flows.guards();
    decoder = new FlowDecoder(() -> guards, exporters, clock);
    minutes = new FlowMinutes(endpoints, flows.maxRows(), flows.maxEndpoints());
  }

  private static Properties properties(Settings settings) {
    FlowProperties flows = settings.flows();
    Map<String, String> kafka = new HashMap<>();
    kafka.put(
        ConsumerConfig.METADATA_MAX_AGE_CONFIG, "10000"); // a topic that is made is found soon
    kafka.putAll(settings.kafka());
    return properties(settings.bootstrapServers(), flows.group(), flows.maxPollRecords(), kafka);
  }

  @Override
  protected void subscribe() {
    // By a pattern, because Kafka's client complains all the time of a name that does not exist.
    consumer.subscribe(Pattern.compile(Pattern.quote(settings.flows().topic())), new Rebalance());
  }

  @Override
  protected void release() {
    store.abandon();
  }

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
    if (!pending.isEmpty()
        && (spilledRows > 0 || millis() - pendingSince >= settings.flows().flush().toMillis())) {
      commit();
    }
  }

  @Override
  protected void refused(SampleSink.RefusedException e) {
    trouble("The store refuses flows; looking for the records that are to blame", e);
    pending.forEach((partition, range) -> suspects.merge(partition, range.to(), Math::max));
    startOver();
  }

  /**
   * The database or Kafka is away, another node has a partition, or something is wrong with us. If
   * that does not pass and nobody else is to blame, it is some record.
   */
  @Override
  protected void failed(RuntimeException e) {
    trouble("Flows are read again from the stored offsets", e);
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
      TopicPartition partition = new TopicPartition(record.topic(), record.partition());
      long from = positions.getOrDefault(partition, 0L);
      pending.put(partition, new SampleBatch.Range(from, record.offset() + 1));
      pendingRecords = 1;
      pendingOf.put(partition, 1L);
      pendingBytes = letter.payload().length;
      letters.add(letter);
      try {
        commit();
      } catch (RuntimeException e) {
        forget();
        throw e;
      }
    }

    @Override
    public boolean isClosed() {
      return FlowConsumer.this.isClosed();
    }
  }

  private void askAgain(long now) {
    if (now - askedAt >= ASK_AGAIN_MILLIS || now < askedAt) {
      minutes.forget();
      askedAt = now;
    }
  }

  private void add(Iterable<ConsumerRecord<byte[], byte[]>> records) {
    if (pending.isEmpty()) {
      pendingSince = millis();
    }
    askAgain(clock.millis());
    FlowLookups.Current current = lookups.current();
    minutes.use(current.addresses(), current.networks());
    shareExporters();
    batch.clear();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      TopicPartition partition = new TopicPartition(record.topic(), record.partition());
      pending.merge(
          partition,
          new SampleBatch.Range(positions.getOrDefault(partition, 0L), record.offset() + 1),
          (before, now) -> new SampleBatch.Range(before.from(), now.to()));
      pendingRecords++;
      pendingOf.merge(partition, 1L, Long::sum);
      byte[] value = record.value();
      if (value != null) {
        pendingBytes += value.length;
        decode(record);
      }
    }
    letters.addAll(rejects.take());
    pendingFlows += batch.size();
    int next = minutes.add(batch, 0);
    while (next < batch.size()) {
      // Full in the midst of records whose offsets can be stored as a whole only.
      spilledRows += minutes.rows().size();
      store.spill(minutes.rows());
      minutes.clear();
      next = minutes.add(batch, next);
    }
  }

  private void decode(ConsumerRecord<byte[], byte[]> record) {
    int before = batch.size();
    decoder.decode(record, batch, rejects);
    long replayOf = replayOf(record);
    if (replayOf >= 0 && batch.size() > before && !store.replayed(replayOf)) {
      // What is refused once more is another letter; what is good counts when it is sent first.
      batch.truncate(before);
    }
  }

  /** The dead letter that was sent again as this record, or -1. */
  private static long replayOf(ConsumerRecord<byte[], byte[]> record) {
    Header header = record.headers().lastHeader(DeadLetterCheck.REPLAY_OF);
    if (header == null || header.value() == null) {
      return -1;
    }
    String id = new String(header.value(), StandardCharsets.US_ASCII);
    return id.matches("[0-9]{1,18}") ? Long.parseLong(id) : -1;
  }

  /** Takes over what exporters said to other nodes, and to this one before it was started. */
  private void shareExporters() {
    long now = millis();
    if (!restored || now - exportersAt >= settings.flows().refresh().toMillis()) {
      exporters.restore(store.exporters());
      restored = true;
      exportersAt = now;
    }
  }

  private void commit() {
    long begin = System.nanoTime();
    long revision = exporters.revision();
    List<DeadLetter> stored = List.copyOf(letters);
    long rows = spilledRows + minutes.rows().size();
    store.commit(
        minutes.rows(),
        pending,
        stored,
        revision == savedRevision ? List.of() : exporters.snapshot());
    savedRevision = revision;
    counters.senders().add(store.senders());
    pending.forEach((partition, range) -> positions.put(partition, range.to()));
    restarts.moved(pending.keySet());
    counters.stored(
        Map.copyOf(pendingOf),
        pendingRecords,
        pendingBytes,
        pendingFlows,
        rows,
        store.lateRows(),
        stored,
        Duration.ofNanos(System.nanoTime() - begin));
    counters.passedOver(decoder.passedOver());
    clear();
    backoff = FIRST_BACKOFF_MILLIS;
    noTrouble();
  }

  @Override
  protected void forget() {
    store.abandon();
    rejects.take(); // of records that are read again
    clear();
  }

  private void clear() {
    minutes.clear();
    batch.clear();
    pending.clear();
    pendingOf.clear();
    letters.clear();
    pendingRecords = 0;
    pendingBytes = 0;
    pendingFlows = 0;
    spilledRows = 0;
  }

  @Override
  protected void finish() {
    if (!mustStartOver() && !pending.isEmpty()) {
      try {
        commit();
      } catch (RuntimeException e) {
        log.info("The last flows were not stored and will be read again: {}", e.getMessage());
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
