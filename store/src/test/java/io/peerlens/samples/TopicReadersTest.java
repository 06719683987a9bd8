package io.peerlens.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.peerlens.ingest.kafka.TopicReader;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

class TopicReadersTest {

  @Test
  void aReaderWaitsForABrokerWhoseNameIsUnknown() {
    AtomicInteger tries = new AtomicInteger();
    TopicReaders consumers =
        new TopicReaders(
            "sample-consumer",
            1,
            () -> {
              tries.incrementAndGet();
              throw refusal(Map.of("bootstrap.servers", "no-such-host.invalid:9092"));
            },
            InstantSource.system());

    consumers.start();
    await().atMost(Duration.ofSeconds(20)).until(() -> tries.get() >= 3);
    assertThat(consumers.isRunning()).isTrue();

    consumers.stop();
    assertThat(consumers.isRunning()).isFalse();
  }

  @Test
  void aWrongSettingEndsTheStart() {
    TopicReaders consumers =
        new TopicReaders(
            "sample-consumer",
            1,
            () -> {
              throw refusal(
                  Map.of("bootstrap.servers", "localhost:9092", "security.protocol", "NONSENSE"));
            },
            InstantSource.system());

    assertThatThrownBy(consumers::start).isInstanceOf(KafkaException.class);
  }

  @Test
  void healthIsDownWithTheOffsetWhileAConsumerIsStuck() {
    String words = "reading metrics-0 was started 10 times at offset 7: away";
    AtomicReference<String> stuck = new AtomicReference<>("");
    CountDownLatch closed = new CountDownLatch(1);
    TopicReader reader =
        new TopicReader() {
          @Override
          public void run() {
            try {
              closed.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }

          @Override
          public String stuck() {
            return stuck.get();
          }

          @Override
          public void close() {
            closed.countDown();
          }
        };
    InstantSource clock = InstantSource.system();
    TopicReaders consumers = new TopicReaders("sample-consumer", 1, () -> reader, clock);
    IngestHealthIndicator health = new IngestHealthIndicator(consumers, new IngestPause(), clock);
    consumers.start();
    assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    stuck.set(words);
    assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
    assertThat(health.health().getDetails()).containsEntry("reason", words);
    stuck.set("");
    assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    consumers.stop();
  }

  /** What Kafka's own client throws for such settings. */
  private static KafkaException refusal(Map<String, Object> settings) {
    try (KafkaConsumer<byte[], byte[]> made =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      throw new AssertionError("made " + made);
    } catch (KafkaException e) {
      return e;
    }
  }
}
