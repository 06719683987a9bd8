package io.peerlens.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.ingest.otlp.OtlpJson;
import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import io.peerlens.support.TestKafka;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Points of OpenTelemetry through a real broker into the database. */
@Timeout(180)
class OtlpIT {

  private static final long TIME = Instant.now().getEpochSecond() - 600;

  private final String topic = "otlp-" + UUID.randomUUID();
  private final String more = topic + "-more";
  private final TestDatabase database = TestDatabase.migrated();
  private final KafkaProducer<byte[], byte[]> producer =
      new KafkaProducer<>(
          Map.of(
              ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, TestKafka.shared().bootstrap(),
              ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName(),
              ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName()));
  private PeerlensServer server = start();

  private PeerlensServer start() {
    return PeerlensServer.start(
        database,
        Set.of(Role.INGEST, Role.API),
        "peerlens.node=test-node",
        "peerlens.ingest.bootstrap-servers=" + TestKafka.shared().bootstrap(),
        "peerlens.ingest.topic=" + topic,
        "peerlens.ingest.more-topics=%s,%s".formatted(more, topic + "-that-nobody-made"),
        "peerlens.ingest.group=" + topic,
        "peerlens.ingest.linger=50ms");
  }

  @BeforeEach
  void makeTopic() {
    TestKafka.shared().createTopic(topic, 1);
    TestKafka.shared().createTopic(more, 1);
  }

  @AfterEach
  void stop() {
    producer.close();
    server.close();
  }

  private JdbcClient jdbc() {
    return server.context().getBean(JdbcClient.class);
  }

  private void send(byte[] value) {
    producer.send(new ProducerRecord<>(topic, 0, null, value));
    producer.flush();
  }

  private void awaitOffset(long offset) {
    Awaitility.await("offset " + offset)
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(
                        jdbc()
                            .sql("select next_offset from kafka_offset where topic = ?")
                            .param(topic)
                            .query(Long.class)
                            .single())
                    .isEqualTo(offset));
  }

  /** The counter of a service, and the datastore that a vCenter tells of. */
  private static String json(long second, long count) {
    return """
        {"resourceMetrics":[
          {"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},
           "scopeMetrics":[{"scope":{"name":"shop.checkout"},"metrics":[
             {"name":"http.requests","unit":"{request}","sum":{"aggregationTemporality":2,"isMonotonic":true,"dataPoints":[
               {"attributes":[{"key":"route","value":{"stringValue":"/cart"}}],
                "startTimeUnixNano":"1000000000","timeUnixNano":"%1$d000000000","asInt":"%2$d"}]}}]}]},
          {"resource":{"attributes":[
             {"key":"server.address","value":{"stringValue":"vc"}},
             {"key":"vcenter.datacenter.name","value":{"stringValue":"DC0"}},
             {"key":"vcenter.datastore.name","value":{"stringValue":"ds-1"}}]},
           "scopeMetrics":[{"scope":{"name":"example.org/receiver/vcenterreceiver"},"metrics":[
             {"name":"vcenter.datastore.disk.usage","unit":"By","sum":{"aggregationTemporality":2,"dataPoints":[
               {"attributes":[{"key":"disk_state","value":{"stringValue":"used"}}],"timeUnixNano":"%1$d000000000","asInt":"307200"},
               {"attributes":[{"key":"disk_state","value":{"stringValue":"available"}}],"timeUnixNano":"%1$d000000000","asInt":"716800"}]}}]}]}]}
        """
        .formatted(TIME + second, count);
  }

  private static byte[] protobuf(long second, long count) {
    try {
      return OtlpJson.toProtobuf(JsonMapper.shared().readTree(json(second, count)));
    } catch (OtlpJson.WrongForm e) {
      throw new AssertionError(e);
    }
  }

  /** All values as {@code kind/object/group:instance|metric@second}. */
  private Map<String, Double> values() {
    Map<String, Double> values = new TreeMap<>();
    jdbc()
        .sql(
            """
            select o.object_kind || '/' || o.external_id || '/' || g.name || ':' || m.instance || '|' || v.metric || '@'
                   || (extract(epoch from s.time) - :base)::int as key, v.value
            from sample s join metric_set m on m.id = s.set_id join metric_group g on g.id = m.group_id
            join object o on o.id = m.object_id, unnest(g.metrics, s.values) as v(metric, value)
            where v.value is not null
            """)
        .param("base", TIME)
        .query(
            row -> {
              values.put(row.getString("key"), row.getDouble("value"));
            });
    return values;
  }

  private long rows() {
    return jdbc().sql("select count(*) from sample").query(Long.class).single();
  }

  @Test
  void pointsBecomeObjectsAndValuesOnceAndRatesGoOnAfterARestart() {
    send(json(0, 100).getBytes(StandardCharsets.UTF_8));
    awaitOffset(1);
    send(protobuf(10, 150));
    awaitOffset(2);
    send(protobuf(10, 150)); // the exporter sends again what it is not sure of
    awaitOffset(3);
    server.close();
    send(protobuf(20, 250));
    server = start();
    awaitOffset(4);

    Map<String, Double> expected = new TreeMap<>();
    for (int second : new int[] {0, 10, 20}) {
      expected.put("Datastore/vc/DC0/ds-1/disk:|used_latest@" + second, 300.0);
      expected.put("Datastore/vc/DC0/ds-1/disk:|free_latest@" + second, 700.0);
      expected.put("Datastore/vc/DC0/ds-1/disk:|capacity_latest@" + second, 1_000.0);
    }
    expected.put("Service/shop/http:route=/cart|requests@0", 100.0);
    expected.put("Service/shop/http:route=/cart|requests@10", 150.0);
    expected.put("Service/shop/http:route=/cart|requests@20", 250.0);
    expected.put("Service/shop/http:route=/cart|requests_rate@10", 5.0);
    expected.put("Service/shop/http:route=/cart|requests_rate@20", 10.0);
    assertThat(values()).isEqualTo(expected);
    assertThat(rows()).isEqualTo(6);
    assertThat(jdbc().sql("select count(*) from dead_letter").query(Long.class).single()).isZero();
  }

  @Test
  void topicsBesideTheFirstAreReadLikeIt() {
    producer.send(new ProducerRecord<>(more, 0, null, protobuf(0, 100)));
    producer.flush();
    send(protobuf(10, 150));
    Awaitility.await("values of both topics")
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(values())
                    .containsEntry("Service/shop/http:route=/cart|requests@0", 100.0)
                    .containsEntry("Service/shop/http:route=/cart|requests@10", 150.0));
    assertThat(
            server
                .admin()
                .get("/ingest/status")
                .json()
                .path("partitions")
                .valueStream()
                .map(p -> p.path("topic").asString() + " " + p.path("lag").asString("?")))
        .containsExactly(topic + " 0", more + " 0");
  }

  @Test
  void aPointThatIsRefusedIsADeadLetterWhichIsReadAgain() {
    // Half an hour ahead of the clock.
    String ahead = json(2_400, 500);
    send(ahead.getBytes(StandardCharsets.UTF_8));
    awaitOffset(1);
    assertThat(
            jdbc()
                .sql("select reason || ' ' || line from dead_letter order by line")
                .query(String.class)
                .list())
        .containsExactly("future 1", "future 2", "future 3");
    JsonNode refused =
        server
            .admin()
            .post("/ingest/dead-letters/replay", "{\"reason\": \"future\", \"dryRun\": true}")
            .json();
    assertThat(refused.path("failed").get(0).path("reason").asString()).isEqualTo("future");
    assertThat(rows()).isZero();

    ApiClient admin = server.admin();
    assertThat(
            admin
                .with("If-Match", admin.get("/settings/ingest-guards").header("ETag"))
                .put(
                    "/settings/ingest-guards",
                    """
                    {"newObjectsPerMinute": 100, "newMetricNamesPerMinute": 100, "newSetsPerMinute": 100,
                     "maxFuture": "2h", "maxRecordBytes": 65536}
                    """)
                .status())
        .isEqualTo(200);
    Awaitility.await("the guards are read again")
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(
                        admin
                            .post(
                                "/ingest/dead-letters/replay",
                                "{\"reason\": \"future\", \"dryRun\": true}")
                            .json()
                            .path("succeeded")
                            .asInt())
                    .isEqualTo(3));
    assertThat(
            admin
                .post("/ingest/dead-letters/replay", "{\"reason\": \"future\"}")
                .json()
                .path("replayed")
                .asInt())
        .isEqualTo(3);
    awaitOffset(4);
    Map<String, Double> values = values();
    assertThat(values)
        .containsEntry("Service/shop/http:route=/cart|requests@2400", 500.0)
        .containsEntry("Datastore/vc/DC0/ds-1/disk:|used_latest@2400", 300.0)
        .containsEntry("Datastore/vc/DC0/ds-1/disk:|free_latest@2400", 700.0);
  }
}
