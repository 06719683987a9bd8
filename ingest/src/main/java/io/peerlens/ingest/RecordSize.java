package io.peerlens.ingest;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Size of a record as it was sent. Of a value that is too large for memory only the beginning is
 * read; Kafka's client says in the record how long it was.
 */
public final class RecordSize {

  /** Ends the detail of letters whose payload is not all of what was sent. */
  public static final String NOT_WHOLE = "so that it cannot be replayed";

  private RecordSize() {}

  /** Whether the value is only the beginning of what was sent. */
  public static boolean isCut(ConsumerRecord<byte[], byte[]> record) {
    byte[] value = record.value();
    return value != null && record.serializedValueSize() > value.length;
  }

  /** Detail of the dead letter of a cut record. */
  public static String cut(ConsumerRecord<byte[], byte[]> record) {
    return "%,d bytes are too large to be read: send smaller records; only the first %,d bytes are kept, %s"
        .formatted(record.serializedValueSize(), record.value().length, NOT_WHOLE);
  }
}
