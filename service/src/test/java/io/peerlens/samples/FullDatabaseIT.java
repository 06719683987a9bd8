package io.peerlens.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import io.peerlens.support.TestKafka;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/**
 * A database whose disk is full: a real one of 64 MB, the memory file system that a container has,
 * with a tablespace on it.
 */
@Isolated
@Timeout(180)
class FullDatabaseIT {

  private static final int OBJECTS = 400;

  private final String topic = "metrics-" + UUID.randomUUID();
  private final String space = "small_" + Long.toUnsignedString(System.nanoTime(), 36);

  @Test
  void ingestPausesWhileTheDatabaseIsFullAndLosesNothing() throws Exception {
    TestDatabase plain = TestDatabase.create();
    assumeTrue(
        plain.timescale(), "SKIPPED: without Docker there is no small file system for a database");
    TestDatabase database = onSmallDisk(plain);
    TestKafka.shared().createTopic(topic, 2);
    try (PeerlensServer server =
            PeerlensServer.start(
                database,
                Set.of(Role.INGEST, Role.API),
                "peerlens.ingest.bootstrap-servers=" + TestKafka.shared().bootstrap(),
                "peerlens.ingest.topic=" + topic,
                "peerlens.ingest.group=" + topic,
                "peerlens.ingest.linger=50ms");
        KafkaProducer<byte[], byte[]> producer = producer();
        Connection filling = database.connect()) { // a new one could not be made on a full disk
      ApiClient api = server.admin();
      long begin = Instant.now().getEpochSecond() - 7200;
      send(producer, begin);
      awaitRows(server, OBJECTS);
      assertThat(api.get("/ingest/status").status()).isEqualTo(200);

      fill(filling);
      IngestPause pause = server.context().getBean(IngestPause.class);
      int rounds = 1;
      while (pause.get().isEmpty() && rounds < 60) { // until the last free pages are used
        send(producer, begin + 10L * rounds++);
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> !pause.get().isEmpty() || rows(server) % OBJECTS == 0);
      }
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(pause.get()).contains("SQLSTATE 53100"));
      assertThat(ingest(server).path("status").asString()).isEqualTo("DOWN");
      assertThat(ingest(server).path("details").path("paused").asString()).contains("53100");
      assertThat(api.get("/objects?limit=5").status()).as("reads go on").isEqualTo(200);

      try (Statement statement = filling.createStatement()) {
        statement.execute("drop table filler");
      }
      awaitRows(server, (long) rounds * OBJECTS);
      await().atMost(Duration.ofSeconds(30)).until(() -> pause.get().isEmpty());
      assertThat(ingest(server).path("status").asString()).isEqualTo("UP");
      assertThat(
              server
                  .context()
                  .getBean(JdbcClient.class)
                  .sql("select count(*) from dead_letter")
                  .query(Long.class)
                  .single())
          .isZero();
    } finally {
      try (Connection connection = plain.connect();
          Statement statement = connection.createStatement()) {
        statement.execute("drop database if exists " + space + " with (force)");
        statement.execute("drop tablespace if exists " + space);
      }
    }
  }

  private TestDatabase onSmallDisk(TestDatabase plain) throws SQLException {
    try (Connection connection = plain.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("copy (select 1) to program 'mkdir -m 700 /dev/shm/" + space + "'");
      statement.execute("create tablespace " + space + " location '/dev/shm/" + space + "'");
      statement.execute("create database " + space + " tablespace " + space);
    }
    return new TestDatabase(
        plain.jdbcUrl().replaceFirst("/[^/]+$", "/" + space),
        plain.user(),
        plain.password(),
        plain.timescale());
  }

  /** Fills the disk until the database says that it is full. */
  private static void fill(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("create table filler (text text)");
      statement.execute("alter table filler alter text set storage plain");
      for (int rows : new int[] {10_000, 1_000, 100, 10, 1}) {
        String insert =
            "insert into filler select repeat('x', 4000) from generate_series(1, %d)"
                .formatted(rows);
        try {
          while (true) {
            statement.execute(insert);
          }
        } catch (SQLException e) {
          assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo("53100");
        }
      }
    }
  }

  /** What health says of ingest. */
  private static JsonNode ingest(PeerlensServer server) {
    return server.admin().get("//health").json().path("components").path("ingest");
  }

  private static void awaitRows(PeerlensServer server, long rows) {
    await()
        .atMost(Duration.ofSeconds(90))
        .untilAsserted(() -> assertThat(rows(server)).isEqualTo(rows));
  }

  private static long rows(PeerlensServer server) {
    return server
        .context()
        .getBean(JdbcClient.class)
        .sql("select count(*) from sample")
        .query(Long.class)
        .single();
  }

  private static KafkaProducer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, TestKafka.shared().bootstrap(),
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName(),
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName()));
  }

  private void send(KafkaProducer<byte[], byte[]> producer, long second) {
    for (int i = 0; i < OBJECTS; i++) {
      byte[] key = ("h" + i).getBytes(StandardCharsets.UTF_8);
      String line = "cpu,host=h%d usage_idle=%d %d000000000\n".formatted(i, i, second);
      producer.send(new ProducerRecord<>(topic, key, line.getBytes(StandardCharsets.UTF_8)));
    }
    producer.flush();
  }
}
