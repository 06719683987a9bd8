package io.peerlens.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;

class TopicReadersTest {

  @Test
  void waitsForABrokerWhoseNameIsNotKnownYet() {
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
  void endsTheStartWhenASettingIsWrong() {
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
