package io.peerlens.notify.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.AlertSteps;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.WebhookReceiver;
import io.peerlens.support.WebhookReceiver.Reply;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The whole way: definitions by the API, alerts in the database, a real receiver, the log. */
class NotificationsIT {

  private final SampleData data = SampleData.create();
  private final AlertSteps alerts = new AlertSteps(data, InstantSource.system());
  private final WebhookReceiver receiver = WebhookReceiver.start();
  private PeerlensServer server = start();
  private @Nullable String token = server.adminToken();
  private ApiClient api = server.admin();
  private int vm;

  private PeerlensServer start() {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) 7);
    return PeerlensServer.start(
        data.database(),
        Set.of(Role.NOTIFIER, Role.API),
        "peerlens.secrets.key=" + Base64.getEncoder().encodeToString(key),
        "peerlens.notify.egress.allow=127.0.0.1",
        "peerlens.notify.url=https://peerlens.example",
        "peerlens.notify.delivery.retry-first=200ms",
        "peerlens.notify.delivery.breaker-wait=500ms",
        "peerlens.notify.delivery.poll=100ms",
        "db-scheduler.polling-interval=200ms");
  }

  @BeforeEach
  void objects() {
    vm = data.object("VMWARE", "VirtualMachine", "vm-1");
  }

  @AfterEach
  void close() {
    server.close();
    receiver.close();
    data.close();
  }

  @Test
  void anAlertArrivesInOrderThroughFailuresAndARestart() {
    String target = target("/hook");
    rule(target);
    receiver.script(
        Reply.status(429).header("Retry-After", "1"), Reply.status(500), Reply.status(200));
    Instant began = Instant.now();
    UUID alert = alerts.opens(vm, 2);
    await().atMost(Duration.ofSeconds(30)).until(() -> receiver.received().size() == 3);
    assertThat(Duration.between(began, receiver.received().get(1).at()))
        .as("Retry-After is kept")
        .isGreaterThanOrEqualTo(Duration.ofSeconds(1));

    server.close(); // what happens meanwhile waits
    alerts.severity(alert, 4);
    server = start();
    api = new ApiClient(server.url(), token);
    await().atMost(Duration.ofSeconds(30)).until(() -> receiver.received().size() == 4);
    alerts.cancels(alert);
    await().atMost(Duration.ofSeconds(30)).until(() -> receiver.received().size() == 5);

    List<WebhookReceiver.Received> got = receiver.received();
    assertThat(
            got.stream().map(one -> one.text().replaceAll("(?s).*\"event\":\"([A-Z]+)\".*", "$1")))
        .containsExactly("NEW", "NEW", "NEW", "UPDATE", "CANCEL");
    assertThat(got.subList(0, 3).stream().map(one -> one.header("webhook-id")).distinct())
        .as("every attempt has the same id")
        .hasSize(1);
    assertThat(got.stream().map(one -> one.header("webhook-id")).distinct()).hasSize(3);
    assertThat(got.get(1).text()).as("and the same bytes").isEqualTo(got.get(2).text());
    assertThat(got.get(3).text()).contains("https://peerlens.example/alerts/" + alert);

    JsonNode why = api.get("/alerts/" + alert + "/notifications").json();
    assertThat(why.path("standings").get(0).path("phase").asString("")).isEqualTo("over");
    assertThat(why.path("traces").get(0).path("decisions").get(0).path("outcome").asString(""))
        .isEqualTo("sent");
    assertThat(why.path("deliveries")).hasSize(3);

    String first = why.path("deliveries").get(2).path("id").asString("");
    JsonNode detail = api.get("/deliveries/" + first).json();
    assertThat(detail.path("attempts")).hasSize(3);
    assertThat(detail.path("attempts").get(0).path("answer").path("status").asInt(0))
        .isEqualTo(429);
    assertThat(detail.path("attempts").get(2).path("sent").path("body").asString(""))
        .isEqualTo(got.get(2).text());
    assertThat(detail.path("delivery").path("state").asString("")).isEqualTo("delivered");
    JsonNode last = detail.path("delivery").path("lastAttempt");
    assertThat(last.path("status").asInt(0)).isEqualTo(200);
    assertThat(last.path("verdict").asString("")).isEqualTo("delivered");
    assertThat(last.path("tookMillis").asDouble(-1)).isPositive();
    theLogIsFiltered(alert, target);
  }

  private void theLogIsFiltered(UUID alert, String target) {
    String object = SampleData.uuid("VirtualMachine", "vm-1").toString();
    assertThat(log("target=" + target)).isEqualTo("CANCEL UPDATE NEW");
    assertThat(log("object=" + object)).isEqualTo("CANCEL UPDATE NEW");
    assertThat(log("object=" + UUID.randomUUID())).isEmpty();
    assertThat(log("alert=" + alert + "&event=NEW,CANCEL")).isEqualTo("CANCEL NEW");
    assertThat(log("template=generic-json&limit=1")).isEqualTo("CANCEL");
    assertThat(log("template=slack")).isEmpty();
    assertThat(log("error=too%20many")).isEmpty();
    data.sql("update delivery set reason = '429 Too Many Requests' where event = 'UPDATE'");
    assertThat(log("error=too%20MANY")).isEqualTo("UPDATE");
    assertThat(log("error=" + "%25")).as("it is no pattern").isEmpty();
    assertThat(log("from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z")).isEmpty();
    assertThat(log("object=" + object + "&template=generic-json&event=UPDATE&state=delivered"))
        .isEqualTo("UPDATE");
  }

  private String log(String query) {
    Answer page = api.get("/deliveries?" + query);
    assertThat(page.status()).as(page.body()).isEqualTo(200);
    List<String> events = new ArrayList<>();
    page.json().path("items").forEach(one -> events.add(one.path("event").asString("")));
    return String.join(" ", events);
  }

  @Test
  void aGoneResponseStopsTheTargetUntilItIsTested() {
    String target = target("/gone");
    rule(target);
    receiver.usually(Reply.status(410));
    alerts.opens(vm, 2);
    await().atMost(Duration.ofSeconds(30)).until(() -> receiver.received().size() == 1);
    await().atMost(Duration.ofSeconds(30)).until(() -> !state(target).path("stoppedAt").isNull());
    assertThat(state(target).path("stoppedReason").asString("")).contains("410");
    receiver.usually(Reply.status(200));
    alerts.opens(data.object("VMWARE", "VirtualMachine", "vm-2"), 2);
    await().atMost(Duration.ofSeconds(30)).until(() -> state(target).path("waiting").asInt(0) == 1);
    assertThat(receiver.received()).hasSize(1);
    assertThat(api.post("/notification-targets/" + target + "/resume", "").status()).isEqualTo(204);
    await().atMost(Duration.ofSeconds(30)).until(() -> receiver.received().size() == 2);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> state(target).path("waiting").asInt(-1) == 0);

    JsonNode dead = api.get("/deliveries?state=dead&target=" + target).json();
    assertThat(dead.path("items")).hasSize(1);
    String from = Instant.now().minusSeconds(600).toString();
    String to = Instant.now().plusSeconds(600).toString();
    String body = "{\"target\": \"%s\", \"from\": \"%s\", \"to\": \"%s\", \"dryRun\": %s}";
    assertThat(
            api.post("/deliveries/replay", body.formatted(target, from, to, true))
                .json()
                .path("matched")
                .asInt(0))
        .isEqualTo(1);
    assertThat(
            api.post("/deliveries/replay", body.formatted(target, from, to, false))
                .json()
                .path("replayed")
                .asInt(0))
        .isEqualTo(1);
    await().atMost(Duration.ofSeconds(30)).until(() -> receiver.received().size() == 3);
    assertThat(receiver.received().get(2).text())
        .as("a replay sends the same bytes under the same id")
        .isEqualTo(receiver.received().get(0).text());
    assertThat(receiver.received().get(2).header("webhook-id"))
        .isEqualTo(receiver.received().get(0).header("webhook-id"));
  }

  @Test
  void aHangingTargetDoesNotDelayOthers() {
    String hanging = target("/hang");
    String well = target("/well");
    rule(hanging);
    rule(well);
    receiver.at("/hang", Reply.hang());
    List<Duration> took = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      int object = data.object("VMWARE", "VirtualMachine", "vm-of-ten-" + i);
      int before = to("/well");
      Instant began = Instant.now();
      alerts.opens(object, 2);
      await()
          .pollInterval(Duration.ofMillis(10))
          .atMost(Duration.ofSeconds(60))
          .until(() -> to("/well") > before);
      took.add(Duration.between(began, Instant.now()));
    }
    took.sort(null);
    assertThat(took.get(5)).as("median from alert to receiver").isLessThan(Duration.ofSeconds(2));
    JsonNode waiting = api.get("/deliveries?state=waiting,sending&target=" + hanging).json();
    String id = waiting.path("items").get(0).path("id").asString("");
    Answer dropped = api.post("/deliveries/" + id + "/drop", "");
    assertThat(dropped.status()).as(dropped.body()).isIn(200, 409);
  }

  @Test
  void problemsOfTheInstallationAreReportedAndCleared() {
    String target = target("/notices");
    rule(target);
    data.sql(
        """
        insert into ingest_rejected (minute, reason, node, count, newest_at)
        values (date_trunc('minute', now()), 'no-timestamp', 'one', 250, now())
        """);
    await().atMost(Duration.ofSeconds(60)).until(() -> looked() && got("rejected"));
    assertThat(receiver.last().text()).contains("250 lines in the last five minutes");
    data.sql("delete from ingest_rejected");
    await().atMost(Duration.ofSeconds(60)).until(() -> looked() && got("\"CANCEL\""));
  }

  /** The scheduler looks for troubles every 15 s, and now. */
  private boolean looked() {
    data.sql(
        "update scheduled_tasks set execution_time = now() where task_name = 'notification-notices'"
            + " and not picked");
    return true;
  }

  private boolean got(String text) {
    return receiver.received().stream().anyMatch(one -> one.text().contains(text));
  }

  private int to(String path) {
    return (int) receiver.received().stream().filter(one -> one.target().equals(path)).count();
  }

  private JsonNode state(String target) {
    for (JsonNode state : api.get("/notification-targets/states").json().path("items")) {
      if (state.path("target").asString("").equals(target)) {
        return state;
      }
    }
    return JsonMapper.shared().createObjectNode().putNull("stoppedAt");
  }

  private String target(String path) {
    Answer made =
        api.post(
            "/notification-targets",
            """
            {"name": "receiver %s", "type": "webhook", "webhook": {"url": "%s", "timeout": "5s"}}
            """
                .formatted(path, receiver.url(path)));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    return made.json().path("id").asString("");
  }

  private void rule(String target) {
    Answer made =
        api.post(
            "/notification-rules",
            """
            {"name": "to %s", "template": "generic-json", "targets": ["%s"]}
            """
                .formatted(target, target));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
  }
}
