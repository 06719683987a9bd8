package io.peerlens.source.collect;

import io.peerlens.ingest.RecordDecoder;
import io.peerlens.node.KafkaConnection;
import io.peerlens.source.Outlet;
import io.peerlens.source.OutletException;
import io.peerlens.source.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;

/**
 * Outlets of all collectors of this process, which share one producer. It is made for the first
 * record, so a node that reads nothing has none. Thread-safe.
 */
final class KafkaOutlets implements DisposableBean {

  private static final Duration DELIVERY = Duration.ofSeconds(60);
  private static final Duration ROOM = Duration.ofSeconds(30);
  private static final int MEMORY = 32 << 20;

  private final Map<Topic, String> topics;
  private final Map<String, Object> settings = new HashMap<>();
  private @Nullable KafkaProducer<byte[], byte[]> producer; // guarded by this
  private boolean closed; // guarded by this

  /**
   * @param topics the name of each
   */
  KafkaOutlets(KafkaConnection kafka, Map<Topic, String> topics) {
    this.topics = Map.copyOf(topics);
    settings.putAll(kafka.settings());
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
    settings.put(ProducerConfig.CLIENT_ID_CONFIG, "peerlens-collector");
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 50);
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 256 << 10);
    settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, (long) MEMORY);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, ROOM.toMillis());
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 15_000);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Math.toIntExact(DELIVERY.toMillis()));
  }

  /** An outlet for the collector of one source. */
  Outlet open(UUID source) {
    return new KafkaOutlet(source);
  }

  private synchronized KafkaProducer<byte[], byte[]> producer() {
    if (closed) {
      throw new OutletException("This node ends", null);
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

  /** What one collector has on the way. */
  private final class KafkaOutlet implements Outlet {

    private final List<Header> headers;
    private long onTheWay; // guarded by this
    private @Nullable Exception failure; // guarded by this

    private KafkaOutlet(UUID source) {
      this.headers =
          List.of(
              new RecordHeader(
                  RecordDecoder.SOURCE_HEADER,
                  source.toString().getBytes(StandardCharsets.ISO_8859_1)));
    }

    @Override
    public void send(Topic topic, String key, byte[] value) {
      if (value.length > MAX_VALUE_BYTES) {
        throw new OutletException(
            "A record of %,d bytes is longer than %,d".formatted(value.length, MAX_VALUE_BYTES),
            null);
      }
      String name = topics.get(topic);
      if (name == null) {
        throw new IllegalArgumentException("No topic is named for " + topic);
      }
      synchronized (this) {
        onTheWay++;
      }
      Future<RecordMetadata> sent;
      try {
        sent =
            producer()
                .send(
                    new ProducerRecord<>(
                        name, null, key.getBytes(StandardCharsets.UTF_8), value, headers),
                    (metadata, e) -> arrived(e));
      } catch (RuntimeException e) {
        arrived(e);
        throw e instanceof KafkaException ? failed(e) : e;
      }
      if (sent.isDone()) { // Kafka has no room for it, or knows no such topic
        try {
          sent.get();
        } catch (ExecutionException e) {
          throw failed(e.getCause() instanceof Exception cause ? cause : e);
        } catch (InterruptedException e) {
          throw interrupted(e);
        }
      }
    }

    private synchronized void arrived(@Nullable Exception e) {
      onTheWay--;
      if (e != null && failure == null) {
        failure = e;
      }
      if (onTheWay == 0) {
        notifyAll();
      }
    }

    @Override
    public synchronized void flush() {
      long deadline = System.nanoTime() + DELIVERY.plusSeconds(10).toNanos();
      while (onTheWay > 0) {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          throw new OutletException("Kafka has not acknowledged all records in time", null);
        }
        try {
          wait(left);
        } catch (InterruptedException e) {
          throw interrupted(e);
        }
      }
      Exception e = failure;
      failure = null;
      if (e != null) {
        throw failed(e);
      }
    }

    private static OutletException failed(Exception e) {
      return new OutletException("Kafka did not take a record: " + e.getMessage(), e);
    }

    private static OutletException interrupted(InterruptedException e) {
      Thread.currentThread().interrupt();
      return new OutletException("Interrupted", e);
    }
  }
}
