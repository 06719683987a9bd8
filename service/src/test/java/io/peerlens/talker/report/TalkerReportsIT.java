package io.peerlens.talker.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.evaluation.Ticks;
import io.peerlens.job.Progress;
import io.peerlens.node.Role;
import io.peerlens.notify.definition.NotificationTemplates;
import io.peerlens.notify.dispatch.DirectMessages;
import io.peerlens.notify.report.TalkerReportMessages;
import io.peerlens.notify.report.TalkerReportRuns;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.WebhookReceiver;
import io.peerlens.talker.FlowRollUpStore;
import io.peerlens.web.ApiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A report from the API to its receiver and to its alert, step by step. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TalkerReportsIT {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Up to here the first flows go. */
  private static final Instant FIRST =
      Instant.ofEpochSecond(Instant.now().getEpochSecond() / 300 * 300).minus(Duration.ofHours(3));

  private static final Instant SECOND = FIRST.plus(Duration.ofMinutes(70));

  private static SampleData data;
  private static WebhookReceiver receiver;
  private static PeerlensServer server;
  private static ApiClient api;
  private static Ticks ticks;
  private static int outside;
  private static String target;
  private static String shares;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException {
    Path key = folder.resolve("key");
    Files.writeString(key, Base64.getEncoder().encodeToString(new byte[32]));
    data = SampleData.create();
    receiver = WebhookReceiver.start();
    server =
        PeerlensServer.start(
            data.database(),
            Set.of(Role.EVALUATOR, Role.NOTIFIER, Role.API),
            "peerlens.rollup.flow-lag=3m",
            "peerlens.evaluation.lag=0s",
            "peerlens.evaluation.shards=2",
            "peerlens.secrets.key-file=" + key,
            "peerlens.notify.url=https://peerlens.example/",
            "peerlens.notify.egress.allow=127.0.0.1",
            "peerlens.notify.delivery.poll=100ms");
    Ticks.stopScheduler(server, data);
    api = server.admin();
    outside = endpoint("null", "null", false);
    target =
        make(
            "/notification-targets",
            "{'name': 'Reports', 'type': 'webhook', 'webhook': {'url': '%s'}}"
                .formatted(receiver.url("/reports")));
    traffic(FIRST.minus(Duration.ofHours(1)), FIRST, Map.of("nas", 900, "web", 60, "db", 40));
    rollUp(FIRST);
    ticks = new Ticks(server, FIRST);
  }

  @AfterAll
  static void stop() {
    server.close();
    receiver.close();
    data.close();
  }

  private static String make(String path, String body) {
    Answer made = api.post(path, body.replace('\'', '"'));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    return made.json().path("id").asString("");
  }

  private static int endpoint(String address, String object, boolean internal) {
    return data.jdbc()
        .sql(
            "insert into endpoint (address, object_id, internal, first_seen) values (%s, %s, %s, now()) returning id"
                .formatted(address, object, internal))
        .query(Integer.class)
        .single();
  }

  /** What VMs send to the outside, in kB a minute. */
  private static void traffic(Instant from, Instant to, Map<String, Integer> sent) {
    sent.forEach(
        (name, kilobytes) -> {
          int sender = sender(name);
          for (Instant at = from; at.isBefore(to); at = at.plus(MINUTE)) {
            data.jdbc()
                .sql(
                    """
                    insert into flow_part (time, bytes, packets, drops, observer, src, dst, port, flows, sessions, resets,
                                           proto, to_service, egress)
                    values (?, ?, 1, 0, 1, ?, ?, 443, 1, 1, 0, 6, true, false)
                    """)
                .params(at.atOffset(ZoneOffset.UTC), kilobytes * 1_000L, sender, outside)
                .update();
          }
        });
  }

  private static int sender(String name) {
    return data.jdbc()
        .sql("select e.id from endpoint e join object o on o.id = e.object_id where o.name = ?")
        .param(name)
        .query(Integer.class)
        .optional()
        .orElseGet(
            () -> {
              int vm = data.object("VMWARE", "VirtualMachine", name);
              data.sql(
                  "insert into object_liveness (object_id, last_seen) values (%d, now() + interval '1 d')"
                      .formatted(vm));
              data.sql("update inventory_version set version = version + 1");
              return endpoint("'10.0.0.%d'".formatted(vm % 250), String.valueOf(vm), true);
            });
  }

  /** All up to a moment is rolled up. */
  private static void rollUp(Instant until) {
    server
        .context()
        .getBean(FlowRollUpStore.class)
        .run(until.plus(Duration.ofMinutes(4)), Progress.NONE);
    Instant reached = server.context().getBean(TalkerReportRunStore.class).rolledUp().orElseThrow();
    assertThat(reached).isEqualTo(until);
  }

  private static void judge(Instant now) {
    server.context().getBean(ShareJudge.class).look(now);
    ticks.at(Instant.ofEpochSecond(now.getEpochSecond() / 60 * 60 + 60));
  }

  /** Open alerts: what, on what. */
  private static List<String> open() {
    return api.get("/alerts?state=open")
        .json()
        .path("items")
        .valueStream()
        .filter(
            alert -> alert.path("definition").path("source").asString("").equals("talker-report"))
        .map(
            alert ->
                alert.path("definition").path("name").asString("")
                    + " on "
                    + alert.path("object").path("name").asString(""))
        .sorted()
        .toList();
  }

  private static Stream<JsonNode> received() {
    return receiver.received().stream().map(one -> JsonMapper.shared().readTree(one.text()));
  }

  @Test
  @Order(1)
  void aReportIsAnOrdinaryDefinition() {
    String id =
        make(
            "/talker-reports",
            "{'name': 'Kept', 'query': {'by': 'port', 'window': '1h'}, 'targets': ['%s']}"
                .formatted(target));
    Answer first = api.get("/talker-reports/" + id);
    assertThat(first.header("ETag")).isEqualTo("\"1\"");
    assertThat(first.json().path("query").path("limit").asInt(0)).isEqualTo(20);
    String changed = "{\"name\": \"Kept\", \"query\": {\"by\": \"vm\", \"window\": \"2h\"}}";
    assertThat(api.put("/talker-reports/" + id, changed).status()).isEqualTo(428);
    assertThat(api.with("If-Match", "\"1\"").put("/talker-reports/" + id, changed).status())
        .isEqualTo(200);
    assertThat(api.with("If-Match", "\"1\"").put("/talker-reports/" + id, changed).status())
        .isEqualTo(412);
    assertThat(api.get("/talker-reports/" + id + "/history").json().path("total").asInt(0))
        .isEqualTo(2);
    assertThat(
            api.with("If-Match", "\"2\"")
                .post("/talker-reports/" + id + "/history/1/restore", "")
                .json()
                .path("query")
                .path("by")
                .asString(""))
        .isEqualTo("port");
    assertThat(api.delete("/notification-targets/" + target).status()).isIn(409, 428);
    assertThat(
            api.with("If-Match", api.get("/notification-targets/" + target).header("ETag"))
                .delete("/notification-targets/" + target)
                .body())
        .contains("is used by Kept");
    JsonNode exported = api.get("/rules/export?id=" + id).json();
    assertThat(exported.path("talkerReports").size()).isEqualTo(1);
    assertThat(exported.path("notificationTargets").size()).isEqualTo(1);
    Answer again = api.post("/rules/import?dryRun=true", exported.toString());
    assertThat(again.body()).contains("It is stored as it is in the file.");
    assertThat(api.get("/talker-reports").json().path("total").asInt(0)).isEqualTo(1);
    assertThat(api.with("If-Match", "\"3\"").delete("/talker-reports/" + id).status())
        .isEqualTo(204);
    assertThat(api.get("/talker-reports/" + id).status()).isEqualTo(404);
  }

  @Test
  @Order(1)
  void anInvalidReportIsRefusedWithThePlaceOfTheError() {
    String traps =
        make(
            "/notification-targets",
            "{'name': 'Traps', 'type': 'snmp', 'snmp': {'host': '10.1.1.1', 'version': 'v2c', 'community': {'value': 'public'}}}");
    refused(
        "'query': {'by': 'vm', 'window': '1h'}, 'targets': ['%s']".formatted(traps), "targets[0]");
    refused("'query': {'by': 'vm', 'window': '4m'}", "query.window");
    refused("'query': {'by': 'vm', 'window': '1h', 'ports': ['70000']}", "query.ports");
    refused("'query': {'by': 'vm', 'window': '1h'}, 'shareAbove': 1.5", "shareAbove");
    refused("'query': {'by': 'vm', 'window': '1h'}, 'alert': {}", "alert");
    refused(
        "'query': {'by': 'vm', 'window': '1h'}, 'schedule': {'time': '07:00', 'zone': 'Mars/Base'}",
        "schedule.zone");
    refused("'query': {'by': 'vm', 'window': '1h'}, 'templates': ['snmp-vrops']", "templates[0]");
  }

  private static void refused(String more, String field) {
    Answer answer =
        api.post("/talker-reports", "{'name': 'Odd', %s}".formatted(more).replace('\'', '"'));
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.json().path("errors").findValuesAsString("field"))
        .as(answer.body())
        .anyMatch(named -> named.startsWith(field));
  }

  @Test
  @Order(2)
  void aShareAboveTheLimitRaisesAnAlertOfTheTalkerAndOfTheReport() {
    shares =
        make(
            "/talker-reports",
            """
            {'name': 'Uplink', 'query': {'by': 'vm', 'direction': 'sent', 'window': '1h'}, 'shareAbove': 0.5,
             'alert': {'severity': 'immediate', 'impact': 'risk', 'recommendations': ['Move the backups.']}}
            """);
    make(
        "/talker-reports",
        "{'name': 'Services', 'query': {'by': 'port', 'window': '1h'}, 'shareAbove': 0.99}");
    judge(FIRST.plusSeconds(30));

    assertThat(open()).containsExactly("Services on Services", "Uplink on nas");
    JsonNode alert =
        api.get("/alerts?state=open")
            .json()
            .path("items")
            .valueStream()
            .filter(one -> one.path("definition").path("name").asString("").equals("Uplink"))
            .findFirst()
            .orElseThrow();
    assertThat(alert.path("severity").asString("")).isEqualTo("immediate");
    JsonNode whole = api.get("/alerts/" + alert.path("id").asString("")).json();
    assertThat(whole.path("explanation").path("text").asString(""))
        .startsWith("nas has 90 % of the traffic of the report Uplink in the 1 h to ")
        .contains("above the limit of 50 % for immediate");
    assertThat(whole.path("recommendations").toString()).contains("Move the backups.");
  }

  @Test
  @Order(3)
  void theAlertEndsWithTheShare() {
    traffic(FIRST, SECOND, Map.of("nas", 100, "web", 450, "db", 450));
    rollUp(SECOND);
    judge(SECOND.plusSeconds(30));

    assertThat(open()).containsExactly("Services on Services");
    Answer answer = api.get("/talker-reports/" + shares + "/run");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);

    String services =
        api.get("/talker-reports")
            .json()
            .path("items")
            .valueStream()
            .filter(one -> one.path("name").asString("").equals("Services"))
            .map(one -> one.path("id").asString(""))
            .findFirst()
            .orElseThrow();
    assertThat(api.with("If-Match", "\"1\"").delete("/talker-reports/" + services).status())
        .isEqualTo(204);
    judge(SECOND.plusSeconds(90));
    assertThat(open()).isEmpty();
    assertThat(api.get("/alerts?state=canceled").body()).contains("definition-deleted");
  }

  @Test
  @Order(4)
  void aReportThatIsDueIsSentOnceAndWhatWasMissedIsNoted() {
    Instant due = SECOND.minus(Duration.ofMinutes(5));
    String clock = DateTimeFormatter.ofPattern("HH:mm").format(due.atOffset(ZoneOffset.UTC));
    String id =
        make(
            "/talker-reports",
            """
            {'name': 'Daily', 'query': {'by': 'vm', 'direction': 'sent', 'window': '30m', 'limit': 2}, 'shareAbove': 0.4,
             'schedule': {'time': '%s', 'zone': 'UTC'}, 'targets': ['%s']}
            """
                .formatted(clock, target));
    data.jdbc()
        .sql("update talker_report_state set scheduled_since = ? where report_id = ?::uuid")
        .params(due.minus(Duration.ofHours(49)).atOffset(ZoneOffset.UTC), id)
        .update();
    TalkerReportRuns runs = server.context().getBean(TalkerReportRuns.class);
    Instant now = SECOND.plusSeconds(60);
    List<CompletableFuture<Integer>> nodes =
        Stream.generate(() -> CompletableFuture.supplyAsync(() -> runs.look(now)))
            .limit(4)
            .toList();
    assertThat(nodes.stream().mapToInt(CompletableFuture::join).sum()).isEqualTo(1);
    assertThat(runs.look(now)).isZero();

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(receiver.received()).hasSize(1));
    JsonNode body = received().findFirst().orElseThrow();
    assertThat(body.path("event").asString("")).isEqualTo("REPORT");
    assertThat(body.path("report").path("name").asString("")).isEqualTo("Daily");
    assertThat(body.path("report").path("to").asString("")).isEqualTo(due.toString());
    assertThat(body.path("report").path("url").asString(""))
        .isEqualTo("https://peerlens.example/top-talkers/reports/" + id);
    assertThat(body.path("talkers").findValuesAsString("name"))
        .containsExactlyInAnyOrder("web", "db");
    assertThat(body.path("talkers").findValues("over")).allMatch(JsonNode::asBoolean);
    assertThat(body.path("others").path("share").asDouble(0)).isEqualTo(0.1);

    JsonNode kept = api.get("/talker-reports/" + id + "/runs").json();
    assertThat(kept.path("items").findValuesAsString("state"))
        .containsExactly("done", "missed", "missed");
    JsonNode first = kept.path("items").path(0);
    assertThat(first.path("overShare").asBoolean(false)).isTrue();
    assertThat(first.path("result").path("items").size()).isEqualTo(2);
    JsonNode log = api.get("/deliveries?event=REPORT").json().path("items");
    assertThat(log.size()).isEqualTo(1);
    assertThat(log.path(0).path("id").asString(""))
        .isEqualTo(first.path("deliveries").path(0).path("delivery").asString("-"));
    JsonNode page = api.get("/talker-reports/" + id + "/runs?limit=2").json();
    assertThat(
            api.get(
                    "/talker-reports/"
                        + id
                        + "/runs?cursor="
                        + page.path("nextCursor").asString(""))
                .json()
                .path("items")
                .size())
        .isEqualTo(1);
    assertThat(api.get("/talker-reports/" + id).json().path("lastAt").asString(""))
        .isEqualTo(due.toString());
  }

  @Test
  @Order(5)
  void aReportThatCannotBeAnsweredIsRecordedOnceAsFailed() {
    Instant due = SECOND.minus(Duration.ofMinutes(5));
    String clock = DateTimeFormatter.ofPattern("HH:mm").format(due.atOffset(ZoneOffset.UTC));
    String id =
        make(
            "/talker-reports",
            """
            {'name': 'Broken', 'query': {'by': 'vm', 'window': '30m'},
             'schedule': {'time': '%s', 'zone': 'UTC'}, 'targets': ['%s']}
            """
                .formatted(clock, target));
    data.sql(
        "update talker_report_state set scheduled_since = '%s' where report_id = '%s'"
            .formatted(due.minusSeconds(1), id));
    ReportAnswers broken =
        (query, from, to, limit, detailed) -> {
          throw ApiException.invalidField("query.scope", "reads too much");
        };
    TalkerReportStore store = server.context().getBean(TalkerReportStore.class);
    TalkerReportRuns runs =
        new TalkerReportRuns(
            () -> List.of(store.find(UUID.fromString(id)).orElseThrow()),
            server.context().getBean(TalkerReportRunStore.class),
            broken,
            any -> Optional.empty(),
            new TalkerReportMessages(
                server.context().getBean(DirectMessages.class),
                server.context().getBean(NotificationTemplates.class),
                ""),
            Duration.ZERO);

    assertThat(runs.look(SECOND.plusSeconds(60))).isEqualTo(1);
    assertThat(runs.look(SECOND.plusSeconds(60))).isZero();
    JsonNode run = api.get("/talker-reports/" + id + "/runs").json().path("items").path(0);
    assertThat(run.path("state").asString("")).isEqualTo("failed");
    assertThat(run.path("reason").asString("")).contains("reads too much");
    assertThat(run.path("deliveries").size()).isZero();
  }
}
