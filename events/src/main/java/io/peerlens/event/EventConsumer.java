package io.peerlens.event;

import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.kafka.BatchLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.springframework.dao.DataAccessException;

/** Consumer of events: stores what each poll brings, exactly once. */
final class EventConsumer extends BatchLoop {

  /**
   * @param events everything that is set for events
   * @param bootstrapServers Kafka's {@code host:port} list
   * @param kafka further consumer settings, for instance for TLS and SASL
   */
  record Settings(EventProperties events, String bootstrapServers, Map<String, String> kafka) {}

  private final EventStore store;
  private final EventIntake intake;
  private final EventCounters counters;
  private final InstantSource clock;
  private final List<DeadLetter> givenUp = new ArrayList<>();

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
        new Reading(
            settings.events().topic(),
            "events",
            settings.events().group(),
            settings.events().maxPollRecords(),
            settings.bootstrapServers(),
            settings.kafka()),
        settings.events()::maxRecordBytes,
        store::storedAt,
        pause,
        counters);
    this.store = store;
    this.intake = intake;
    this.counters = counters;
    this.clock = clock;
  }

  @Override
  protected void release() {}

  @Override
  protected Map<TopicPartition, Long> stored(Set<TopicPartition> partitions) {
    return store.positions(partitions);
  }

  @Override
  protected boolean isStoreAway(RuntimeException e) {
    return e instanceof DataAccessException;
  }

  @Override
  protected void add(Iterable<ConsumerRecord<byte[], byte[]>> records) {
    intake.at(clock.millis());
    for (ConsumerRecord<byte[], byte[]> record : records) {
      note(record);
      intake.add(record);
    }
  }

  @Override
  protected void addGivenUp(ConsumerRecord<byte[], byte[]> record, DeadLetter letter) {
    byte[] payload = letter.payload().length == 0 ? letter.payload() : intake.whole(record);
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
  }

  @Override
  protected void store() {
    long begin = System.nanoTime();
    List<DeadLetter> letters = new ArrayList<>(intake.letters());
    letters.addAll(givenUp);
    EventStore.Stored stored = store.commit(pending(), intake.events(), letters);
    counters.stored(
        pendingOf(),
        pendingRecords(),
        pendingBytes(),
        intake.dropped(),
        stored,
        Duration.ofNanos(System.nanoTime() - begin));
    intake.stored();
  }

  @Override
  protected void clear() {
    intake.clear();
    givenUp.clear();
  }
}
