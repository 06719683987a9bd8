package io.peerlens.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import io.peerlens.support.TestKafka;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A typo in a mapping file of one's own: everything runs but ingest, which waits. */
@Timeout(120)
class WrongMappingIT {

  private static final String FILE =
      """
      collector: own
      adapterKind: Own
      rules:
        - measurement: own
          objectKind: Thing
          id: "{thing}"
          name: "{thing}"
      """;

  @TempDir Path directory;

  private final String topic = "metrics-" + UUID.randomUUID();
  private final TestDatabase database = TestDatabase.create();

  @Test
  void ingestWaitsWithThePositionOfTheErrorAndStoresNothingWrongly() throws Exception {
    TestKafka.shared().createTopic(topic, 1);
    Path file = directory.resolve("own.yaml");
    Files.writeString(file, FILE.replace("measurement", "measurment"));
    send("own,thing=a value=1 " + (Instant.now().getEpochSecond() - 60) + "000000000");
    try (PeerlensServer server = start()) {
      String mistake =
          "own.yaml, line 4, column 5: unknown key 'rules[0].measurment'; did you mean";
      assertThat(server.admin().get("//health").body())
          .contains("a mapping file is wrong")
          .contains(mistake);
      assertThat(server.admin().get("/objects").status()).isEqualTo(200);
      JdbcClient jdbc = server.context().getBean(JdbcClient.class);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  jdbc.sql("select trouble from ingest_node")
                      .query(String.class)
                      .optional()
                      .orElse("")
                      .contains(mistake));
      assertThat(jdbc.sql("select count(*) from object").query(Long.class).single()).isZero();
    }
    Files.writeString(file, FILE);
    try (PeerlensServer server = start()) {
      JdbcClient jdbc = server.context().getBean(JdbcClient.class);
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () ->
                  assertThat(jdbc.sql("select object_kind from object").query(String.class).list())
                      .containsExactly("Thing"));
    }
  }

  private PeerlensServer start() {
    return PeerlensServer.start(
        database,
        Set.of(Role.INGEST, Role.API),
        "peerlens.ingest.mappings=" + directory,
        "peerlens.ingest.bootstrap-servers=" + TestKafka.shared().bootstrap(),
        "peerlens.ingest.topic=" + topic,
        "peerlens.ingest.group=" + topic,
        "peerlens.ingest.linger=50ms");
  }

  private void send(String line) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, TestKafka.shared().bootstrap(),
                ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName(),
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                    ByteArraySerializer.class.getName()))) {
      producer.send(new ProducerRecord<>(topic, line.getBytes(StandardCharsets.UTF_8))).get();
    }
  }
}
