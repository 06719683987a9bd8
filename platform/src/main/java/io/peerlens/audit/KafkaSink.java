package io.peerlens.audit;

import io.peerlens.api.model.AuditEntry;
import io.peerlens.node.KafkaConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Topic that gets the audit log. All records have one key, so they stay in order in one partition.
 */
final class KafkaSink implements AuditExport.Sink {

  private static final byte[] KEY = "audit".getBytes(StandardCharsets.UTF_8);

  private final JsonMapper json;
  private final String topic;
  private final Map<String, Object> settings = new HashMap<>();
  private @Nullable KafkaProducer<byte[], byte[]> producer;

  KafkaSink(JsonMapper json, String topic, KafkaConnection kafka) {
    this.json = json;
    this.topic = topic;
    settings.putAll(kafka.settings());
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
    settings.put(ProducerConfig.CLIENT_ID_CONFIG, "peerlens-audit");
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 20_000);
  }

  @Override
  public void send(List<AuditEntry> entries) throws IOException {
    try {
      KafkaProducer<byte[], byte[]> open = producer;
      if (open == null) {
        open = new KafkaProducer<>(settings);
        producer = open;
      }
      List<Future<?>> sent = new ArrayList<>();
      for (AuditEntry entry : entries) {
        sent.add(
            open.send(
                new ProducerRecord<>(
                    topic,
                    null,
                    entry.getAt().toEpochMilli(),
                    KEY,
                    json.writeValueAsBytes(entry))));
      }
      for (Future<?> one : sent) {
        one.get();
      }
    } catch (KafkaException e) {
      throw new IOException(e.getMessage(), e);
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    }
  }

  @Override
  public void close() {
    if (producer != null) {
      producer.close(Duration.ZERO);
      producer = null;
    }
  }
}
