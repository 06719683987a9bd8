package io.peerlens.flow;

import io.peerlens.flow.decode.Exporters;
import io.peerlens.flow.decode.FlowBatch;
import io.peerlens.flow.decode.FlowDeadLetters;
import io.peerlens.flow.decode.FlowDecoder;
import io.peerlens.flow.decode.FlowGuards;
import io.peerlens.flow.minute.Endpoints;
import io.peerlens.flow.minute.FlowMinutes;
import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.kafka.BatchLoop;
import io.peerlens.samples.DeadLetterCheck;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.springframework.dao.DataAccessException;

/**
 * Consumer of flow records: adds them up by minute and stores the sums every few seconds, exactly
 * once.
 *
 * <p>Sums hold nothing of what was read before them, so it does not matter where they begin.
 */
final class FlowConsumer extends BatchLoop {

  private static final long NOTHING_SAVED = -1;

  /** Ids of ends are asked for anew, which tells the store that the ends are still there. */
  private static final long ASK_AGAIN_MILLIS = Duration.ofHours(1).toMillis();

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

  private final List<DeadLetter> letters = new ArrayList<>();

  private long askedAt;
  private long pendingSince;
  private long pendingFlows;
  private long spilledRows;

  private long savedRevision = NOTHING_SAVED;
  private long exportersAt;
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
        new Reading(
            settings.flows().topic(),
            "flows",
            settings.flows().group(),
            settings.flows().maxPollRecords(),
            settings.bootstrapServers(),
            settings.kafka()),
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

  @Override
  protected void release() {
    store.abandon();
  }

  @Override
  protected Map<TopicPartition, Long> stored(Set<TopicPartition> partitions) {
    return store.positions(partitions);
  }

  /**
   * Reading begins again, perhaps on a database that went back to a standby or a backup: what is
   * known of ids, and of what is stored, may not be true there.
   */
  @Override
  protected void found() {
    minutes.forget();
    savedRevision = NOTHING_SAVED;
    restored = false;
  }

  @Override
  protected boolean isDue() {
    return spilledRows > 0 || millis() - pendingSince >= settings.flows().flush().toMillis();
  }

  @Override
  protected boolean isStoreAway(RuntimeException e) {
    return e instanceof DataAccessException;
  }

  @Override
  protected void addGivenUp(ConsumerRecord<byte[], byte[]> record, DeadLetter letter) {
    letters.add(letter);
  }

  private void askAgain(long now) {
    if (now - askedAt >= ASK_AGAIN_MILLIS || now < askedAt) {
      minutes.forget();
      askedAt = now;
    }
  }

  @Override
  protected void add(Iterable<ConsumerRecord<byte[], byte[]>> records) {
    if (pending().isEmpty()) {
      pendingSince = millis();
    }
    askAgain(clock.millis());
    FlowLookups.Current current = lookups.current();
    minutes.use(current.addresses(), current.networks());
    shareExporters();
    batch.clear();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      note(record);
      if (record.value() != null) {
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

  @Override
  protected void store() {
    long begin = System.nanoTime();
    long revision = exporters.revision();
    List<DeadLetter> stored = List.copyOf(letters);
    long rows = spilledRows + minutes.rows().size();
    store.commit(
        minutes.rows(),
        pending(),
        stored,
        revision == savedRevision ? List.of() : exporters.snapshot());
    savedRevision = revision;
    counters.senders().add(store.senders());
    counters.stored(
        pendingOf(),
        pendingRecords(),
        pendingBytes(),
        pendingFlows,
        rows,
        store.lateRows(),
        stored,
        Duration.ofNanos(System.nanoTime() - begin));
    counters.passedOver(decoder.passedOver());
  }

  @Override
  protected void abandon() {
    store.abandon();
    rejects.take(); // of records that are read again
  }

  @Override
  protected void clear() {
    minutes.clear();
    batch.clear();
    letters.clear();
    pendingFlows = 0;
    spilledRows = 0;
  }
}
