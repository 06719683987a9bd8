package io.peerlens.source.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.node.KafkaConnection;
import io.peerlens.source.Outlet;
import io.peerlens.source.OutletException;
import io.peerlens.source.Topic;
import io.peerlens.support.TestKafka;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KafkaOutletsIT {

  private static final String METRICS = "collector-metrics";

  private final TestKafka kafka = TestKafka.shared();
  private final KafkaOutlets outlets =
      new KafkaOutlets(
          new KafkaConnection(kafka.bootstrap(), Map.of()),
          Map.of(Topic.METRICS, METRICS, Topic.EVENTS, "no topic!"));

  @AfterEach
  void close() {
    outlets.destroy();
  }

  @Test
  void whatIsFlushedIsInTheTopicInItsOrder() {
    kafka.createTopic(METRICS, 1);
    Outlet one = outlets.open(UUID.randomUUID());
    Outlet other = outlets.open(UUID.randomUUID());
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      sent.add("line " + i);
      (i % 2 == 0 ? one : other).send(Topic.METRICS, "vc1", bytes("line " + i));
    }
    one.flush();
    other.flush();
    assertThat(read(sent.size())).containsExactlyElementsOf(sent);
  }

  @Test
  void aRecordThatKafkaRefusesFailsItsOwnOutletOnceAndNoOther() {
    Outlet one = outlets.open(UUID.randomUUID());
    Outlet other = outlets.open(UUID.randomUUID());
    assertThatThrownBy(
            () -> {
              one.send(Topic.EVENTS, "vc1", bytes("event"));
              one.flush();
            })
        .isInstanceOf(OutletException.class)
        .hasMessageContaining("Kafka did not take a record");
    other.flush();
    assertThatThrownBy(() -> one.send(Topic.METRICS, "vc1", new byte[Outlet.MAX_VALUE_BYTES + 1]))
        .isInstanceOf(OutletException.class)
        .hasMessageContaining("900,001");
  }

  @Test
  void nothingIsTakenAfterTheEnd() {
    Outlet outlet = outlets.open(UUID.randomUUID());
    outlets.destroy();
    assertThatThrownBy(() -> outlet.send(Topic.METRICS, "vc1", bytes("late")))
        .isInstanceOf(OutletException.class);
  }

  private List<String> read(int count) {
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrap()),
            new StringDeserializer(),
            new StringDeserializer())) {
      TopicPartition partition = new TopicPartition(METRICS, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      while (values.size() < count && System.nanoTime() < deadline) {
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(200))) {
          assertThat(record.key()).isEqualTo("vc1");
          values.add(record.value());
        }
      }
    }
    return values;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
