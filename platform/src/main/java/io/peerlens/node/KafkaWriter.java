package io.peerlens.node;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writer of what requests bring to Kafka. It returns when Kafka has all of it, on every replica
 * that is in sync. The producer is made for the first record. Thread-safe.
 */
public final class KafkaWriter implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaWriter.class);

  /** How long a request waits for room in the buffer, or for a broker that is not known yet. */
  private static final Duration ROOM = Duration.ofSeconds(5);

  private static final Duration DELIVERY = Duration.ofSeconds(20);
  private static final long BUFFER = 32L << 20;

  private final Map<String, Object> settings = new HashMap<>();
  private @Nullable KafkaProducer<byte[], byte[]> producer; // guarded by this
  private boolean closed; // guarded by this

  /** A writer to the brokers of a connection. */
  public KafkaWriter(KafkaConnection kafka) {
    settings.putAll(kafka.settings());
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
    settings.put(ProducerConfig.CLIENT_ID_CONFIG, "peerlens-intake");
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 5);
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 256 << 10);
    settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, ROOM.toMillis());
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Math.toIntExact(DELIVERY.toMillis()));
  }

  /**
   * A record.
   *
   * @param key decides the partition; those of one key stay in their order
   * @param headers in UTF-8
   */
  public record Message(byte[] key, byte[] value, Map<String, String> headers) {}

  /** Why Kafka has not taken everything. */
  public enum Reason {
    /** A record is larger than the topic takes. */
    TOO_LARGE,
    /** It comes faster than Kafka takes it. */
    BUSY,
    /** Kafka does not answer, or this node ends. */
    UNAVAILABLE
  }

  /**
   * Kafka has not taken everything. A part may be there; to write it again does no harm, since a
   * sample that is there is replaced by itself.
   */
  public static final class NotWritten extends Exception {
    private static final long serialVersionUID = 1;
    private final Reason reason;

    private NotWritten(Reason reason, String message) {
      super(message, null, false, false);
      this.reason = reason;
    }

    /** Why. */
    public Reason reason() {
      return reason;
    }
  }

  /**
   * Writes records, and waits until Kafka has them.
   *
   * @throws NotWritten when it does not take them all now; the message is one for the sender
   */
  public void write(String topic, List<Message> messages) throws NotWritten {
    List<Future<?>> sent = new ArrayList<>(messages.size());
    try {
      KafkaProducer<byte[], byte[]> open = producer();
      for (Message message : messages) {
        Future<?> one =
            open.send(
                new ProducerRecord<>(
                    topic, null, message.key(), message.value(), headers(message.headers())));
        if (one.isDone()) {
          one.get(); // it failed at once
        }
        sent.add(one);
      }
      for (Future<?> one : sent) {
        one.get(DELIVERY.plusSeconds(10).toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (ExecutionException e) {
      throw notWritten(topic, e.getCause());
    } catch (KafkaException | TimeoutException e) {
      throw notWritten(topic, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ends();
    }
  }

  private static NotWritten notWritten(String topic, @Nullable Throwable e) {
    if (e instanceof RecordTooLargeException) {
      return new NotWritten(Reason.TOO_LARGE, "Kafka takes no record as large: " + e.getMessage());
    }
    if (e instanceof BufferExhaustedException) {
      return new NotWritten(
          Reason.BUSY, "Kafka does not take samples as fast as they come. Send it again later.");
    }
    LOG.warn("Topic {} did not take what was sent over HTTP: {}", topic, String.valueOf(e));
    return new NotWritten(
        Reason.UNAVAILABLE, "Kafka does not take samples now. Send it again later.");
  }

  private static NotWritten ends() {
    return new NotWritten(Reason.UNAVAILABLE, "This node ends.");
  }

  private static List<Header> headers(Map<String, String> headers) {
    return headers.entrySet().stream()
        .<Header>map(
            h -> new RecordHeader(h.getKey(), h.getValue().getBytes(StandardCharsets.UTF_8)))
        .toList();
  }

  private synchronized KafkaProducer<byte[], byte[]> producer() throws NotWritten {
    if (closed) {
      throw ends();
    }
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
      closed = true;
      made = producer;
      producer = null;
    }
    if (made != null) {
      made.close(Duration.ofSeconds(5));
    }
  }
}
