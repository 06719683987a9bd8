package io.peerlens.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ChildJvm;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import io.peerlens.support.TestKafka;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The audit log on its way to a topic, while the broker is killed and the service is restarted. */
class AuditExportIT {

  private static final String TOPIC = "audit";
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  @Test
  void everyEntryReachesTheTopicInOrderThroughAKillOfTheBrokerAndARestart(@TempDir Path folder)
      throws Exception {
    int port = TestKafka.freePort();
    String bootstrap = "127.0.0.1:" + port;
    TestDatabase database = TestDatabase.create();
    try (ChildJvm broker =
        new ChildJvm(
            folder.resolve("broker.log"),
            List.of("-Xmx256m"),
            TestKafka.class,
            List.of(
                folder.resolve("data").toString(),
                Integer.toString(port),
                Integer.toString(TestKafka.freePort())))) {
      broker.start();
      TestKafka.createTopic(bootstrap, TOPIC, 3);
      String admin;
      try (PeerlensServer server = start(database, bootstrap)) {
        admin = Objects.requireNonNull(server.adminToken());
        tokens(server, admin, 0, 5);
        awaitAll(bootstrap, database);

        broker.kill();
        tokens(server, admin, 5, 10);
        broker.start();
        awaitAll(bootstrap, database);
      }
      int before = read(bootstrap).size();
      try (PeerlensServer server = start(database, bootstrap)) {
        tokens(server, admin, 10, 12);
        awaitAll(bootstrap, database);
      }
      List<ConsumerRecord<byte[], byte[]>> all = read(bootstrap);
      // It goes on where it was: nothing of before comes again after an orderly restart.
      assertThat(all).hasSize(before + 2);
      assertThat(all.stream().map(ConsumerRecord::partition).distinct()).hasSize(1);
      JsonNode last = json(all.getLast());
      assertThat(last.path("operation").asString()).isEqualTo("createToken");
      assertThat(last.path("objectName").asString()).isEqualTo("exported 11");
      assertThat(last.path("tokenName").asString()).isEqualTo("admin");
      assertThat(new String(all.getLast().key(), StandardCharsets.UTF_8)).isEqualTo("audit");
    }
  }

  private static PeerlensServer start(TestDatabase database, String bootstrap) {
    return PeerlensServer.start(
        database,
        Set.of(Role.API, Role.EVALUATOR),
        "peerlens.ingest.bootstrap-servers=" + bootstrap,
        "peerlens.audit.kafka-topic=" + TOPIC);
  }

  private static void tokens(PeerlensServer server, String admin, int from, int to) {
    for (int i = from; i < to; i++) {
      assertThat(
              new ApiClient(server.url(), admin)
                  .post("/tokens", "{\"name\":\"exported " + i + "\",\"role\":\"viewer\"}")
                  .status())
          .isEqualTo(201);
    }
  }

  /** All entries are there; each for the first time after those with smaller numbers. */
  private static void awaitAll(String bootstrap, TestDatabase database) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              List<Long> first = new ArrayList<>();
              Set<Long> seen = new TreeSet<>();
              for (ConsumerRecord<byte[], byte[]> record : read(bootstrap)) {
                long id = json(record).path("id").asLong();
                if (seen.add(id)) {
                  first.add(id);
                }
              }
              assertThat(first).isSorted().isEqualTo(ids(database));
            });
  }

  private static List<Long> ids(TestDatabase database) throws SQLException {
    List<Long> ids = new ArrayList<>();
    try (var connection = database.connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("select id from audit_entry order by id")) {
      while (rows.next()) {
        ids.add(rows.getLong(1));
      }
    }
    return ids;
  }

  private static JsonNode json(ConsumerRecord<byte[], byte[]> record) {
    return JsonMapper.shared().readTree(record.value());
  }

  private static List<ConsumerRecord<byte[], byte[]>> read(String bootstrap) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.<String, Object>of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(TOPIC, Duration.ofSeconds(10)).stream()
              .map(p -> new TopicPartition(TOPIC, p.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, Duration.ofSeconds(10));
      List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.getOrDefault(p, 0L))) {
        consumer.poll(Duration.ofMillis(200)).forEach(all::add);
      }
      return all;
    }
  }
}
