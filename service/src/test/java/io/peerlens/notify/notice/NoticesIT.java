package io.peerlens.notify.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.ingest.kafka.Restarts;
import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.WebhookReceiver;
import io.peerlens.support.WebhookReceiver.Received;
import io.peerlens.support.WebhookReceiver.Reply;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the installation tells of itself, told through the whole of it. */
class NoticesIT {

  private static SampleData data;
  private static WebhookReceiver receiver;
  private static PeerlensServer server;
  private static ApiClient api;
  private static Notices notices;
  private static Heartbeats heartbeats;

  @BeforeAll
  static void start() {
    data = SampleData.create();
    receiver = WebhookReceiver.start();
    server =
        PeerlensServer.start(
            data.database(),
            Set.of(Role.NOTIFIER, Role.API),
            "peerlens.notify.egress.allow=127.0.0.1",
            "peerlens.notify.delivery.retry-first=100ms",
            "peerlens.notify.delivery.retry-longest=1s",
            "peerlens.notify.delivery.breaker-wait=500ms",
            "peerlens.notify.delivery.poll=100ms");
    api = server.admin();
    notices = server.context().getBean(Notices.class);
    heartbeats = server.context().getBean(Heartbeats.class);
    rule("watch", target("watch", ""));
  }

  @AfterAll
  static void stop() {
    server.close();
    receiver.close();
    data.close();
  }

  private static String target(String name, String more) {
    return make(
        "/notification-targets",
        "{'name': '%s', 'type': 'webhook', 'webhook': {'url': '%s'}%s}"
            .formatted(name, receiver.url("/" + name), more));
  }

  private static void rule(String name, String target) {
    String rule = "{'name': '%s', 'template': 'generic-json', 'targets': ['%s']}";
    make("/notification-rules", rule.formatted(name, target));
  }

  private static String make(String path, String body) {
    Answer made = api.post(path, body.replace('\'', '"'));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    return made.json().path("id").asString("");
  }

  /** What a target got of a kind of notice: event and words. */
  private static List<String> heard(String target, String kind) {
    return bodies(target)
        .filter(body -> body.path("alert").path("definitionId").asString("").equals(kind))
        .map(
            body ->
                body.path("event").asString("")
                    + ": "
                    + body.path("alert").path("info").asString(""))
        .toList();
  }

  private static Stream<JsonNode> bodies(String target) {
    return receiver.received().stream()
        .filter(one -> one.target().equals("/" + target))
        .map(Received::text)
        .map(JsonMapper.shared()::readTree);
  }

  private static void isHeard(String kind, String... events) {
    notices.look(Instant.now());
    notices.look(Instant.now()); // what goes on is no news
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(heard("watch", kind)).containsExactly(events));
  }

  @Test
  void lagIsReportedUntilIngestHasCaughtUp() {
    rate(2_500_000, "10 seconds");
    String behind = "2,500,000 records wait in Kafka";
    isHeard("ingest-lag", "NEW: " + behind);
    rate(999_999, "5 seconds");
    isHeard("ingest-lag", "NEW: " + behind, "CANCEL: " + behind);
  }

  private static void rate(long lag, String ago) {
    data.jdbc()
        .sql(
            """
            insert into ingest_rate (time, node, seconds, points, rows, records, bytes, lag, batch_records, batch_rows,
              batch_points, batch_millis)
            values (now() - :ago::interval, 'one', 10, 0, 0, 0, 0, :lag, '{}', '{}', '{}', '{}')
            """)
        .param("ago", ago)
        .param("lag", lag)
        .update();
  }

  @Test
  void ingestThatCannotStoreIsReportedUntilItCan() {
    data.sql(
        """
        insert into ingest_node (node, started_at, updated_at, partitions, mappings, minute, new_objects, new_metrics, trouble)
        values ('two', now(), now() + interval '1 h', '[]', '[]', now(), 0, 0, 'disk full')
        """);
    isTold("NEW: two: disk full");
    data.sql("update ingest_node set trouble = '' where node = 'two'");
    isTold("NEW: two: disk full", "CANCEL: two: disk full");
  }

  private static void isTold(String... events) {
    notices.look(Instant.now());
    notices.look(Instant.now()); // what goes on is no news
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(heard("watch", "ingest-trouble"))
                    .filteredOn(told -> told.contains("two: "))
                    .containsExactly(events));
  }

  @Test
  void aPartitionStuckAtOneOffsetIsReportedUntilItMoves() {
    TopicPartition partition = new TopicPartition("peerlens.samples", 3);
    Restarts restarts = new Restarts();
    for (int start = 1; start < Restarts.TOO_MANY; start++) {
      restarts.failed(Map.of(partition, 4711L), "cannot be stored");
    }
    assertThat(restarts.stuck()).isEmpty();
    restarts.failed(Map.of(partition, 4711L), "cannot be stored");
    stuck(restarts);
    String words =
        "three: reading peerlens.samples-3 was started 10 times at offset 4711: cannot be stored";
    await()
        .untilAsserted(
            () -> {
              notices.look(Instant.now());
              assertThat(heard("watch", "ingest-trouble")).contains("NEW: " + words);
            });
    restarts.moved(Set.of(partition));
    stuck(restarts);
    await()
        .untilAsserted(
            () -> {
              notices.look(Instant.now());
              assertThat(heard("watch", "ingest-trouble")).contains("CANCEL: " + words);
            });
  }

  /** Writes down what a node's consumer says, as its report does. */
  private static void stuck(Restarts restarts) {
    data.jdbc()
        .sql(
            """
            insert into ingest_node (node, started_at, updated_at, partitions, mappings, minute, new_objects, new_metrics, trouble)
            values ('three', now(), now() + interval '1 h', '[]', '[]', now(), 0, 0, :trouble)
            on conflict (node) do update set trouble = excluded.trouble
            """)
        .param("trouble", restarts.stuck())
        .update();
  }

  @Test
  void patternsOverTheLimitSinceAnUpdateAreReportedUntilTheyAreCorrected() {
    String hostile = "((a{0,1000}){0,1000}){0,1000}";
    String silence =
        make(
            "/silences",
            "{'comment': 'x', 'to': '2199-01-01T00:00:00Z', 'matchers': [{'path': 'object.name', 'operator': 'matches', 'value': 'web-.*'}]}");
    String threshold =
        make(
            "/thresholds",
            "{'name': 'old threshold', 'objectKind': {'adapterKind': 'VMWARE', 'objectKind': 'VirtualMachine'}, 'condition': {'type': 'property', 'key': 'state', 'operator': 'matches', 'levels': [{'severity': 'warning', 'text': 'web-.*'}]}}");
    stored("silence", silence, "web-.*", hostile, "notification_version");
    stored("threshold", threshold, "web-.*", hostile, "rule_version");
    notices.look(Instant.now());
    await()
        .untilAsserted(
            () ->
                assertThat(heard("watch", "definition-unreadable"))
                    .hasSize(2)
                    .anyMatch(
                        told ->
                            told.startsWith("NEW: The silence " + silence)
                                && told.contains("repeats too much"))
                    .anyMatch(
                        told ->
                            told.startsWith("NEW: The threshold \"old threshold\" (" + threshold)
                                && told.contains("repeats too much")));
    // Whoever opens one is told why it does nothing, and mends or deletes it as any other.
    Answer refused = api.get("/silences/" + silence);
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.json().path("detail").asString())
        .contains("cannot read it", "repeats too much");
    assertThat(api.get("/thresholds/" + threshold).json().path("detail").asString())
        .contains("\"old threshold\"", "cannot read it", "repeats too much");
    assertThat(api.get("/thresholds/" + threshold + "/history").status()).isEqualTo(200);
    String mended =
        "{'comment': 'x', 'to': '2199-01-01T00:00:00Z', 'matchers': [{'path': 'object.name', 'operator': 'matches', 'value': 'web-.*'}]}";
    assertThat(api.put("/silences/" + silence, mended.replace('\'', '"')).status()).isEqualTo(200);
    assertThat(api.get("/silences/" + silence).json().path("comment").asString()).isEqualTo("x");
    assertThat(api.delete("/thresholds/" + threshold).status()).isEqualTo(204);
    assertThat(api.get("/thresholds/" + threshold).status()).isEqualTo(404);
    notices.look(Instant.now());
    await()
        .untilAsserted(
            () ->
                assertThat(heard("watch", "definition-unreadable"))
                    .filteredOn(told -> told.startsWith("CANCEL: "))
                    .hasSize(2));
  }

  /** Puts a text into a stored definition past its check, as a version without the check did. */
  private static void stored(String table, String id, String old, String now, String number) {
    assertThat(
            data.jdbc()
                .sql(
                    "update %s set definition = replace(definition::text, :old, :now)::jsonb where id = :id::uuid"
                        .formatted(table))
                .param("old", old)
                .param("now", now)
                .param("id", id)
                .update())
        .isOne();
    data.sql("update " + number + " set version = version + 1");
  }

  @Test
  void aStalledEvaluationIsReportedUntilItContinues() {
    data.sql(
        """
        insert into evaluation_shard (shard, last_tick, next_tick, node, evaluated_at, error)
        values (3, now(), now(), 'one', now(), 'out of memory')
        """);
    isHeard("evaluation", "NEW: Shard 3: out of memory");
    data.sql("update evaluation_shard set error = null");
    isHeard("evaluation", "NEW: Shard 3: out of memory", "CANCEL: Shard 3: out of memory");
  }

  @Test
  void aSilentCollectorIsReportedUntilItSendsAgain() {
    seen(data.object("SILENT", "VirtualMachine", "silent-1"), "2026-11-21T09:00:00Z");
    seen(data.object("SILENT", "VirtualMachine", "silent-2"), "2026-11-21T09:10:00Z");
    seen(
        data.object("Peerlens", "IpAddress", "10.0.0.1"),
        "2026-11-21T09:00:00Z"); // has flows or not
    seen(data.object("FORGOTTEN", "VirtualMachine", "forgotten"), "2026-11-01T09:00:00Z");
    seen(data.object("HEARD", "VirtualMachine", "heard-1"), "2026-11-21T09:00:00Z");
    seen(data.object("HEARD", "VirtualMachine", "heard-2"), "2026-11-21T09:20:00Z");
    NoticeQueries queries =
        new NoticeQueries(
            data.jdbc(),
            new NoticeProperties(
                Duration.ofSeconds(15),
                100,
                1_000_000,
                Duration.ofMinutes(15),
                Duration.ofDays(7),
                Duration.ofMinutes(5)),
            List.of());
    assertThat(queries.present(Instant.parse("2026-11-21T09:26:00Z")).stream().map(Notice::words))
        .as("nothing of any of its objects for a quarter of an hour, but not for a week")
        .contains("The 2 objects of SILENT have sent nothing since 2026-11-21T09:10:00Z")
        .noneMatch(
            words ->
                words.contains("HEARD")
                    || words.contains("FORGOTTEN")
                    || words.contains("Peerlens"));

    data.sql("delete from object_liveness");
    Instant last = Instant.now().minusSeconds(1_000).truncatedTo(ChronoUnit.SECONDS);
    seen(data.object("QUIET", "VirtualMachine", "quiet"), last.toString());
    String silent = "The 1 objects of QUIET have sent nothing since " + last;
    isHeard("collector-silent", "NEW: " + silent);
    data.sql("update object_liveness set last_seen = now()");
    isHeard("collector-silent", "NEW: " + silent, "CANCEL: " + silent);
  }

  private static void seen(int object, String at) {
    data.jdbc()
        .sql("insert into object_liveness (object_id, last_seen) values (?, ?::timestamptz)")
        .params(object, at)
        .update();
  }

  @Test
  void aFailingTargetIsReportedThroughOthersUntilItWorks() {
    String failing = target("failing", "");
    rule("failing", failing);
    String gone = target("gone", "");
    rule("gone", gone);
    receiver.at("/failing", Reply.status(500));
    receiver.at("/gone", Reply.status(410));
    // Any notice will do to see that they fail.
    data.sql(
        """
        insert into ingest_rejected (minute, reason, node, count, newest_at)
        values (date_trunc('minute', now()), 'no-timestamp', 'one', 250, now())
        """);
    notices.look(Instant.now());
    await().atMost(Duration.ofSeconds(60)).until(() -> isLine(failing, "failures > 0"));
    await().atMost(Duration.ofSeconds(60)).until(() -> isLine(gone, "stopped_at is not null"));
    notices.look(Instant.now());
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> heard("watch", "target-failing").size() == 1);
    assertThat(heard("watch", "target-failing").getFirst())
        .as("what is stopped is told at once, what fails after five minutes")
        .startsWith("NEW: It is stopped: The receiver answered 410");

    data.sql("update target_line set failing_since = failing_since - interval '6 min'");
    notices.look(Instant.now());
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> heard("watch", "target-failing").size() == 2);
    assertThat(heard("watch", "target-failing").getLast())
        .startsWith("NEW: Since ")
        .endsWith("The receiver answered 500");

    receiver.at("/failing", Reply.status(200));
    receiver.at("/gone", Reply.status(200));
    await().atMost(Duration.ofSeconds(60)).until(() -> isLine(failing, "failure is null"));
    assertThat(api.post("/notification-targets/" + gone + "/resume", "").status()).isEqualTo(204);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              notices.look(Instant.now());
              return heard("watch", "target-failing").size() == 4;
            });
    assertThat(heard("watch", "target-failing").subList(2, 4))
        .allMatch(one -> one.startsWith("CANCEL: "));
    for (String of : List.of("failing", "gone")) {
      assertThat(
              bodies(of).filter(body -> body.path("object").path("name").asString("").equals(of)))
          .as("a target is not told of its own failure")
          .isEmpty();
    }
  }

  private static boolean isLine(String target, String condition) {
    return data.jdbc()
        .sql("select count(*) = 1 from target_line where target_id = ? and " + condition)
        .param(UUID.fromString(target))
        .query(Boolean.class)
        .single();
  }

  @Test
  void aHeartbeatReachesItsTarget() {
    String often = target("often", ", 'heartbeat': '10m'");
    String seldom = target("seldom", ", 'heartbeat': '6h'");
    Instant now = Instant.now();
    heartbeats.beat(now);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> heard("often", "heartbeat").size() + heard("seldom", "heartbeat").size() == 2);
    JsonNode beat = bodies("often").toList().getLast();
    assertThat(beat.path("event").asString("")).as("which opens nothing").isEqualTo("CANCEL");
    assertThat(beat.path("alert").path("info").asString("")).isEqualTo("Notifications work.");
    heartbeats.beat(now.plusSeconds(590));
    assertThat(beats(often)).as("not before its time").isEqualTo(1);
    heartbeats.beat(now.plusSeconds(660));
    assertThat(beats(often)).isEqualTo(2);
    assertThat(beats(seldom)).isEqualTo(1);
    assertThat(heard("watch", "heartbeat")).as("nobody else is told").isEmpty();
  }

  private static int beats(String target) {
    return data.jdbc()
        .sql("select count(*) from delivery where target_id = ? and change = 'heartbeat'")
        .param(UUID.fromString(target))
        .query(Integer.class)
        .single();
  }
}
