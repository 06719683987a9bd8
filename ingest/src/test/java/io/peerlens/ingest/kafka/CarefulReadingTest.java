package io.peerlens.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.ingest.DeadLetter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A lack of memory is scripted inside of Kafka's client; broker and client are real. */
class CarefulReadingTest {

  private static final AtomicInteger LACKS = new AtomicInteger();

  /** Fails as the client does that cannot unpack what it fetched, so often at one record. */
  public static final class Lack implements ConsumerInterceptor<byte[], byte[]> {

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
      for (ConsumerRecord<byte[], byte[]> record : records) {
        if (record.offset() == 1 && LACKS.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
          throw new OutOfMemoryError("scripted");
        }
      }
      return records;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void close() {}

    @Override
    public void configure(Map<String, ?> settings) {}
  }

  @ParameterizedTest
  @CsvSource({"1, 0 1 2, ''", "2, 0 1 2, ''", "3, 0 2, 1"})
  void aRecordIsLostOnlyWhenMemoryLacksThreeTimes(int lacks, String read, String lost)
      throws Exception {
    String topic = "careful-" + UUID.randomUUID();
    KafkaBroker.get().createTopic(topic, 1);
    try (KafkaProducer<byte[], byte[]> producer = KafkaBroker.get().producer()) {
      for (int i = 0; i < 3; i++) {
        byte[] value = ("record " + i).getBytes(StandardCharsets.UTF_8);
        assertThat(producer.send(new ProducerRecord<>(topic, value)).get().hasOffset()).isTrue();
      }
    }
    Properties settings = new Properties();
    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, KafkaBroker.get().bootstrap());
    settings.put(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, Lack.class.getName());
    TopicPartition partition = new TopicPartition(topic, 0);
    List<String> stored = new ArrayList<>();
    List<String> passedOver = new ArrayList<>();
    RefusedRecords.Store store =
        new RefusedRecords.Store() {
          @Override
          public void store(List<ConsumerRecord<byte[], byte[]>> records) {
            records.forEach(record -> stored.add(Long.toString(record.offset())));
          }

          @Override
          public void giveUp(ConsumerRecord<byte[], byte[]> record, DeadLetter letter) {
            passedOver.add(Long.toString(record.offset()));
          }

          @Override
          public boolean isClosed() {
            return false;
          }
        };
    CarefulReading careful = new CarefulReading(settings, () -> 1 << 20);
    try (BoundedConsumer member = new BoundedConsumer(settings, () -> 1 << 20)) {
      member.kafka().assign(List.of(partition));
      member.kafka().seek(partition, 0);
      member.kafka().pause(List.of(partition));
      LACKS.set(lacks);
      careful.begin(member.kafka());
      careful.run(member.kafka(), Map.of(), store);
    }
    assertThat(String.join(" ", stored)).isEqualTo(read);
    assertThat(String.join(" ", passedOver)).isEqualTo(lost);
    assertThat(careful.isDue()).isFalse();
  }
}
