package io.peerlens.standalone;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Kafka records whose partition follows from their key. */
public final class Records {

  private Records() {}

  /**
   * A record for whatever partition its key leads to.
   *
   * @param timeMs its time in epoch milliseconds; null = when it is sent
   */
  @SuppressWarnings("NullAway") // the client takes null for "by key" and "now", but does not say so
  public static ProducerRecord<String, byte[]> byKey(
      String topic, @Nullable Long timeMs, String key, byte[] value) {
    return new ProducerRecord<>(topic, null, timeMs, key, value);
  }
}
