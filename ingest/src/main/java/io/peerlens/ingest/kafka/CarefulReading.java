package io.peerlens.ingest.kafka;

import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.RecordSize;
import io.peerlens.ingest.RejectReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.IntSupplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reading of records one by one, past a place where memory was not enough. One partition is read at
 * a time, with small fetches. A record that cannot be read even so, because it alone is larger than
 * the free memory at several tries or damaged, becomes a dead letter of its offset, without its
 * bytes.
 *
 * <p>The consumer that failed stays a member of its group meanwhile, with all partitions paused.
 * Not thread-safe.
 */
public final class CarefulReading {

  private static final Logger log = LoggerFactory.getLogger(CarefulReading.class);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration ASKED = Duration.ofSeconds(5);
  private static final long ALIVE_EVERY_NANOS = Duration.ofSeconds(1).toNanos();

  /** Largest distance between the place where reading failed and its cause before it. */
  private static final int RECORDS = 2_000;

  /** Memory may be short because of others; so often a record is tried before it is passed over. */
  private static final int TRIES = 3;

  private static final int STORE_RECORDS = 500;
  private static final int STORE_BYTES = 1 << 20;

  private final Properties settings;
  private final IntSupplier maxRecordBytes;

  /** Up to where each partition is read so. */
  private final Map<TopicPartition, Long> until = new HashMap<>();

  /**
   * @param settings of the consumer that may fail
   */
  public CarefulReading(Properties settings, IntSupplier maxRecordBytes) {
    this.settings = new Properties();
    this.settings.putAll(settings);
    this.settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
    this.settings.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    this.settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "1");
    this.settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, Integer.toString(64 << 10));
    this.settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, Integer.toString(64 << 10));
    this.maxRecordBytes = maxRecordBytes;
  }

  /** Whether what a consumer threw says that it cannot read the record that comes next. */
  public static boolean isUnreadable(Throwable e) {
    return e instanceof OutOfMemoryError
        || (e.getClass() == KafkaException.class
            && String.valueOf(e.getMessage()).startsWith("Received exception when fetching"));
  }

  /** Notes up to where the partitions of a consumer that just failed must be read so. */
  public void begin(KafkaConsumer<byte[], byte[]> consumer) {
    for (TopicPartition partition : consumer.assignment()) {
      long at = 0;
      try {
        at = consumer.position(partition, Duration.ofMillis(100));
      } catch (KafkaException e) {
        // it was to read where the store says
      }
      until.merge(partition, at + RECORDS, Math::max);
    }
  }

  /** Whether some partitions must be read so before anything else. */
  public boolean isDue() {
    return !until.isEmpty();
  }

  /** Forgets partitions that somebody else reads now. */
  public void release(Iterable<TopicPartition> partitions) {
    partitions.forEach(until::remove);
  }

  /**
   * Reads and stores what is due. When it throws, what is left stays due.
   *
   * @param member the consumer that failed, its partitions paused
   * @param stored offsets from which to go on; absent = from the beginning
   */
  public void run(
      KafkaConsumer<byte[], byte[]> member,
      Map<TopicPartition, Long> stored,
      RefusedRecords.Store store) {
    for (TopicPartition partition : List.copyOf(until.keySet())) {
      Long to = until.get(partition);
      if (to != null && member.assignment().contains(partition)) {
        read(member, partition, stored.getOrDefault(partition, 0L), to, store);
      }
      if (store.isClosed()) {
        return;
      }
      until.remove(partition);
    }
  }

  private void read(
      KafkaConsumer<byte[], byte[]> member,
      TopicPartition partition,
      long from,
      long atMost,
      RefusedRecords.Store store) {
    log.warn("Records of {} are read one by one from offset {}", partition, from);
    long at = from;
    long failedAt = -1;
    int tries = 0;
    boolean atEnd = false;
    while (!atEnd && !store.isClosed()) {
      List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
      Throwable unreadable = null;
      try (BoundedConsumer one = new BoundedConsumer(settings, maxRecordBytes)) {
        KafkaConsumer<byte[], byte[]> kafka = one.kafka();
        kafka.assign(List.of(partition));
        kafka.seek(partition, at);
        long end = kafka.endOffsets(List.of(partition), ASKED).getOrDefault(partition, 0L);
        long to = Math.min(atMost, end);
        long aliveAt = System.nanoTime();
        int bytes = 0;
        while (at < to && !store.isClosed()) {
          try {
            for (ConsumerRecord<byte[], byte[]> record : one.poll(POLL)) {
              read.add(record);
              bytes += record.value() == null ? 0 : record.value().length;
            }
            at = kafka.position(partition, ASKED); // past what was compacted away, too
          } catch (OutOfMemoryError | KafkaException e) {
            if (!isUnreadable(e)) {
              throw e;
            }
            unreadable = e;
            break;
          }
          if (read.size() >= STORE_RECORDS || bytes >= STORE_BYTES) {
            RefusedRecords.store(read, store);
            read.clear();
            bytes = 0;
          }
          if (System.nanoTime() - aliveAt > ALIVE_EVERY_NANOS) {
            member.poll(Duration.ZERO); // paused: nothing comes
            aliveAt = System.nanoTime();
          }
        }
        atEnd = unreadable == null;
      }
      RefusedRecords.store(read, store);
      if (unreadable != null) {
        tries = at == failedAt ? tries + 1 : 1;
        failedAt = at;
        if (unreadable instanceof OutOfMemoryError && tries < TRIES) {
          member.poll(POLL); // paused: nothing comes, and others may give memory back meanwhile
        } else {
          giveUp(partition, at, unreadable, store);
          at++;
        }
      }
    }
  }

  private static void giveUp(
      TopicPartition partition, long offset, Throwable why, RefusedRecords.Store store) {
    log.warn(
        "Record {} of {} cannot be read and is passed over: {}", offset, partition, why.toString());
    String detail =
        why instanceof OutOfMemoryError
            ? "the record unpacks to more than the free memory: send smaller records; it is passed over, "
            : "Kafka's client cannot read the record: "
                + why.getMessage()
                + "; it is passed over, ";
    store.giveUp(
        new ConsumerRecord<>(partition.topic(), partition.partition(), offset, null, null),
        new DeadLetter(
            partition.topic(),
            partition.partition(),
            offset,
            1,
            -1,
            RejectReason.OVERSIZED,
            detail + RecordSize.NOT_WHOLE,
            new byte[0]));
  }
}
