package io.peerlens.notify.preview;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.peerlens.node.Role;
import io.peerlens.support.AlertRow;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Templates on alerts, rules on the past, and test messages to a real receiver. */
class NotificationTrialsIT {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final String TEMPLATE =
      """
      apiVersion: alert-templates/v1
      id: chat
      version: 1.0.0
      description: One line for a chat.
      modify:
        - set: { field: line, value: '${alert.criticality}: ${object.name} of ${vars.team}' }
        - set: { field: alert.name, value: 'Renamed' }
        - drop: {}
          when: 'alert.criticality == "INFORMATION"'
      vars:
        team: { type: text, description: Whose it is., default: nobody }
      render:
        format: json
        body: { text: '${line}', name: '${alert.name}', key: '${secret:chat-key}' }
      deliver: { method: POST, path: /in }
      """;

  private static final UUID VM = SampleData.uuid("VirtualMachine", "db-1");

  private static SampleData data;
  private static PeerlensServer server;
  private static ApiClient api;
  private static ApiClient operator;
  private static HttpServer receiver;
  private static final List<String> RECEIVED = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void start() throws IOException {
    data = SampleData.create();
    data.object("VMWARE", "VirtualMachine", "db-1");
    data.object("VMWARE", "VirtualMachine", "lab-1");
    data.sql("update object set tags = '{\"env\": \"lab\"}' where name = 'lab-1'");
    server =
        PeerlensServer.start(
            data.database(),
            Set.of(Role.API),
            "peerlens.secrets.key=" + Base64.getEncoder().encodeToString(new byte[32]),
            "peerlens.notify.egress.allow=127.0.0.1/32");
    api = server.admin();
    Answer token = api.post("/tokens", "{\"name\": \"operator\", \"role\": \"operator\"}");
    operator = new ApiClient(server.url(), token.json().path("secret").asString());
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext(
        "/",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          RECEIVED.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body);
          byte[] answer = "taken".getBytes(StandardCharsets.UTF_8);
          boolean refused = exchange.getRequestURI().getPath().startsWith("/no");
          exchange.sendResponseHeaders(refused ? 400 : 202, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    receiver.start();
  }

  @AfterAll
  static void stop() {
    receiver.stop(0);
    server.close();
    data.close();
  }

  @BeforeEach
  void empty() {
    for (String table :
        List.of(
            "alert",
            "notification_rule",
            "notification_template",
            "notification_target",
            "secret")) {
      data.sql("delete from " + table);
    }
    RECEIVED.clear();
  }

  private static JsonNode ok(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isIn(200, 201);
    return answer.json();
  }

  private static ObjectNode draft() {
    return JSON.createObjectNode().put("document", TEMPLATE);
  }

  private static JsonNode preview(ObjectNode request) {
    return ok(api.post("/notification-templates/preview", request.toString()));
  }

  private static List<String> texts(JsonNode list, String member) {
    List<String> texts = new ArrayList<>();
    list.forEach(one -> texts.add(one.path(member).asString()));
    return texts;
  }

  // ------------------------------------------------------------------------------- previews

  @Test
  void aDraftIsShownStepByStepOnARealAlert() {
    UUID alert = AlertRow.of(UUID.randomUUID(), VM).severity(4).insert(data);
    ObjectNode request = draft().put("alert", alert.toString()).put("event", "NEW");
    request.putObject("vars").put("team", "storage");
    JsonNode shown = preview(request);
    assertThat(texts(shown.path("steps"), "effect"))
        .containsExactly("changed", "changed", "skipped");
    assertThat(texts(shown.path("changes"), "path")).containsExactly("line", "alert.name");
    assertThat(shown.path("changes").path(1).path("before").asString()).isEqualTo("Rule");
    assertThat(shown.path("before").path("object").path("name").asString()).isEqualTo("db-1");
    assertThat(shown.path("after").path("line").asString()).isEqualTo("CRITICAL: db-1 of storage");
    JsonNode message = shown.path("message");
    assertThat(message.path("kind").asString()).isEqualTo("http");
    assertThat(message.path("method").asString()).isEqualTo("POST");
    JsonNode body = JSON.readTree(message.path("body").asString());
    assertThat(body.path("text").asString()).isEqualTo("CRITICAL: db-1 of storage");
    assertThat(body.path("key").asString()).isEqualTo("secret chat-key");
    assertThat(shown.path("bytes").asLong()).isPositive();
    assertThat(texts(shown.path("issues"), "message"))
        .containsExactly("there is no secret chat-key");
    assertThat(shown.path("error").isNull()).isTrue();
  }

  @Test
  void aStepThatSetsWhatNothingReadsIsNamed() {
    ObjectNode request = JSON.createObjectNode().put("event", "NEW");
    request.put(
        "document",
        """
        apiVersion: alert-templates/v1
        id: chat
        version: 1.0.0
        description: One line for a chat.
        modify:
          - set: {field: summary, value: "${alert.name}!"}
          - set: {field: alert.info, value: "${alert.name}!"}
        render:
          format: json
          body: {text: "${alert.info}"}
        """);

    JsonNode shown = preview(request);

    assertThat(texts(shown.path("steps"), "effect")).containsExactly("changed", "changed");
    assertThat(shown.path("steps").valueStream().map(step -> step.path("seen").asBoolean()))
        .containsExactly(false, true);
    assertThat(texts(shown.path("issues"), "message"))
        .containsExactly("step 1 changes summary, which this message does not show");
    assertThat(shown.at("/issues/0/field").asString()).isEqualTo("document.modify[0]");
  }

  @Test
  void aTemplateCanDropANotification() {
    UUID alert = AlertRow.of(UUID.randomUUID(), VM).severity(1).insert(data);
    JsonNode shown = preview(draft().put("alert", alert.toString()));
    assertThat(shown.path("dropped").asBoolean()).isTrue();
    assertThat(shown.path("message").isNull()).isTrue();
  }

  @Test
  void everyBuiltInTemplateIsShownForEveryEventOfTheSample() {
    for (JsonNode template : ok(api.get("/notification-templates")).path("items")) {
      String id = template.path("id").asString();
      for (String event : List.of("NEW", "UPDATE", "CANCEL")) {
        JsonNode shown = preview(JSON.createObjectNode().put("template", id).put("event", event));
        assertThat(shown.path("event").asString()).isEqualTo(event);
        assertThat(shown.path("error").isNull()).as(id + " " + shown).isTrue();
        assertThat(shown.path("message").isObject() || shown.path("dropped").asBoolean())
            .as(id)
            .isTrue();
      }
      JsonNode run = ok(api.post("/notification-templates/" + id + "/test-run", "{}"));
      assertThat(run.path("failed").asInt()).as(run.toString()).isZero();
      assertThat(run.path("passed").asInt()).isPositive();
    }
  }

  @Test
  void aPreviewThatFailsSaysWhy() {
    assertThat(api.post("/notification-templates/preview", "{}").status()).isEqualTo(400);
    assertThat(api.post("/notification-templates/preview", "{\"template\": \"none\"}").status())
        .isEqualTo(404);
    assertThat(
            api.post(
                    "/notification-templates/preview",
                    draft().put("alert", UUID.randomUUID().toString()).toString())
                .status())
        .isEqualTo(404);
    Answer bad =
        api.post(
            "/notification-templates/preview",
            JSON.createObjectNode().put("document", TEMPLATE.replace("json", "jsn")).toString());
    assertThat(bad.status()).isEqualTo(400);
    assertThat(bad.json().path("errors").path(0).path("field").asString())
        .startsWith("document.render");
    // A given context that lacks what a filter needs is an error of the rendering, not of the
    // request.
    ObjectNode request = draft();
    request
        .putObject("context")
        .put("event", "UPDATE")
        .putObject("alert")
        .put("criticality", "WARNING");
    JsonNode shown = preview(request);
    assertThat(shown.path("event").asString()).isEqualTo("UPDATE");
    assertThat(server.anonymous().post("/notification-templates/preview", "{}").status())
        .isEqualTo(401);
  }

  // ------------------------------------------------------------------------------- silences

  @Test
  void anAlertSaysWhichSilenceCoversItAndListsAreFilteredByThat() {
    UUID db = AlertRow.of(UUID.randomUUID(), VM).severity(4).insert(data);
    UUID lab =
        AlertRow.of(UUID.randomUUID(), SampleData.uuid("VirtualMachine", "lab-1")).insert(data);
    assertThat(ok(api.get("/alerts/" + db)).has("silence")).isFalse();
    String soon = Instant.now().plusSeconds(600).truncatedTo(ChronoUnit.SECONDS).toString();
    String later = Instant.now().plusSeconds(7200).truncatedTo(ChronoUnit.SECONDS).toString();
    List<String> made = new ArrayList<>();
    for (String body :
        List.of(
            """
            {"comment": "one alert", "alerts": ["%s"], "to": "%s"}
            """
                .formatted(db, soon),
            """
            {"comment": "disk swap", "when": "alert.criticality == 'CRITICAL'", "to": "%s"}
            """
                .formatted(later),
            """
            {"comment": "elsewhere", "to": "%s",
             "matchers": [{"path": "object.name", "operator": "equals", "value": "web-9"}]}
            """
                .formatted(later))) {
      made.add(ok(operator.post("/silences", body)).path("id").asString());
    }
    try {
      JsonNode silence = ok(api.get("/alerts/" + db)).path("silence");
      assertThat(silence.path("id").asString()).isEqualTo(made.get(1));
      assertThat(Instant.parse(silence.path("until").asString())).isEqualTo(later);
      assertThat(silence.path("by").asString()).isEqualTo("operator");
      assertThat(silence.path("comment").asString()).isEqualTo("disk swap");

      JsonNode all = ok(api.get("/alerts")).path("items");
      assertThat(all).hasSize(2);
      all.forEach(
          one ->
              assertThat(one.has("silence"))
                  .isEqualTo(one.path("id").asString().equals(db.toString())));
      assertThat(texts(ok(api.get("/alerts?silenced=true")).path("items"), "id"))
          .containsExactly(db.toString());
      assertThat(texts(ok(api.get("/alerts?silenced=false")).path("items"), "id"))
          .containsExactly(lab.toString());
      assertThat(ok(api.get("/alerts/counts?by=severity&silenced=true")).path("total").asInt())
          .isEqualTo(1);
    } finally {
      made.forEach(id -> operator.post("/silences/" + id + "/expire", "{}"));
    }
    assertThat(ok(api.get("/alerts?silenced=true")).path("items")).isEmpty();
    assertThat(ok(api.get("/alerts?silenced=false")).path("items")).hasSize(2);
  }

  private static String covered(String silence) {
    JsonNode shown = ok(api.post("/silences/preview", "{" + silence.replace('\'', '"') + "}"));
    assertThat(shown.path("open").asInt()).isEqualTo(4);
    assertThat(shown.path("truncated").asBoolean()).isFalse();
    List<String> objects = new ArrayList<>();
    shown.path("alerts").forEach(alert -> objects.add(alert.path("objectName").asString("none")));
    return shown.path("covered").asInt() + " " + String.join(" ", objects);
  }

  @Test
  void aPreviewOfASilenceCountsItsAlertsForEveryKindOfCondition() {
    UUID lab = SampleData.uuid("VirtualMachine", "lab-1");
    UUID bad = AlertRow.of(UUID.randomUUID(), VM).severity(4).insert(data);
    AlertRow.of(UUID.randomUUID(), lab).severity(2).insert(data);
    AlertRow.of(UUID.randomUUID(), lab).severity(1).insert(data);
    AlertRow.of(UUID.randomUUID(), lab).severity(4).canceled(Instant.now()).insert(data);
    data.sql(
        """
        insert into foreign_alert (id, source, key, open, context, digest, opened_at, updated_at)
        values (gen_random_uuid(), 'notices', 'lag', true, '{"event": "NEW", "source": "notices",
          "alert": {"id": "x", "name": "Lag", "criticality": "IMMEDIATE"}, "object": null}', '', now(), now())
        """);
    try {
      assertThat(covered("'when': 'true'")).isEqualTo("4 db-1 none lab-1 lab-1");
      assertThat(covered("'when': 'true', 'limit': 1")).isEqualTo("4 db-1");
      JsonNode notice =
          ok(api.post("/silences/preview", "{\"when\": \"source == 'notices'\"}"))
              .path("alerts")
              .get(0);
      assertThat(notice.path("name").asString()).isEqualTo("Lag");
      assertThat(notice.path("number").isNull()).as("a notice has no number").isTrue();
      assertThat(covered("'scope': {'tags': ['env=lab']}")).isEqualTo("2 lab-1 lab-1");
      assertThat(
              covered(
                  "'scope': {'tags': ['env=lab']}, 'when': 'alert.criticality == \\\"WARNING\\\"'"))
          .isEqualTo("1 lab-1");
      assertThat(
              covered(
                  "'when': 'object.tags[\\\"env\\\"] == \\\"lab\\\" || source == \\\"notices\\\"'"))
          .isEqualTo("3 none lab-1 lab-1");
      assertThat(
              covered(
                  "'matchers': [{'path': 'object.tags.env', 'operator': 'matches', 'value': 'l.b'}]"))
          .isEqualTo("2 lab-1 lab-1");
      assertThat(covered("'alerts': ['%s', '%s']".formatted(bad, UUID.randomUUID())))
          .isEqualTo("1 db-1");
      assertThat(covered("'alerts': ['%s'], 'scope': {'objects': ['%s']}".formatted(bad, lab)))
          .isEqualTo("0 ");
      Answer endless =
          operator.post(
              "/silences/preview",
              "{\"matchers\": [{\"path\": \"object.name\", \"operator\": \"matches\","
                  + " \"value\": \"((a{0,1000}){0,1000}){0,1000}\"}]}");
      assertThat(endless.status()).as("a pattern that would fill the memory").isEqualTo(400);
      assertThat(endless.json().path("errors").path(0).path("reason").asString())
          .contains("repeats too much");
      Answer nothing = operator.post("/silences/preview", "{}");
      assertThat(nothing.status()).isEqualTo(400);
      assertThat(nothing.json().path("errors").path(0).path("field").asString())
          .isEqualTo("matchers");
      assertThat(operator.post("/silences/preview", "{\"when\": \"alert.\"}").status())
          .isEqualTo(400);
    } finally {
      data.sql("delete from foreign_alert");
    }
  }

  // ------------------------------------------------------------------------------- simulations

  private static void history(UUID alert, Instant at, String event, int severity) {
    data.jdbc()
        .sql(
            "insert into alert_history (alert_id, at, event, severity) values (:id, :at, :event,"
                + " :severity)")
        .param("id", alert)
        .param("at", SampleData.time(at))
        .param("event", event)
        .param("severity", severity)
        .update();
  }

  private static JsonNode simulate(String rule) {
    return ok(
        api.post(
            "/notification-rules/simulate",
            "{\"from\": \"2026-11-01T00:00:00Z\", \"to\": \"2026-11-08T00:00:00Z\", \"rule\":"
                + " {\"name\": \"r\", \"template\": \"generic-json\", \"targets\":"
                + " [\"6b0f1b60-7c1e-4c52-8f0e-1d3a4f6f9a01\"]"
                + rule.replace('\'', '"')
                + "}}"));
  }

  private static List<String> outcomes(JsonNode simulation) {
    List<String> outcomes = new ArrayList<>();
    simulation
        .path("traces")
        .forEach(
            trace ->
                outcomes.add(
                    trace.path("object").asString()
                        + " "
                        + trace.path("change").asString()
                        + " "
                        + trace.path("outcome").asString()));
    return outcomes;
  }

  /** On Monday one of db-1 that lasts an hour and gets worse, on Tuesday one of lab-1 for 30 s. */
  private static void aWeek() {
    Instant monday = Instant.parse("2026-11-02T10:00:00Z");
    UUID long1 =
        AlertRow.of(UUID.randomUUID(), VM)
            .severity(2)
            .opened(monday)
            .canceled(monday.plusSeconds(3600))
            .insert(data);
    history(long1, monday.plusSeconds(600), "severity", 4);
    history(long1, monday.plusSeconds(3600), "canceled", 4);
    Instant tuesday = Instant.parse("2026-11-03T23:30:00Z");
    UUID short1 =
        AlertRow.of(UUID.randomUUID(), SampleData.uuid("VirtualMachine", "lab-1"))
            .severity(2)
            .opened(tuesday)
            .canceled(tuesday.plusSeconds(30))
            .insert(data);
    history(short1, tuesday.plusSeconds(30), "canceled", 2);
  }

  @Test
  void aRuleIsSimulatedOnThePast() {
    aWeek();
    JsonNode all = simulate("");
    assertThat(all.path("sentence").asString()).isEqualTo("5 sent, 0 held, 0 not matched.");
    assertThat(all.path("alerts").asInt()).isEqualTo(2);

    JsonNode delayed = simulate(", 'delay': '1m'");
    assertThat(outcomes(delayed))
        .containsExactly(
            "db-1 canceled sent",
            "db-1 severity sent",
            "db-1 opened sent",
            "lab-1 canceled held",
            "lab-1 opened held");
    assertThat(texts(delayed.path("traces"), "reason").get(4)).contains("the rule waits 1m");

    JsonNode again = simulate(", 'resend': {'every': '20m', 'max': 5}");
    assertThat(again.path("sentence").asString())
        .isEqualTo("7 sent, 0 held, 0 not matched. 2 of those sent are repetitions.");
    JsonNode together = simulate(", 'group': {'by': [], 'wait': '1m', 'interval': '5m'}");
    assertThat(together.path("sentence").asString())
        .isEqualTo("3 sent, 2 held, 0 not matched. 3 of those sent are about groups of alerts.");

    JsonNode conditional =
        simulate(
            ", 'when': 'object.tags[\\\"env\\\"] != \\\"lab\\\" || !(\\\"env\\\" in object.tags)'");
    assertThat(conditional.path("notMatched").asInt()).isEqualTo(2);
    assertThat(conditional.path("sent").asInt()).isEqualTo(3);
    JsonNode scoped = simulate(", 'scope': {'tags': ['env=lab']}");
    assertThat(outcomes(scoped)).startsWith("lab-1 canceled sent", "lab-1 opened sent");
    assertThat(scoped.path("notMatched").asInt()).isEqualTo(3);
    assertThat(scoped.path("traces").path(4).path("checks").toString())
        .contains("not in the rule's scope");

    // What only matches when it has become worse is told then, and that it is over.
    assertThat(outcomes(simulate(", 'severities': {'atLeast': 'critical'}")))
        .containsExactly(
            "db-1 canceled sent",
            "db-1 severity sent",
            "lab-1 canceled not-matched",
            "lab-1 opened not-matched",
            "db-1 opened not-matched");

    JsonNode nights =
        simulate(
            ", 'windows': {'mute': [{'days': ['mon', 'tue', 'wed', 'thu', 'fri'], 'from': '22:00',"
                + " 'to': '06:00', 'zone': 'UTC'}]}");
    assertThat(nights.path("held").asInt()).isEqualTo(2);
  }

  @Test
  void aSimulationHasItsLimits() {
    String body = "{\"from\": \"2026-11-01T00:00:00Z\", \"to\": \"%s\"%s}";
    assertThat(
            api.post("/notification-rules/simulate", body.formatted("2026-11-02T00:00:00Z", ""))
                .status())
        .isEqualTo(400);
    String id = ", \"id\": \"" + UUID.randomUUID() + "\"";
    assertThat(
            api.post("/notification-rules/simulate", body.formatted("2026-11-02T00:00:00Z", id))
                .status())
        .isEqualTo(404);
    assertThat(
            api.post("/notification-rules/simulate", body.formatted("2026-12-24T00:00:00Z", id))
                .status())
        .isEqualTo(400);
    assertThat(
            api.post("/notification-rules/simulate", body.formatted("2026-11-01T00:00:00Z", id))
                .status())
        .isEqualTo(400);
  }

  // ------------------------------------------------------------------------------- tests

  private static String target(String path) {
    return ok(api.post(
            "/notification-targets",
            "{\"name\": \"Chat %s\", \"type\": \"webhook\", \"webhook\": {\"url\": \"http://127.0.0.1:%d%s\"}}"
                .formatted(path, receiver.getAddress().getPort(), path)))
        .path("id")
        .asString();
  }

  @Test
  void aTestMessageIsSentOnceAndItsExchangeShown() {
    ok(api.post("/notification-templates", draft().toString()));
    assertThat(api.put("/secrets/chat-key", "{\"value\": \"topsecret\"}").status()).isEqualTo(204);
    String path = "/notification-targets/" + target("") + "/test";
    JsonNode exchange = ok(api.post(path, "{\"template\": \"chat\", \"event\": \"CANCEL\"}"));
    assertThat(exchange.path("verdict").asString()).as(exchange.toString()).isEqualTo("delivered");
    assertThat(exchange.path("answer").path("status").asInt()).isEqualTo(202);
    assertThat(exchange.path("answer").path("body").asString()).isEqualTo("taken");
    assertThat(exchange.path("sent").path("request").asString())
        .startsWith("POST http://127.0.0.1");
    assertThat(exchange.toString()).doesNotContain("topsecret");
    assertThat(RECEIVED).hasSize(1);
    assertThat(RECEIVED.getFirst()).startsWith("POST /in ").contains("\"key\":\"topsecret\"");

    // Where a secret goes is for administrators to say.
    assertThat(operator.post(path, "{\"template\": \"chat\"}").status()).isEqualTo(403);
    JsonNode plain = ok(operator.post(path, "{}"));
    assertThat(plain.path("verdict").asString()).isEqualTo("delivered");
    assertThat(api.post(path, "{\"template\": \"email\"}").status()).isEqualTo(400);
    assertThat(api.post("/notification-targets/" + UUID.randomUUID() + "/test", "{}").status())
        .isEqualTo(404);
  }

  @Test
  void aReceiverThatRefusesIsNoErrorOfTheRequest() {
    JsonNode refused = ok(api.post("/notification-targets/" + target("/no") + "/test", "{}"));
    assertThat(refused.path("verdict").asString()).isEqualTo("refused");
    assertThat(refused.path("answer").path("status").asInt()).isEqualTo(400);
    String elsewhere =
        ok(api.post(
                "/notification-targets",
                "{\"name\": \"Inside\", \"type\": \"webhook\", \"webhook\": {\"url\":"
                    + " \"https://10.1.2.3/\"}}"))
            .path("id")
            .asString();
    JsonNode guarded = ok(api.post("/notification-targets/" + elsewhere + "/test", "{}"));
    assertThat(guarded.path("answer").isNull()).isTrue();
    assertThat(guarded.path("verdict").asString()).isIn("refused", "retry");
    assertThat(guarded.path("reason").asString()).contains("10.1.2.3");
  }
}
