package io.peerlens.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.TestKafka;
import io.peerlens.support.WebhookReceiver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * What becomes of an object of which a record says that its source removed it: from Kafka to the
 * lists, its alerts and their receivers.
 */
@Timeout(180)
@Order(1)
class RemovedObjectsIT {

  private final String topic = "metrics-" + UUID.randomUUID();
  private final SampleData data = SampleData.create();
  private final WebhookReceiver receiver = WebhookReceiver.start();
  private final KafkaProducer<String, String> producer =
      new KafkaProducer<>(
          Map.of(
              ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, TestKafka.shared().bootstrap(),
              ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class.getName(),
              ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, StringSerializer.class.getName()));
  private final PeerlensServer server = start();
  private final ApiClient api = server.admin();

  private PeerlensServer start() {
    TestKafka.shared().createTopic(topic, 2);
    return PeerlensServer.start(
        data.database(),
        Set.of(Role.INGEST, Role.EVALUATOR, Role.NOTIFIER, Role.API),
        "peerlens.ingest.bootstrap-servers=" + TestKafka.shared().bootstrap(),
        "peerlens.ingest.topic=" + topic,
        "peerlens.ingest.group=" + topic,
        "peerlens.ingest.linger=50ms",
        "peerlens.evaluation.lag=1s",
        "peerlens.scopes.age=1ms",
        "peerlens.secrets.key=" + Base64.getEncoder().encodeToString(new byte[32]),
        "peerlens.notify.egress.allow=127.0.0.1",
        "peerlens.notify.delivery.poll=100ms",
        "db-scheduler.polling-interval=200ms");
  }

  @AfterEach
  void close() {
    producer.close();
    server.close();
    receiver.close();
    data.close();
  }

  /** Records of an object go to one partition, by its id. */
  private void send(String kind, String id, Instant time, String members) {
    String record =
        "{\"adapterKind\":\"VMWARE\",\"objectKind\":\"%s\",\"id\":\"vc/%s\",\"time\":\"%s\",%s}"
            .formatted(kind, id, time, members);
    try {
      producer.send(new ProducerRecord<>(topic, id, record)).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private void sendMachine(String id) {
    send(
        "VirtualMachine",
        id,
        Instant.now(),
        "\"name\":\"%s\",\"metrics\":{\"cpu|usage_average\":97},\"tags\":{\"tier\":\"web\"},\"parents\":[{\"objectKind\":\"HostSystem\",\"id\":\"vc/host-1\"}]"
            .formatted(id));
  }

  private String made(String path, String body) {
    Answer answer = api.post(path, body);
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return answer.json().path("id").asString();
  }

  private static void soon(ThrowingRunnable condition) {
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(condition);
  }

  private JsonNode items(String path) {
    Answer answer = api.get(path);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json().path("items");
  }

  private List<String> names(String path) {
    List<String> names = new ArrayList<>();
    items(path).forEach(item -> names.add(item.path("name").asString()));
    return names;
  }

  private List<String> received() {
    return receiver.received().stream()
        .map(WebhookReceiver.Received::text)
        .filter(text -> text.contains("vm-1"))
        .map(text -> text.replaceAll("(?s).*\"event\":\"([A-Z]+)\".*", "$1"))
        .toList();
  }

  private void watch() {
    String target =
        made(
            "/notification-targets",
            "{\"name\": \"receiver\", \"type\": \"webhook\", \"webhook\": {\"url\": \"%s\"}}"
                .formatted(receiver.url("/hook")));
    made(
        "/notification-rules",
        "{\"name\": \"all\", \"template\": \"generic-json\", \"targets\": [\"%s\"]}"
            .formatted(target));
    made(
        "/thresholds",
        """
        {"name": "CPU is high", "objectKind": {"adapterKind": "VMWARE", "objectKind": "VirtualMachine"}, "interval": "5s",
         "condition": {"type": "metric", "key": "cpu|usage_average", "operator": "gt", "levels": [
           {"severity": "critical", "bound": {"type": "number", "value": 80}}]},
         "alert": {"impact": "health"}}
        """);
  }

  @Test
  void alertsOfARemovedMachineAreClosedOnceAndListsAndCountsLeaveItOut() {
    watch();
    String group = made("/groups", "{\"name\": \"Web\", \"scope\": {\"tags\": [\"tier=web\"]}}");
    send("HostSystem", "host-1", Instant.now(), "\"name\":\"esx-1\"");
    sendMachine("vm-1");
    sendMachine("vm-2");
    soon(() -> assertThat(items("/alerts")).hasSize(2));
    soon(() -> assertThat(received()).containsExactly("NEW"));
    assertThat(api.get("/groups/" + group).json().path("memberCount").asInt()).isEqualTo(2);
    String id = items("/objects?name=vm-1").get(0).path("id").asString();
    assertThat(api.get("/objects/" + id).json().has("removedAt")).isFalse();

    Instant removed = Instant.now();
    send("VirtualMachine", "vm-1", removed, "\"gone\":true");
    soon(
        () ->
            assertThat(items("/alerts?state=canceled").path(0).path("cancelReason").asString(""))
                .isEqualTo("object-removed"));
    soon(() -> assertThat(received()).containsExactly("NEW", "CANCEL"));
    JsonNode canceled = items("/alerts?state=canceled").get(0);
    assertThat(canceled.path("object").path("name").asString()).isEqualTo("vm-1");
    assertThat(receiver.last().text())
        .contains("because the object was removed at its source")
        .as("where it was")
        .contains("esx-1");
    listsLeaveItOut(group, id, removed);

    // The ticks that follow say nothing more of it.
    Instant until = Instant.now().plusSeconds(11);
    soon(() -> assertThat(Instant.now()).isAfter(until));
    assertThat(received()).containsExactly("NEW", "CANCEL");
    assertThat(events(canceled)).containsExactly("opened", "canceled");
    JsonNode open = items("/alerts");
    assertThat(open).as("that of the other machine").hasSize(1);
    assertThat(open.get(0).path("object").path("name").asString()).isEqualTo("vm-2");
    assertThat(events(open.get(0))).containsExactly("opened");

    sendMachine("vm-1");
    soon(
        () ->
            assertThat(names("/objects?objectKind=VirtualMachine"))
                .containsExactly("vm-1", "vm-2"));
    soon(() -> assertThat(items("/alerts")).hasSize(2));
    assertThat(api.get("/objects/" + id).json().path("state").asString()).isEqualTo("reporting");
    assertThat(changes(id)).containsExactly("removed -> reporting", "reporting -> removed");
  }

  private void listsLeaveItOut(String group, String id, Instant removed) {
    assertThat(names("/objects?objectKind=VirtualMachine")).containsExactly("vm-2");
    assertThat(names("/objects?objectKind=VirtualMachine&removed=false")).containsExactly("vm-2");
    assertThat(names("/objects?removed=true")).containsExactly("vm-1");
    assertThat(items("/objects?removed=true&silent=true")).isEmpty();
    assertThat(names("/objects/tree")).containsExactly("esx-1");
    String host = items("/objects?name=esx-1").get(0).path("id").asString();
    assertThat(names("/objects/" + host + "/children")).containsExactly("vm-2");
    for (JsonNode kind : items("/adapter-kinds/VMWARE/object-kinds")) {
      assertThat(kind.path("objects").asInt()).as(kind.toString()).isEqualTo(1);
      assertThat(kind.path("silent").asInt()).as(kind.toString()).isZero();
    }
    assertThat(api.get("/groups/" + group).json().path("memberCount").asInt()).isEqualTo(1);
    assertThat(names("/groups/" + group + "/members")).containsExactly("vm-2");
    Answer asked = api.post("/objects/query", "{\"ids\": [\"" + id + "\"]}");
    assertThat(asked.json().path("items")).as("who asks by id gets it").hasSize(1);

    JsonNode object = api.get("/objects/" + id).json();
    assertThat(object.path("state").asString()).isEqualTo("removed");
    assertThat(Instant.parse(object.path("removedAt").asString()))
        .isBetween(removed.minusMillis(1), removed.plusMillis(1));
    assertThat(object.path("path")).hasSize(1);
    assertThat(object.path("path").get(0).asString()).isEqualTo("esx-1");
    assertThat(items("/objects/" + id + "/ancestors")).hasSize(1);
    assertThat(items("/objects/" + id + "/parents")).isEmpty();
    assertThat(changes(id)).containsExactly("reporting -> removed");
  }

  private List<String> changes(String id) {
    List<String> changes = new ArrayList<>();
    for (JsonNode change : items("/objects/" + id + "/changes")) {
      if (change.path("kind").asString().equals("removed")) {
        changes.add(change.path("before").asString() + " -> " + change.path("after").asString());
      }
    }
    return changes;
  }

  private List<String> events(JsonNode alert) {
    List<String> events = new ArrayList<>();
    items("/alerts/" + alert.path("id").asString() + "/history")
        .forEach(step -> events.add(step.path("event").asString()));
    return events.reversed();
  }
}
