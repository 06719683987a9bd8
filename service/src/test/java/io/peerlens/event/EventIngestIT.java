package io.peerlens.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.TestKafka;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Events as people and programs see them. */
@Timeout(180)
class EventIngestIT {

  private final String topic = "events-" + UUID.randomUUID();
  private final SampleData data = SampleData.create();
  private final JdbcClient jdbc = data.jdbc();
  private final Instant moved = Instant.now().minusSeconds(600).truncatedTo(ChronoUnit.MILLIS);

  @BeforeEach
  void makeTopics() {
    TestKafka.shared().createTopic(topic, 1);
    TestKafka.shared().createTopic("no-metrics-" + topic, 1);
  }

  @AfterEach
  void close() {
    data.close();
  }

  private PeerlensServer start() {
    return PeerlensServer.start(
        data.database(),
        Set.of(Role.INGEST, Role.API),
        "peerlens.ingest.bootstrap-servers=" + TestKafka.shared().bootstrap(),
        "peerlens.ingest.topic=no-metrics-" + topic,
        "peerlens.ingest.group=no-metrics-" + topic,
        "peerlens.flows.enabled=false",
        "peerlens.events.topic=" + topic,
        "peerlens.events.group=" + topic);
  }

  private int object(String kind, String moid, String name) {
    int id = data.object("VMWARE", kind, name);
    jdbc.sql("update object set external_id = ? where id = ?").params("vc1/" + moid, id).update();
    return id;
  }

  private void changed(int object, Instant time, String kind, String key, String old, String now) {
    jdbc.sql(
            """
            insert into object_change (time, object_id, kind, key, old_value, new_value) values (?, ?, ?, ?, ?, ?)
            """)
        .params(SampleData.time(time), object, kind, key, old, now)
        .update();
  }

  /** In binary mode, so that what is refused must keep its headers. */
  private void send(String name, String data) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, TestKafka.shared().bootstrap()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(topic, null, null, data.getBytes(UTF_8));
      Map.of(
              "ce_specversion", "1.0",
              "ce_type", "com.vmware.vsphere." + name + ".v0",
              "ce_source", "https://vc1/sdk",
              "ce_id", "11")
          .forEach((header, text) -> record.headers().add(header, text.getBytes(UTF_8)));
      var unused = producer.send(record);
      producer.flush();
    }
  }

  private String vMotion(Instant time) {
    return """
        {"Key":11,"CreatedTime":"%s","UserName":"CORP\\\\ada","Vm":{"Name":"web1","Vm":{"Type":"VirtualMachine","Value":"vm-1"}},
         "Host":{"Name":"esx-2","Host":{"Type":"HostSystem","Value":"host-2"}},"SourceHost":{"Name":"esx-1"}}"""
        .formatted(time);
  }

  private void awaitRead(long records) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                jdbc.sql("select coalesce(sum(next_offset), 0) from kafka_offset where topic = ?")
                        .param(topic)
                        .query(Long.class)
                        .single()
                    == records);
  }

  private static List<String> told(JsonNode changes) {
    return changes
        .path("items")
        .valueStream()
        .map(
            one ->
                "%s %s %s by %s"
                    .formatted(
                        one.path("kind").asString(""),
                        one.path("object").path("name").asString(""),
                        one.path("after").asString(""),
                        one.path("author").asString("nobody")))
        .toList();
  }

  @Test
  void aMoveThatACollectorNoticesIsToldByItsEventAloneAndSaysWhoDidIt() {
    int vm = object("VirtualMachine", "vm-1", "web1");
    object("HostSystem", "host-2", "esx-2");
    changed(vm, moved.plusSeconds(300), "placement", "HostSystem", "esx-1", "esx-2");
    changed(vm, moved.plusSeconds(300), "placement", "ResourcePool", "a", "b");
    changed(vm, moved.minusSeconds(1_200), "placement", "HostSystem", "esx-9", "esx-2");
    try (PeerlensServer server = start()) {
      send("VmMigratedEvent", vMotion(moved));
      awaitRead(1);
      ApiClient api = server.admin();
      List<String> expected =
          List.of(
              "placement web1 b by nobody",
              "recorded web1 vMotion from esx-1 to esx-2 by CORP\\ada",
              "placement web1 esx-2 by nobody");
      JsonNode all = api.get("/changes").json();
      assertThat(told(all)).isEqualTo(expected);
      assertThat(all.path("total").asInt()).isEqualTo(3);
      assertThat(all.at("/items/1/time").asString("")).isEqualTo(moved.toString());
      assertThat(all.at("/items/1/recorded/author").asString("")).isEqualTo("CORP\\ada");
      String of = "/objects/%s/changes";
      assertThat(told(api.get(of.formatted(SampleData.uuid("VirtualMachine", "web1"))).json()))
          .isEqualTo(expected);
      assertThat(told(api.get(of.formatted(SampleData.uuid("HostSystem", "esx-2"))).json()))
          .as("the host sees who came")
          .containsExactly("placement web1 esx-2 by nobody", "placement web1 esx-2 by nobody");
    }
  }

  @Test
  void aDeadLetterOfAnEventCanBeReplayedOnceItsCauseIsMended() {
    object("VirtualMachine", "vm-1", "web1");
    try (PeerlensServer server = start()) {
      // The database refuses it as long as this holds.
      jdbc.sql("alter table recorded_change add constraint no_ada check (author not like '%ada')")
          .update();
      send("VmMigratedEvent", vMotion(moved));
      awaitRead(1);
      ApiClient api = server.admin();
      assertThat(api.get("/changes").json().path("total").asInt()).isZero();
      jdbc.sql("alter table recorded_change drop constraint no_ada").update();
      // While a letter is on its way to the dead-letter topic it is left out.
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(
                          api.post("/ingest/dead-letters/replay", "{\"topic\": \"" + topic + "\"}")
                              .json()
                              .path("replayed")
                              .asInt())
                      .isEqualTo(1));
      awaitRead(2);
      assertThat(told(api.get("/changes").json()))
          .containsExactly("recorded web1 vMotion from esx-1 to esx-2 by CORP\\ada");
    }
  }

  @Test
  void theStatusOfIngestCountsEventsWhoseObjectIsNotKnown() {
    try (PeerlensServer server = start()) {
      ApiClient api = server.admin();
      // The lag is known once the consumer has its partitions.
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> api.get("/ingest/status").json().at("/events/lag").asInt(-1) == 0);
      JsonNode before = api.get("/ingest/status").json().path("events");
      assertThat(before.path("topic").asString("")).isEqualTo(topic);
      assertThat(before.path("lag").asInt(-1)).isZero();
      assertThat(before.path("waiting").asInt(-1)).isZero();
      assertThat(before.path("oldestWaiting").isNull()).isTrue();
      send("VmMigratedEvent", vMotion(moved));
      awaitRead(1);
      // the status is kept for a moment
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> api.get("/ingest/status").json().at("/events/waiting").asInt(-1) == 1);
      JsonNode after = api.get("/ingest/status").json().path("events");
      assertThat(after.path("lag").asInt(-1)).isZero();
      assertThat(Instant.parse(after.path("oldestWaiting").asString("")))
          .isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
      assertThat(after.path("deadLetters").asInt(-1)).isZero();
    }
  }

  @Test
  void aChangeWithAnExternalIdIsRecordedOnce() {
    object("VirtualMachine", "vm-1", "web1");
    try (PeerlensServer server = start()) {
      ApiClient api = server.admin();
      String change =
          "{\"object\": \"%s\", \"title\": \"v2\", \"externalId\": \"deploy-7\"}"
              .formatted(SampleData.uuid("VirtualMachine", "web1"));
      ApiClient.Answer first = api.post("/changes", change);
      assertThat(first.status()).isEqualTo(201);
      ApiClient.Answer again = api.post("/changes", change.replace("v2", "v3"));
      assertThat(again.status()).isEqualTo(200);
      assertThat(again.json()).isEqualTo(first.json());
      assertThat(again.header("Location")).isEqualTo(first.header("Location"));
      assertThat(api.post("/changes", change.replace("deploy-7", "deploy-8")).status())
          .isEqualTo(201);
      assertThat(api.get("/changes").json().path("total").asInt()).isEqualTo(2);
      // Deleted on purpose, it may be recorded anew.
      api.delete(first.header("Location").replace(ApiClient.BASE, ""));
      assertThat(api.post("/changes", change).status()).isEqualTo(201);
    }
  }
}
