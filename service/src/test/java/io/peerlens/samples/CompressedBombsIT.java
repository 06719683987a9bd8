package io.peerlens.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.Application;
import io.peerlens.support.ChildJvm;
import io.peerlens.support.SampleData;
import io.peerlens.support.TestKafka;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Records that are some kilobytes on the broker and 150 MB in memory, with good ones before and
 * behind them. The good ones are stored, the others are dead letters, and the process lives.
 */
@Order(2)
@Timeout(420)
class CompressedBombsIT {

  private static final int BOMBS = 12;
  private static final int GOOD = 200;
  private static final int BOMB_BYTES = 150 << 20;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  @Nullable Path folder;

  private final String topic = "bombs-" + UUID.randomUUID();
  private final String flows = "bomb-flows-" + UUID.randomUUID();

  @ParameterizedTest(name = "heap {0}")
  @ValueSource(strings = {"512m", "224m"})
  void goodRecordsBehindBombsAreStoredAndTheProcessLives(String heap) throws Exception {
    TestKafka kafka = TestKafka.shared();
    kafka.createTopic(topic, 2);
    kafka.createTopic(flows, 1);
    Path log = Objects.requireNonNull(folder).resolve("service.log");
    try (SampleData data = SampleData.create()) {
      sendAll();
      try (ChildJvm service =
          new ChildJvm(
              log,
              List.of("-Xmx" + heap, "-XX:TieredStopAtLevel=1"),
              Application.class,
              List.of(
                  "--peerlens.roles=ingest",
                  "--peerlens.node=bombs",
                  "--peerlens.ingest.bootstrap-servers=" + kafka.bootstrap(),
                  "--peerlens.ingest.topic=" + topic,
                  "--peerlens.ingest.group=" + topic,
                  "--peerlens.flows.topic=" + flows,
                  "--peerlens.flows.group=" + flows,
                  "--peerlens.flows.flush=500ms",
                  "--spring.datasource.url=" + data.database().jdbcUrl(),
                  "--spring.datasource.username=" + data.database().user(),
                  "--spring.datasource.password=" + data.database().password(),
                  "--server.port=0",
                  "--server.address=127.0.0.1"))) {
        service.start();
        Awaitility.await("all that is good, see " + log)
            .atMost(Duration.ofMinutes(5))
            .pollInterval(Duration.ofSeconds(1))
            .untilAsserted(
                () -> {
                  assertThat(service.isRunning()).isTrue();
                  assertThat(count(data, "select count(*) from sample")).isEqualTo(4 * GOOD);
                  assertThat(count(data, "select coalesce(sum(bytes), 0) from flow_part"))
                      .isEqualTo(2 * 1_500);
                  assertThat(
                          count(
                              data, "select count(*) from dead_letter where reason = 'oversized'"))
                      .isEqualTo(BOMBS + 2);
                });
        assertThat(count(data, "select count(*) from dead_letter")).isEqualTo(BOMBS + 2);
        assertThat(count(data, "select max(octet_length(payload)) from dead_letter"))
            .isLessThanOrEqualTo(64 << 10);
        assertThat(
                count(
                    data, "select count(distinct (topic, partition, \"offset\")) from dead_letter"))
            .isEqualTo(BOMBS + 2);
        assertThat(service.isRunning()).isTrue();
        System.out.printf(
            "Heap %s: %d bombs of 150 MB passed; lines of the log about memory: %d; detail: %s%n",
            heap,
            BOMBS + 2,
            Files.readAllLines(log).stream().filter(l -> l.contains("OutOfMemory")).count(),
            data.jdbc()
                .sql("select distinct left(detail, 60) from dead_letter")
                .query(String.class)
                .list());
      }
    }
  }

  private void sendAll() throws Exception {
    byte[] bomb = new byte[BOMB_BYTES];
    Arrays.fill(bomb, (byte) 'y');
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                TestKafka.shared().bootstrap(),
                "compression.type",
                "zstd",
                "max.request.size",
                BOMB_BYTES + (1 << 20),
                "buffer.memory",
                (long) BOMB_BYTES + (32L << 20)),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      good(producer, 0);
      for (int i = 0; i < BOMBS; i++) {
        assertThat(
                producer
                    .send(new ProducerRecord<>(topic, i % 2, null, bomb))
                    .get()
                    .serializedValueSize())
            .isEqualTo(BOMB_BYTES);
      }
      good(producer, GOOD);
      flow(producer, "10.0.0.1");
      for (int i = 0; i < 2; i++) {
        assertThat(producer.send(new ProducerRecord<>(flows, bomb)).get().hasOffset()).isTrue();
      }
      flow(producer, "10.0.0.2");
    }
  }

  private void good(KafkaProducer<byte[], byte[]> producer, int first) {
    for (int i = first; i < first + GOOD; i++) {
      for (int partition = 0; partition < 2; partition++) {
        var unused =
            producer.send(
                new ProducerRecord<>(
                    topic,
                    partition,
                    null,
                    "app,host=h%d,p=%d v=%d"
                        .formatted(i, partition, i)
                        .getBytes(StandardCharsets.UTF_8)));
      }
    }
    producer.flush();
  }

  private void flow(KafkaProducer<byte[], byte[]> producer, String source) throws Exception {
    long now = System.currentTimeMillis() * 1_000_000;
    String flow =
        """
        {"type":"IPFIX","time_received_ns":%d,"sampler_address":"192.0.2.1","time_flow_start_ns":%d,\
        "time_flow_end_ns":%d,"bytes":1500,"packets":3,"src_addr":"%s","dst_addr":"10.0.0.9",\
        "proto":"TCP","src_port":51000,"dst_port":443}"""
            .formatted(now, now, now, source);
    assertThat(
            producer
                .send(new ProducerRecord<>(flows, flow.getBytes(StandardCharsets.UTF_8)))
                .get()
                .hasOffset())
        .isTrue();
  }

  private static long count(SampleData data, String sql) {
    return data.jdbc().sql(sql).query(Long.class).single();
  }
}
