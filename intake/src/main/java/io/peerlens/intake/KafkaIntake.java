package io.peerlens.intake;

import io.peerlens.node.KafkaConnection;
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
import org.springframework.beans.factory.DisposableBean;

/**
 * Writer of records to Kafka. It returns when Kafka has all of them, on every replica that is in
 * sync.
 */
final class KafkaIntake implements DisposableBean {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaIntake.class);

  /** How long a request waits for room in the buffer, or for a broker that is not known yet. */
  private static final Duration ROOM = Duration.ofSeconds(5);

  private static final Duration DELIVERY = Duration.ofSeconds(20);
  private static final long BUFFER = 32L << 20;

  private final Map<String, Object> settings = new HashMap<>();
  private @Nullable KafkaProducer<byte[], byte[]> producer; // guarded by this
  private boolean closed; // guarded by this

  KafkaIntake(KafkaConnection kafka) {
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
   * Writes records, and waits until Kafka has them.
   *
   * @param headers of all of them
   * @throws Refusal when Kafka does not take them all now; some may be there, and sending the
   *     request again does no harm
   */
  void deliver(String topic, List<Piece> pieces, Map<String, String> headers) throws Refusal {
    List<Header> common = headers(headers);
    List<Future<?>> sent = new ArrayList<>(pieces.size());
    try {
      KafkaProducer<byte[], byte[]> open = producer();
      for (Piece piece : pieces) {
        List<Header> all = common;
        if (!piece.headers().isEmpty()) {
          all = new ArrayList<>(common);
          all.addAll(headers(piece.headers()));
        }
        sent.add(open.send(new ProducerRecord<>(topic, null, piece.key(), piece.value(), all)));
        if (sent.getLast().isDone()) {
          sent.getLast().get(); // it failed at once
        }
      }
      for (Future<?> one : sent) {
        one.get(DELIVERY.plusSeconds(10).toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (ExecutionException e) {
      throw refused(topic, e.getCause());
    } catch (KafkaException | TimeoutException e) {
      throw refused(topic, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Refusal.unavailable("This node ends.");
    }
  }

  private static Refusal refused(String topic, @Nullable Throwable e) {
    if (e instanceof RecordTooLargeException) {
      return Refusal.tooLarge("Kafka takes no record as large: " + e.getMessage());
    }
    if (e instanceof BufferExhaustedException) {
      return Refusal.busy("Kafka does not take samples as fast as they come. Send it again later.");
    }
    LOG.warn("Topic {} did not take what was sent over HTTP: {}", topic, String.valueOf(e));
    return Refusal.unavailable("Kafka does not take samples now. Send it again later.");
  }

  private static List<Header> headers(Map<String, String> headers) {
    return headers.entrySet().stream()
        .<Header>map(
            h -> new RecordHeader(h.getKey(), h.getValue().getBytes(StandardCharsets.UTF_8)))
        .toList();
  }

  private synchronized KafkaProducer<byte[], byte[]> producer() throws Refusal {
    if (closed) {
      throw Refusal.unavailable("This node ends.");
    }
    KafkaProducer<byte[], byte[]> made = producer;
    if (made == null) {
      made = new KafkaProducer<>(settings);
      producer = made;
    }
    return made;
  }

  @Override
  public void destroy() {
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
