package io.peerlens.ingest.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offsets at which a consumer goes on reading. Only the store says where that is: Kafka's client
 * never chooses by itself ({@code auto.offset.reset} is {@code none}), because its choice is made
 * in another thread and can win over a seek, so that a whole partition would be read again (see
 * {@code SubscriptionState.seekUnvalidated} of Kafka 4.2, which takes no lock).
 *
 * <p>Not thread-safe: belongs to the consumer's thread.
 */
public final class ReadingPlaces {

  private static final Logger log = LoggerFactory.getLogger(ReadingPlaces.class);
  private static final Duration ASKED = Duration.ofSeconds(10);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Function<Collection<TopicPartition>, Map<TopicPartition, Instant>> storedAt;

  /** Partitions of which Kafka said that it has nothing at the stored place, with that place. */
  private final Map<TopicPartition, Long> outOfRange = new HashMap<>();

  /**
   * @param storedAt when something of a partition was stored last. It is asked when a partition
   *     ends before what is stored of it. A partition that is left out is then read from its
   *     beginning, which is right where storing twice does no harm.
   */
  public ReadingPlaces(
      KafkaConsumer<byte[], byte[]> consumer,
      Function<Collection<TopicPartition>, Map<TopicPartition, Instant>> storedAt) {
    this.consumer = consumer;
    this.storedAt = storedAt;
  }

  /**
   * Holds partitions that were just assigned until {@link #seek} tells where to read. To be called
   * in the rebalance listener, before the client looks for places itself.
   */
  public void hold(Collection<TopicPartition> assigned) {
    consumer.pause(assigned);
    assigned.forEach(partition -> consumer.seek(partition, 0));
  }

  /** Notes that Kafka has nothing at some places; the next {@link #seek} finds others for them. */
  public void note(OffsetOutOfRangeException e) {
    outOfRange.putAll(e.offsetOutOfRangePartitions());
  }

  /**
   * Goes to the places that are stored, and to the beginning of what was never read. Where Kafka
   * has nothing there, the log says why and where reading goes on.
   *
   * @param stored offsets to read next; absent = never read
   * @throws org.apache.kafka.common.KafkaException when Kafka does not answer
   */
  public void seek(Collection<TopicPartition> assigned, Map<TopicPartition, Long> stored) {
    // What was found out holds until something is stored behind it: Kafka tells of one partition
    // at a time, and all of them are sought again each time.
    outOfRange.entrySet().removeIf(e -> !e.getValue().equals(stored.get(e.getKey())));
    Set<TopicPartition> unread = new HashSet<>(assigned);
    unread.removeAll(stored.keySet());
    Set<TopicPartition> lost = new HashSet<>(outOfRange.keySet());
    lost.retainAll(assigned);
    Set<TopicPartition> asked = new HashSet<>(unread);
    asked.addAll(lost);
    Map<TopicPartition, Long> begins =
        asked.isEmpty() ? Map.of() : consumer.beginningOffsets(asked, ASKED);
    Map<TopicPartition, Long> ends = lost.isEmpty() ? Map.of() : consumer.endOffsets(lost, ASKED);
    for (TopicPartition partition : assigned) {
      long begin = begins.getOrDefault(partition, 0L);
      long at = stored.getOrDefault(partition, begin);
      consumer.seek(
          partition,
          lost.contains(partition)
              ? place(partition, at, begin, ends.getOrDefault(partition, at))
              : at);
    }
  }

  private long place(TopicPartition partition, long at, long begin, long end) {
    if (at < begin) {
      log.warn(
          "Kafka deleted {} records of {} before they were read (offsets {} to {}); reading continues at {}. Check the topic's retention",
          begin - at,
          partition,
          at,
          begin - 1,
          begin);
      return begin;
    }
    if (at <= end) {
      return at; // it was there again when asked
    }
    Instant since = storedAt.apply(Set.of(partition)).get(partition);
    long place = begin;
    if (since != null) {
      OffsetAndTimestamp newer =
          consumer.offsetsForTimes(Map.of(partition, since.toEpochMilli()), ASKED).get(partition);
      place = Optional.ofNullable(newer).map(OffsetAndTimestamp::offset).orElse(end);
    }
    log.warn(
        "{} ends at {}, before offset {} up to which it is stored: the topic was created again, or the broker lost its newest records. Reading continues at {}, {}",
        partition,
        end,
        at,
        place,
        since == null ? "its beginning" : "with records newer than " + since);
    return place;
  }
}
