package io.peerlens.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peerlens.ingest.flow.ServicePorts;
import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.Capture;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.TestKafka;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Flow records through a real broker into the database, with the service started anew in the
 * middle, against sums that are computed plainly from the same records.
 */
@Timeout(300)
class FlowIngestIT {

  /** Who sent to whom, and on which service: sender, receiver, port. */
  private record Key(String src, String dst, int port) {}

  private record Sums(long bytes, long packets, long flows) {
    Sums plus(Sums more) {
      return new Sums(bytes + more.bytes, packets + more.packets, flows + more.flows);
    }
  }

  private static final String STORED =
      """
      select coalesce(host(s.address), 'others') as src, coalesce(host(d.address), 'others') as dst, p.port, sum(p.bytes)::bigint as bytes,
             sum(p.packets)::bigint as packets, sum(p.flows)::bigint as flows
      from flow_part p join endpoint s on s.id = p.src join endpoint d on d.id = p.dst
      group by 1, 2, 3
      """;
  private static final String READ =
      "select coalesce(sum(next_offset), 0) from kafka_offset where topic = ?";

  private static final JsonMapper JSON = JsonMapper.shared();

  private final String topic = "flows-" + UUID.randomUUID();
  private final SampleData data = SampleData.create();
  private final JdbcClient jdbc = data.jdbc();

  @BeforeEach
  void makeTopics() {
    TestKafka.shared().createTopic(topic, 2);
    TestKafka.shared().createTopic("no-metrics-" + topic, 1);
  }

  @AfterEach
  void close() {
    data.close();
  }

  private PeerlensServer start(String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "peerlens.ingest.bootstrap-servers=" + TestKafka.shared().bootstrap(),
                "peerlens.ingest.topic=no-metrics-" + topic,
                "peerlens.ingest.group=no-metrics-" + topic,
                "peerlens.flows.topic=" + topic,
                "peerlens.flows.group=" + topic,
                "peerlens.flows.flush=200ms",
                "peerlens.flows.max-age=20000d",
                "peerlens.flows.keep-minutes=20002d",
                "peerlens.flows.keep-unrolled=20002d"));
    settings.addAll(List.of(more));
    return PeerlensServer.start(
        data.database(), Set.of(Role.INGEST, Role.API), settings.toArray(String[]::new));
  }

  private long read() {
    return jdbc.sql(READ).param(topic).query(Long.class).single();
  }

  private void awaitRead(long records) {
    await("all records stored")
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(100))
        .until(() -> read() == records);
  }

  private Map<Key, Sums> stored() {
    Map<Key, Sums> sums = new HashMap<>();
    jdbc.sql(STORED)
        .query(
            row -> {
              sums.put(
                  new Key(row.getString("src"), row.getString("dst"), row.getInt("port")),
                  new Sums(row.getLong("bytes"), row.getLong("packets"), row.getLong("flows")));
            });
    return sums;
  }

  private void send(List<String> records) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                TestKafka.shared().bootstrap(),
                ProducerConfig.LINGER_MS_CONFIG,
                20),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      int partition = 0;
      for (String record : records) {
        var unused =
            producer.send(
                new ProducerRecord<>(
                    topic, partition++ % 2, null, record.getBytes(StandardCharsets.UTF_8)));
      }
      producer.flush();
    }
  }

  /** Multicast addresses are no internal ones; all such share one end. */
  private static String internal(String address) {
    return address.startsWith("10.") || address.startsWith("fe80:") ? address : "others";
  }

  private static Key key(String record) {
    JsonNode flow = JSON.readTree(record);
    return new Key(
        flow.get("src_addr").asString(),
        flow.get("dst_addr").asString(),
        flow.get("dst_port").asInt());
  }

  private static Sums sums(String record) {
    JsonNode flow = JSON.readTree(record);
    return new Sums(flow.get("bytes").asLong(), flow.get("packets").asLong(), 1);
  }

  /** As a replay of a dead letter does. */
  private void sendAgain(String record, long deadLetter) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, TestKafka.shared().bootstrap()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      ProducerRecord<byte[], byte[]> again =
          new ProducerRecord<>(topic, 0, null, record.getBytes(StandardCharsets.UTF_8));
      again.headers().add("replay-of", Long.toString(deadLetter).getBytes(StandardCharsets.UTF_8));
      var unused = producer.send(again);
      producer.flush();
    }
  }

  @Test
  void theCaptureGivesTheSameSumsThroughARestart() throws IOException {
    Path file = Capture.CORPUS.resolve("flows/goflow2-kafka.jsonl.gz");
    assumeTrue(Files.exists(file), "Skipped, the capture is not here");
    int web3 = data.object("VMWARE", "VirtualMachine", "web3");
    jdbc.sql(
            """
            update object set properties = '{"summary|guest|ipAddress": "10.77.2.13"}' where id = ?
            """)
        .param(web3)
        .update();
    List<String> records = new ArrayList<>();
    Map<Key, Sums> expected = new HashMap<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      for (String line; (line = lines.readLine()) != null; ) {
        records.add(line + "\n");
        JsonNode flow = JSON.readTree(line);
        int protocol =
            switch (flow.get("proto").asString()) {
              case "TCP" -> 6;
              case "UDP" -> 17;
              case "ICMP" -> 1;
              case "IPv6-ICMP" -> 58;
              default -> throw new AssertionError("not in the capture before: " + line);
            };
        int port =
            ServicePorts.port(
                protocol,
                flow.get("src_port").asInt(),
                flow.get("dst_port").asInt(),
                flow.get("icmp_type").asInt() * 256 + flow.get("icmp_code").asInt());
        expected.merge(
            new Key(
                flow.get("src_addr").asString(), internal(flow.get("dst_addr").asString()), port),
            new Sums(flow.get("bytes").asLong(), flow.get("packets").asLong(), 1),
            Sums::plus);
      }
    }
    int half = records.size() / 2;
    send(records.subList(0, half));
    try (PeerlensServer first = start("peerlens.flows.max-poll-records=1000")) {
      await("some stored").atMost(Duration.ofMinutes(1)).until(() -> read() > 0);
    }
    long before = read();
    send(records.subList(half, records.size()));
    try (PeerlensServer second = start()) {
      awaitRead(records.size());
    }
    assertThat(before).isPositive().isLessThan(records.size());
    assertThat(stored()).isEqualTo(expected);
    assertThat(
            jdbc.sql("select object_id from endpoint where address = '10.77.2.13'")
                .query(Integer.class)
                .list())
        .as("the VM that has the address")
        .containsExactly(web3);
    assertThat(
            jdbc.sql("select distinct version from flow_observer order by 1")
                .query(Integer.class)
                .list())
        .as("NetFlow v9 and IPFIX")
        .containsExactly(3, 4);
    assertThat(
            jdbc.sql(
                    """
                    select count(*) from endpoint e join object o on o.id = e.object_id
                    where o.adapter_kind = 'Peerlens' and o.object_kind = 'IpAddress'
                      and o.name = host(e.address)
                    """)
                .query(Long.class)
                .single())
        .as("internal addresses that no object has")
        .isEqualTo(
            jdbc.sql("select count(*) - 1 from endpoint where address is not null")
                .query(Long.class)
                .single())
        .isPositive();
  }

  @Test
  @DisplayName("more sums than memory is allowed for, garbage between, and a restart: seed 7")
  void sumsThatDoNotFitIntoMemoryAreStoredOnce() {
    Random random = new Random(7);
    List<String> records = new ArrayList<>();
    Map<Key, Sums> expected = new HashMap<>();
    long garbage = 0;
    long now =
        Instant.now().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MINUTES).toEpochMilli();
    for (int i = 0; i < 60_000; i++) {
      if (i % 3_000 == 1_234) {
        records.add("{\"type\":\"IPFIX\",\"src_addr\":\"nonsense\"}\n");
        garbage++;
        continue;
      }
      String src = "10.1.0." + (1 + random.nextInt(60));
      String dst = "10.1.1." + (1 + random.nextInt(60));
      int port = 1 + random.nextInt(40);
      long bytes = 40 + random.nextInt(100_000);
      long packets = 1 + random.nextInt(100);
      long start = now + random.nextInt(600_000);
      long end = start + random.nextInt(random.nextInt(10) == 0 ? 200_000 : 5_000);
      records.add(
          """
          {"type":"IPFIX","time_received_ns":%d,"sampling_rate":1,"sampler_address":"10.9.9.9",\
          "time_flow_start_ns":%d,"time_flow_end_ns":%d,"bytes":%d,"packets":%d,"src_addr":"%s",\
          "dst_addr":"%s","etype":"IPv4","proto":"TCP","src_port":%d,"dst_port":%d,"tcp_flags":27}
          """
              .formatted(
                  end * 1_000_000,
                  start * 1_000_000,
                  end * 1_000_000,
                  bytes,
                  packets,
                  src,
                  dst,
                  40_000 + random.nextInt(20_000),
                  port));
      expected.merge(new Key(src, dst, port), new Sums(bytes, packets, 1), Sums::plus);
    }
    int half = records.size() / 2;
    send(records.subList(0, half));
    String[] small = {"peerlens.flows.max-rows=10000", "peerlens.flows.max-poll-records=20000"};
    try (PeerlensServer first = start(small)) {
      await("some stored").atMost(Duration.ofMinutes(1)).until(() -> read() > 0);
    }
    send(records.subList(half, records.size()));
    String letter = records.getFirst().replaceAll("10[.]1[.][01][.]", "10.1.2.");
    Key ofLetter = key(letter);
    sendAgain(letter, 4711);
    sendAgain(letter, 4711);
    expected.merge(ofLetter, sums(letter), Sums::plus);
    try (PeerlensServer second = start(small)) {
      awaitRead(records.size() + 2);
    }
    assertThat(stored()).isEqualTo(expected);
    assertThat(
            jdbc.sql("select count(*) from dead_letter where topic = ? and reason = 'address'")
                .param(topic)
                .query(Long.class)
                .single())
        .isEqualTo(garbage);
    assertThat(
            jdbc.sql("select sum(count) from ingest_rejected where reason = 'address'")
                .query(Long.class)
                .single())
        .isEqualTo(garbage);
    assertThat(jdbc.sql("select count(*) from flow_dirty").query(Long.class).single())
        .as("flows of an hour ago change buckets that may be rolled up")
        .isPositive();
  }

  private static JsonNode flows(ApiClient api) {
    return api.get("/ingest/status").json().path("flows");
  }

  @Test
  void onlyTheRecordThatTheStoreRefusesIsADeadLetter() {
    // Whatever the database may have against a record one day.
    jdbc.sql("alter table flow_part add constraint no_666 check (packets <> 666)").update();
    long now = Instant.now().minus(Duration.ofMinutes(1)).toEpochMilli();
    List<String> records = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      records.add(
          """
          {"type":"IPFIX","time_received_ns":%d,"sampling_rate":1,"sampler_address":"10.9.9.9",\
          "time_flow_start_ns":%d,"time_flow_end_ns":%d,"bytes":1000,"packets":%d,"src_addr":"10.1.0.%d",\
          "dst_addr":"10.1.1.1","etype":"IPv4","proto":"TCP","src_port":50000,"dst_port":443,"tcp_flags":27}
          """
              .formatted(
                  now * 1_000_000,
                  now * 1_000_000,
                  now * 1_000_000,
                  i == 77 || i == 208 ? 666 : 3,
                  1 + i % 250));
    }
    send(records);
    try (PeerlensServer server = start()) {
      awaitRead(records.size());
      ApiClient api = server.admin();
      await("the node reports")
          .atMost(Duration.ofSeconds(20))
          .until(() -> !flows(api).path("nodes").isEmpty());
      JsonNode status = api.get("/ingest/status").json();
      assertThat(status.path("totals").path("rejectedTotal").asInt()).as("of samples").isZero();
      JsonNode flows = status.path("flows");
      assertThat(flows.path("topic").asString()).isEqualTo(topic);
      assertThat(flows.path("partitions")).hasSize(2);
      assertThat(flows.path("lag").asInt(-1)).isZero();
      assertThat(flows.path("rejectedTotal").asInt()).isEqualTo(2);
      assertThat(flows.path("deadLetters").asInt()).isEqualTo(2);
      assertThat(flows.path("rejected").path(0).path("reason").asString()).isEqualTo("store");
      assertThat(flows.path("addressObjects").asInt()).isEqualTo(251);
      JsonNode observer = flows.path("observers").path(0);
      assertThat(observer.path("exporter").asString()).isEqualTo("10.9.9.9");
      assertThat(observer.path("version").asString()).isEqualTo("ipfix");
      assertThat(flows.path("observersTotal").asInt()).isEqualTo(1);
      assertThat(flows.path("history").path("times")).hasSize(60);
      assertThat(api.get("/objects").json().path("total").asInt())
          .as("addresses are listed when asked for")
          .isZero();
      JsonNode addresses = api.get("/objects?objectKind=IpAddress&limit=1").json();
      assertThat(addresses.path("total").asInt()).isEqualTo(251);
      assertThat(api.get("/objects?objectKind=IpAddress&silent=true").json().path("total").asInt())
          .as("nothing is silent that nothing reports")
          .isZero();
      assertThat(api.get("/objects/tree").json().path("items")).isEmpty();
      // A broker that lost its newest records ends before what is stored: nothing counts twice.
      jdbc.sql("update kafka_offset set next_offset = next_offset + 1000 where topic = ?")
          .param(topic)
          .update();
      send(records.subList(0, 50));
      awaitRead(records.size() + 50);
    }
    assertThat(stored().values().stream().mapToLong(Sums::flows).sum()).isEqualTo(298 + 50);

    assertThat(stored().values().stream().mapToLong(Sums::packets).sum()).isEqualTo(348 * 3);
    assertThat(
            jdbc.sql("select payload, detail from dead_letter where topic = ? and reason = 'store'")
                .param(topic)
                .query(
                    (row, number) -> {
                      assertThat(row.getString("detail")).contains("no_666", "23514");
                      return new String(row.getBytes("payload"), StandardCharsets.UTF_8);
                    })
                .list())
        .containsExactlyInAnyOrder(records.get(77), records.get(208));
  }
}
