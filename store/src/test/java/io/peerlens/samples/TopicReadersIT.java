package io.peerlens.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.peerlens.ingest.Catalog;
import io.peerlens.ingest.IngestGuards;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.SampleSink;
import io.peerlens.ingest.TimePrecision;
import io.peerlens.ingest.kafka.IngestCounters;
import io.peerlens.ingest.kafka.SampleConsumer;
import io.peerlens.ingest.mapping.Mappings;
import io.peerlens.support.TestKafka;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.health.contributor.Status;

/** What an error in a consumer's threads does, on a real broker. */
@Order(2)
@Timeout(120)
class TopicReadersIT {

  private static final String BROKEN = "java.lang.NoClassDefFoundError: a class that is not there";

  private final String topic = "errors-" + UUID.randomUUID();
  private final AtomicInteger errors = new AtomicInteger();
  private final AtomicInteger made = new AtomicInteger();
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-21T00:20:00Z"));
  private final InstantSource clock = now::get;

  private void failSometimes() {
    if (errors.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      throw new NoClassDefFoundError("a class that is not there");
    }
  }

  /** Stores nothing but offsets. */
  private final class Offsets implements SampleSink {
    final Map<TopicPartition, Long> stored = new ConcurrentHashMap<>();
    private final boolean failing;

    Offsets(boolean failing) {
      this.failing = failing;
    }

    @Override
    public void write(SampleBatch batch) {
      if (failing) {
        failSometimes();
      }
      batch.ranges().forEach((partition, range) -> stored.put(partition, range.to()));
    }

    @Override
    public Map<TopicPartition, Long> positions(Collection<TopicPartition> partitions) {
      return Map.copyOf(stored);
    }
  }

  private static final Catalog NOTHING_IS_NEW =
      request -> {
        throw new AssertionError("no line of this test needs the catalog");
      };

  private TopicReaders consumers(Catalog catalog, SampleSink sink) {
    SampleConsumer.Settings settings =
        new SampleConsumer.Settings(
            TestKafka.shared().bootstrap(),
            List.of(topic),
            topic,
            100,
            Duration.ofMillis(20),
            TimePrecision.NS,
            Map.of());
    return new TopicReaders(
        "sample-consumer",
        1,
        () -> {
          made.incrementAndGet();
          return new SampleConsumer(
              settings,
              Mappings.shipped(),
              catalog,
              sink,
              () -> IngestGuards.DEFAULT,
              () -> "",
              new IngestCounters(new SimpleMeterRegistry(), InstantSource.system()),
              clock);
        },
        clock);
  }

  private void send(String line) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", TestKafka.shared().bootstrap()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      var stored =
          producer.send(new ProducerRecord<>(topic, line.getBytes(StandardCharsets.UTF_8))).get();
      assertThat(stored.hasOffset()).isTrue();
    }
  }

  private void endsAndGoesOn(Catalog catalog, Offsets sink, String line) throws Exception {
    TestKafka.shared().createTopic(topic, 1);
    TopicReaders consumers = consumers(catalog, sink);
    IngestHealthIndicator health = new IngestHealthIndicator(consumers, new IngestPause(), clock);
    consumers.start();
    assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    errors.set(2);
    send(line);
    await().atMost(Duration.ofSeconds(60)).until(() -> sink.stored.containsValue(1L));
    assertThat(made).as("the first, and one after each error").hasValue(3);
    assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
    assertThat(health.health().getDetails())
        .containsEntry("reason", BROKEN)
        .containsEntry("consumer", "sample-consumer-0")
        .containsEntry("endedAt", "2026-11-21T00:20:00Z");
    now.set(now.get().plusSeconds(61));
    assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    consumers.stop();
    assertThat(consumers.isRunning()).isFalse();
  }

  @Test
  void anErrorWhileStoringIsShownAndTheNextConsumerContinues() throws Exception {
    endsAndGoesOn(NOTHING_IS_NEW, new Offsets(true), "nonsense");
  }

  @Test
  void anErrorWhileDecodingIsShownAndTheNextConsumerContinues() throws Exception {
    Catalog catalog =
        request -> {
          failSometimes();
          return new Catalog.Answer(
              List.of(),
              request.sets().stream()
                  .map(set -> (Catalog.SetAnswer) Catalog.TooMany.OBJECTS)
                  .toList(),
              Map.of(),
              0,
              0,
              0);
        };
    endsAndGoesOn(catalog, new Offsets(false), "app,host=a f=1 1795220400000000000");
  }

  @Test
  void aReaderStopsWhileAnErrorRecurs() throws Exception {
    TestKafka.shared().createTopic(topic, 1);
    TopicReaders consumers = consumers(NOTHING_IS_NEW, new Offsets(true));
    errors.set(Integer.MAX_VALUE);
    send("nonsense");
    consumers.start();
    await().atMost(Duration.ofSeconds(60)).until(() -> made.get() >= 3);
    consumers.stop();
    int count = made.get();
    assertThat(consumers.isRunning()).isFalse();
    await()
        .during(Duration.ofSeconds(5))
        .atMost(Duration.ofSeconds(60))
        .until(() -> made.get() == count);
  }
}
