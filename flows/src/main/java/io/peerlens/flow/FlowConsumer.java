package io.peerlens.flow;

import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.SampleSink;
import io.peerlens.ingest.flow.Endpoints;
import io.peerlens.ingest.flow.Exporters;
import io.peerlens.ingest.flow.FlowBatch;
import io.peerlens.ingest.flow.FlowDeadLetters;
import io.peerlens.ingest.flow.FlowDecoder;
import io.peerlens.ingest.flow.FlowGuards;
import io.peerlens.ingest.flow.FlowMinutes;
import io.peerlens.ingest.kafka.BoundedConsumer;
import io.peerlens.ingest.kafka.CarefulReading;
import io.peerlens.ingest.kafka.ReadingPlaces;
import io.peerlens.ingest.kafka.RefusedRecords;
import io.peerlens.ingest.kafka.Restarts;
import io.peerlens.ingest.kafka.TopicReader;
import io.peerlens.samples.DeadLetterCheck;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Reads flow records, adds them up by minute and stores the sums every few seconds, exactly once.
 *
 * <p>The place to read from is what the store says, never Kafka's own offset, because the store
 * moves it in the transaction that appends the sums. Whatever goes wrong (a rebalance, a lost race
 * for a partition, a database that is away) has one answer: forget the sums that are not stored,
 * ask the store where to go on, and read again. Sums hold nothing of what was read before them, so
 * it does not matter where they begin. Records that the store refuses are read again, too, and
 * stored half by half until those to blame are dead letters.
 *
 * <p>What is held in memory is bounded ({@link BoundedConsumer}). Should memory run out all the
 * same, records are read one by one until past the place ({@link CarefulReading}).
 *
 * <p>The topic need not exist: until it does the consumer waits for it.
 */
final class FlowConsumer implements TopicReader {

  private static final Logger log = LoggerFactory.getLogger(FlowConsumer.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final long LAG_EVERY_MILLIS = 1_000;

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
  private final Supplier<String> pause;
  private final FlowCounters counters;
  private final InstantSource clock;
  private final BoundedConsumer reader;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final ReadingPlaces places;
  private final CarefulReading careful;
  private final Restarts restarts = new Restarts();
  private final FlowDecoder decoder;
  private final FlowMinutes minutes;
  private final FlowBatch batch = new FlowBatch();
  private final FlowDeadLetters rejects = new FlowDeadLetters();
  private final CountDownLatch closing = new CountDownLatch(1);

  /** What the store holds, and what is in the sums beyond it. */
  private final Map<TopicPartition, Long> positions = new HashMap<>();

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
  private long lagAt;
  private long backoff = FIRST_BACKOFF_MILLIS;
  private boolean restored;

  /** Whether the store must be asked where to go on before anything is read. */
  private boolean astray = true;

  private String lastTrouble = "";

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
    this.settings = settings;
    this.store = store;
    this.lookups = lookups;
    this.exporters = exporters;
    this.pause = pause;
    this.counters = counters;
    this.clock = clock;
    FlowProperties flows = settings.flows();
    FlowGuards guards = flows.guards();
    decoder = new FlowDecoder(() -> guards, exporters, clock);
    minutes = new FlowMinutes(endpoints, flows.maxRows(), flows.maxEndpoints());
    Properties properties = properties(settings);
    reader = new BoundedConsumer(properties, guards::maxRecordBytes);
    consumer = reader.kafka();
    places = new ReadingPlaces(consumer, store::storedAt); // flows must not be counted twice
    careful = new CarefulReading(properties, guards::maxRecordBytes);
  }

  private static Properties properties(Settings settings) {
    FlowProperties flows = settings.flows();
    Properties p = BoundedConsumer.bounds(flows.maxPollRecords());
    p.put(ConsumerConfig.GROUP_ID_CONFIG, flows.group());
    p.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    p.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, "15000");
    p.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, "3000");
    p.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, "10000"); // a topic that is made is found soon
    p.putAll(settings.kafka());
    p.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrapServers());
    p.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    p.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none"); // see ReadingPlaces
    return p;
  }

  @Override
  public void run() {
    try {
      // By a pattern, because Kafka's client complains all the time of a name that does not exist.
      consumer.subscribe(Pattern.compile(Pattern.quote(settings.flows().topic())), new Rebalance());
      while (!isClosed()) {
        try {
          step();
        } catch (OutOfMemoryError e) {
          startCarefully(e);
        }
      }
      storeWhatIsLeft();
    } finally {
      store.abandon();
      reader.close();
    }
  }

  /** Reads what there is, and stores the sums when they are old enough. */
  private void step() {
    try {
      if (isPaused()) {
        return;
      }
      if (careful.isDue()) {
        readCarefully();
        return;
      }
      List<ConsumerRecord<byte[], byte[]>> records = reader.poll(POLL);
      if (astray) {
        findPlace(); // whatever was read is read again from the stored place
        return;
      }
      restarts.reading();
      if (!records.isEmpty()) {
        if (suspects.isEmpty()) {
          take(records);
        } else {
          takeSuspects(records);
        }
      }
      noteLag();
      if (!pending.isEmpty()
          && (spilledRows > 0 || millis() - pendingSince >= settings.flows().flush().toMillis())) {
        commit();
      }
    } catch (SampleSink.RefusedException e) {
      trouble("The store refuses flows; looking for the records that are to blame", e);
      pending.forEach((partition, range) -> suspects.merge(partition, range.to(), Math::max));
      goAstray();
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

  /**
   * The database or Kafka is away, another node has a partition, or something is wrong with us. If
   * that does not pass and nobody else is to blame, it is some record.
   */
  private void startAgain(RuntimeException e) {
    trouble("Flows are read again from the stored offsets", e);
    Map<TopicPartition, Long> from = new HashMap<>();
    pending.forEach((partition, range) -> from.put(partition, range.from()));
    restarts.failed(from, String.valueOf(e.getMessage()));
    if (!restarts.stuck().isEmpty()
        && !isOfOthers(e)
        && !(e instanceof SampleSink.FencedException)) {
      pending.forEach((partition, range) -> suspects.merge(partition, range.to(), Math::max));
    }
    goAstray();
    rest(backoff);
    backoff = Math.min(backoff * 2, MAX_BACKOFF_MILLIS);
  }

  private static boolean isOfOthers(RuntimeException e) {
    return e instanceof DataAccessException || Restarts.isOfOthers(e);
  }

  /** What comes next cannot be read as usual: it is read record by record. */
  private void startCarefully(Throwable e) {
    goAstray(); // frees what is not stored
    counters.trouble(e.toString());
    log.warn("Memory is not enough, or a record is damaged: {}", e.toString());
    careful.begin(consumer);
    rest(500);
  }

  private void readCarefully() {
    positions.clear();
    positions.putAll(store.positions(consumer.assignment()));
    careful.run(consumer, Map.copyOf(positions), new Halves());
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
    if (!astray) {
      log.warn("Reading flows is paused: {}", why);
      goAstray();
    }
    counters.trouble("paused: " + why);
    consumer.poll(POLL); // everything is paused, so that nothing comes
    return true;
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
        take(records);
        commit();
      } catch (SampleSink.RefusedException | SampleSink.FencedException | OutOfMemoryError e) {
        takeBack();
        throw e;
      } catch (RuntimeException e) {
        takeBack();
        throw isOfOthers(e) ? e : new SampleSink.RefusedException(e.toString(), e);
      }
    }

    private void takeBack() {
      FlowConsumer.this.store.abandon();
      rejects.take();
      forget();
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
        takeBack();
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

  private void take(Iterable<ConsumerRecord<byte[], byte[]>> records) {
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
    forget();
    backoff = FIRST_BACKOFF_MILLIS;
    lastTrouble = "";
  }

  private void forget() {
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

  /** Drops what is not stored; reads nothing until told where. */
  private void goAstray() {
    astray = true;
    store.abandon();
    rejects.take(); // of records that are read again
    forget();
    consumer.pause(consumer.assignment());
  }

  /** Asks the store where to go on; until it answers all partitions are paused. */
  private void findPlace() {
    Set<TopicPartition> assigned = consumer.assignment();
    if (assigned.isEmpty()) {
      return;
    }
    Map<TopicPartition, Long> stored = store.positions(assigned);
    positions.clear();
    assigned.forEach(partition -> positions.put(partition, stored.getOrDefault(partition, 0L)));
    places.seek(assigned, stored);
    consumer.resume(assigned);
    astray = false;
  }

  private void storeWhatIsLeft() {
    if (!astray && !pending.isEmpty()) {
      try {
        commit();
      } catch (RuntimeException e) {
        log.info("The last flows were not stored and will be read again: {}", e.getMessage());
      }
    }
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

  /** Waits, but not when closing. The time is far below what Kafka grants between two polls. */
  private void rest(long millis) {
    try {
      var unused = closing.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close();
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
      storeWhatIsLeft();
      goAstray();
      released(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      goAstray();
      released(partitions);
    }

    private void released(Collection<TopicPartition> partitions) {
      suspects.keySet().removeAll(partitions);
      restarts.moved(partitions);
      careful.release(partitions);
      counters.released(partitions);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      log.info("Partitions assigned: {}", partitions);
      goAstray();
      places.hold(partitions);
    }
  }
}
