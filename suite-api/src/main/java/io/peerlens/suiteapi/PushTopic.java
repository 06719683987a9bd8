package io.peerlens.suiteapi;

import io.peerlens.node.KafkaConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Topic of samples, as what is pushed goes there: all that a request brought is with Kafka before
 * it is answered. The producer is made for the first push. Thread-safe.
 */
final class PushTopic implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PushTopic.class);
  private static final Duration DELIVERY = Duration.ofSeconds(20);

  private final String topic;
  private final Map<String, Object> settings = new HashMap<>();
  private @Nullable KafkaProducer<byte[], byte[]> producer; // guarded by this

  PushTopic(KafkaConnection kafka, String topic) {
    this.topic = topic;
    settings.putAll(kafka.settings());
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
    settings.put(ProducerConfig.CLIENT_ID_CONFIG, "peerlens-suite-api");
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 5_000);
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Math.toIntExact(DELIVERY.toMillis()));
  }

  /** A record; those of one key stay in order. */
  record Message(byte[] key, byte[] value) {}

  /**
   * Sends records, and waits until Kafka has them all.
   *
   * @throws SuiteException 503 when it does not take them; some may be there then
   */
  void send(List<Message> messages) {
    try {
      KafkaProducer<byte[], byte[]> open = producer();
      List<Future<RecordMetadata>> sent = new ArrayList<>(messages.size());
      for (Message message : messages) {
        sent.add(open.send(new ProducerRecord<>(topic, message.key(), message.value())));
      }
      for (Future<RecordMetadata> one : sent) {
        one.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw SuiteException.later(503, "The node stops.", 5);
    } catch (ExecutionException | KafkaException e) {
      LOG.warn("Kafka did not take what was pushed: {}", e.getMessage());
      throw SuiteException.later(503, "Kafka does not take the values; try again.", 5);
    }
  }

  private synchronized KafkaProducer<byte[], byte[]> producer() {
    KafkaProducer<byte[], byte[]> made = producer;
    if (made == null) {
      made = new KafkaProducer<>(settings);
      producer = made;
    }
    return made;
  }

  @Override
  public void close() {
    KafkaProducer<byte[], byte[]> made;
    synchronized (this) {
      made = producer;
      producer = null;
    }
    if (made != null) {
      made.close(Duration.ofSeconds(5));
    }
  }
}
