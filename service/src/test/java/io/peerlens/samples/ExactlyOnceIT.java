package io.peerlens.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.Application;
import io.peerlens.support.ChildJvm;
import io.peerlens.support.KillablePostgres;
import io.peerlens.support.TestKafka;
import java.net.Socket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Service, database and broker are killed with SIGKILL in turn, under load. In the end every sample
 * produced is there once, with its value, and the dead letters are those planned.
 */
@Order(1)
class ExactlyOnceIT {

  private static final String TOPIC = "peerlens.metrics";
  private static final String FLOWS = "peerlens.flows";
  static final int PARTITIONS = 4;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  @Nullable Path folder;

  @Test
  @DisplayName("each of service, database and broker is killed once, seed 2026")
  void nothingIsLostOrDoubledWhenEachIsKilledOnce() throws Exception {
    prove(2026, 1, 300, Duration.ofMillis(1_500));
  }

  @Test
  @Tag("proof")
  @DisplayName("each of service, database and broker is killed eight times, seed 7")
  void nothingIsLostOrDoubledWhenEachIsKilledManyTimes() throws Exception {
    prove(7, 8, 1_500, Duration.ofSeconds(5));
  }

  private void prove(long seed, int rounds, int recordsPerSecond, Duration between)
      throws Exception {
    Path root = java.util.Objects.requireNonNull(folder);
    Random random = new Random(seed);
    int kafkaPort = TestKafka.freePort();
    String bootstrap = "127.0.0.1:" + kafkaPort;
    Path brokerData = root.resolve("kafka");
    ChildJvm broker =
        new ChildJvm(
            root.resolve("kafka.log"),
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            TestKafka.class,
            List.of(
                brokerData.toString(),
                String.valueOf(kafkaPort),
                String.valueOf(TestKafka.freePort())));
    broker.start();
    try (broker;
        KillablePostgres database = KillablePostgres.create(root)) {
      awaitPort(kafkaPort);
      TestKafka.createTopic(bootstrap, TOPIC, PARTITIONS);
      TestKafka.createTopic(bootstrap, FLOWS, PARTITIONS);
      TestKafka.createTopic(bootstrap, "peerlens.dead-letter", 1);
      try (ChildJvm service =
          new ChildJvm(
              root.resolve("service.log"),
              List.of("-Xmx512m", "-XX:TieredStopAtLevel=1"),
              Application.class,
              List.of(
                  "--peerlens.roles=ingest",
                  "--peerlens.node=chaos",
                  "--peerlens.ingest.bootstrap-servers=" + bootstrap,
                  "--peerlens.flows.flush=500ms",
                  "--spring.datasource.url=" + database.jdbcUrl(),
                  "--spring.datasource.username=postgres",
                  "--spring.datasource.password=postgres",
                  "--spring.datasource.hikari.connection-timeout=2000",
                  "--server.port=0",
                  "--server.address=127.0.0.1"))) {
        service.start();
        PlannedLoad load = new PlannedLoad(seed, TOPIC, Instant.now().minus(Duration.ofHours(12)));
        PlannedFlows flows =
            new PlannedFlows(seed, FLOWS, Instant.now().minus(Duration.ofHours(12)));
        SteadyLoad running = new SteadyLoad(bootstrap, load::next, load::rest, recordsPerSecond);
        SteadyLoad runningFlows =
            new SteadyLoad(bootstrap, flows::next, List::of, recordsPerSecond);
        awaitRows(database, TOPIC, 1);
        awaitRows(database, FLOWS, 1);
        for (int round = 0; round < rounds; round++) {
          List<Integer> order = new ArrayList<>(List.of(0, 1, 2));
          Collections.shuffle(order, random);
          for (int victim : order) {
            pause(between.toMillis() / 2 + random.nextLong(between.toMillis()));
            long restartAfter = random.nextLong(1_500);
            switch (victim) {
              case 0 -> {
                service.kill();
                pause(restartAfter);
                service.start();
              }
              case 1 -> {
                database.kill();
                pause(restartAfter);
                database.start();
              }
              default -> {
                broker.kill();
                pause(restartAfter);
                broker.start();
              }
            }
            assertThat(service.isRunning())
                .as("the service outlives the others, see %s", root.resolve("service.log"))
                .isTrue();
            if (rounds > 1) {
              // In the long form it shall come back to work before the next one is killed.
              awaitRows(database, TOPIC, rows(database, TOPIC) + 1);
              awaitRows(database, FLOWS, rows(database, FLOWS) + 1);
            }
          }
        }
        long sent = running.finish();
        long sentFlows = runningFlows.finish();
        awaitLagZero(bootstrap, database, TOPIC, sent);
        awaitLagZero(bootstrap, database, FLOWS, sentFlows);
        List<String> wrong;
        try (Connection connection = database.connect()) {
          wrong = new ArrayList<>(load.check(connection));
          wrong.addAll(flows.check(connection));
        }
        System.out.printf(
            "Exactly once: %d kills; %,d records with %s; %,d with %s; %d deviations%n",
            rounds * 3, sent, load.summary(), sentFlows, flows.summary(), wrong.size());
        assertThat(wrong.stream().limit(20)).as("of %d deviations", wrong.size()).isEmpty();
      }
    }
  }

  static void awaitPort(int port) {
    Awaitility.await("broker")
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(
            () -> {
              new Socket("127.0.0.1", port).close();
              return true;
            });
  }

  static void awaitRows(KillablePostgres database, String topic, long count) {
    Awaitility.await("stored rows")
        .atMost(Duration.ofSeconds(120))
        .pollInterval(Duration.ofMillis(200))
        .ignoreExceptions()
        .until(() -> rows(database, topic) >= count);
  }

  /** How many records of a topic are stored. */
  static long rows(KillablePostgres database, String topic) throws SQLException {
    return database.number(
        "select coalesce(sum(next_offset), 0) from kafka_offset where topic = '" + topic + "'");
  }

  static void awaitLagZero(String bootstrap, KillablePostgres database, String topic, long sent)
      throws Exception {
    long end = 0;
    try (Admin admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap))) {
      for (int partition = 0; partition < PARTITIONS; partition++) {
        TopicPartition p = new TopicPartition(topic, partition);
        end +=
            admin
                .listOffsets(Map.of(p, OffsetSpec.latest()))
                .partitionResult(p)
                .get(60, TimeUnit.SECONDS)
                .offset();
      }
    }
    assertThat(end).as("records in the broker").isEqualTo(sent);
    awaitRows(database, topic, end);
    assertThat(rows(database, topic)).isEqualTo(end);
  }

  /** The moments of the kills are part of what is tested. */
  private static void pause(long millis) {
    LockSupport.parkNanos(millis * 1_000_000);
  }
}
