package io.peerlens.ingest.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.IntSupplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Kafka's consumer with polls that fit into memory, whatever their records unpack to.
 *
 * <p>A poll gives at most {@link #MAX_POLL_BYTES} of values. What does not fit is read again by the
 * next poll. A value beyond {@link #MAX_VALUE_BYTES}, or beyond the guard when that is higher, is
 * cut to its beginning; see {@link io.peerlens.ingest.RecordSize}. Records have no keys. Only one
 * record at a time is as large in memory as it was sent; one for which even that is too much is for
 * {@link CarefulReading}.
 *
 * <p>Not thread-safe, as Kafka's consumer is not.
 */
public final class BoundedConsumer implements AutoCloseable {

  /** Values that a poll gives together, about: 32 MiB of a heap of 1 GiB. */
  public static final long MAX_POLL_BYTES =
      Math.clamp(Runtime.getRuntime().maxMemory() / 32, 4L << 20, 64L << 20);

  private static final int MAX_VALUE_BYTES = 4 << 20;

  private final KafkaConsumer<byte[], byte[]> kafka;
  private final BoundedValues values;

  /**
   * @param settings of Kafka's consumer
   * @param maxRecordBytes the guard; a larger value is refused whatever it holds
   */
  public BoundedConsumer(Properties settings, IntSupplier maxRecordBytes) {
    values =
        new BoundedValues(
            () -> Math.max(MAX_VALUE_BYTES, maxRecordBytes.getAsInt()), MAX_POLL_BYTES);
    kafka = new KafkaConsumer<>(settings, new BoundedValues.NoKeys(), values);
  }

  /** Settings that bound what is fetched before it is unpacked. */
  public static Properties bounds(int maxPollRecords) {
    Properties p = new Properties();
    p.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, Integer.toString(maxPollRecords));
    p.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, Integer.toString(16 << 20));
    p.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, Integer.toString(2 << 20));
    p.put(ConsumerConfig.RECEIVE_BUFFER_CONFIG, Integer.toString(1 << 20));
    return p;
  }

  /** For all but reading. */
  public KafkaConsumer<byte[], byte[]> kafka() {
    return kafka;
  }

  /** Reads records, in the order of their partitions; empty when there are none in time. */
  public List<ConsumerRecord<byte[], byte[]>> poll(Duration timeout) {
    values.begin();
    List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
    Map<TopicPartition, Long> later = new HashMap<>();
    var records = kafka.poll(timeout);
    for (TopicPartition partition : records.partitions()) {
      for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
        if (record.value() == BoundedValues.LATER) {
          later.put(partition, record.offset());
          break;
        }
        read.add(record);
      }
    }
    later.forEach(kafka::seek);
    return read;
  }

  @Override
  public void close() {
    kafka.close(CloseOptions.timeout(Duration.ofSeconds(5)));
  }
}
