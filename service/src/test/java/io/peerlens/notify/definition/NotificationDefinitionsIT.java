package io.peerlens.notify.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Templates, rules, targets, silences, lookup tables and secrets by the API. */
class NotificationDefinitionsIT {

  private static final String TEMPLATE =
      """
      apiVersion: alert-templates/v1
      id: chat            # as rules call it
      version: 1.0.0
      description: One line for a chat.
      modify:
        - set: { field: line, value: '${alert.criticality}: ${alert.name} on ${object.name}' }
      render:
        format: json
        body: { text: '${line}', event: '${event}' }
      """;

  /** Single quotes are double ones. */
  private static final String WEBHOOK =
      "'type': 'webhook', 'webhook': {'url': 'https://chat.example.org/in'}";

  private static PeerlensServer server;
  private static ApiClient api;
  private static ApiClient operator;
  private static ApiClient viewer;
  private static JdbcClient jdbc;

  @BeforeAll
  static void start() {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) 7);
    server =
        PeerlensServer.start(
            TestDatabase.migrated(),
            Set.of(Role.API),
            "peerlens.secrets.key=" + Base64.getEncoder().encodeToString(key));
    api = server.admin();
    operator = client("operator");
    viewer = client("viewer");
    jdbc = server.context().getBean(JdbcClient.class);
  }

  private static ApiClient client(String role) {
    Answer token = api.post("/tokens", json("'name': '" + role + "', 'role': '" + role + "'"));
    assertThat(token.status()).as(token.body()).isEqualTo(201);
    return new ApiClient(server.url(), token.json().path("secret").asString());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void empty() {
    for (String table :
        List.of(
            "notification_rule",
            "notification_template",
            "notification_target",
            "silence",
            "lookup_table")) {
      jdbc.sql("delete from " + table).update();
      jdbc.sql("delete from " + table + "_history").update();
    }
    jdbc.sql("delete from secret").update();
    jdbc.sql("delete from object_group").update();
  }

  private static String json(String text) {
    return "{" + text.replace('\'', '"') + "}";
  }

  private static String document(String yaml) {
    return "{\"document\": " + quoted(yaml) + "}";
  }

  private static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
  }

  private static Answer ok(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isIn(200, 201);
    return answer;
  }

  private static String problem(Answer answer, int status) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    JsonNode problem = answer.json();
    return problem.path("errors").path(0).path("field").asString("")
        + "|"
        + problem.path("detail").asString()
        + "|"
        + problem.path("hint").asString("");
  }

  private static String id(Answer answer) {
    return ok(answer).json().path("id").asString();
  }

  private static List<String> ids(Answer answer) {
    List<String> ids = new ArrayList<>();
    ok(answer).json().path("items").forEach(item -> ids.add(item.path("id").asString()));
    return ids;
  }

  private static String target(String name) {
    return id(api.post("/notification-targets", json("'name': '" + name + "', " + WEBHOOK)));
  }

  private static String rule(String more, String... targets) {
    return json(
        "'name': 'Storage', 'template': 'chat', 'targets': [%s]%s"
            .formatted(
                String.join(", ", Arrays.stream(targets).map(one -> "'" + one + "'").toList()),
                more.isEmpty() ? "" : ", " + more));
  }

  private static Answer csv(ApiClient client, String name, String csv) {
    return client.sendFile(
        "PUT", "/lookups/" + name, "text/csv", csv.getBytes(StandardCharsets.UTF_8));
  }

  private static long number(String table) {
    return jdbc.sql("select version from " + table).query(Long.class).single();
  }

  // ------------------------------------------------------------------------------- templates

  @Test
  void aTemplateIsStoredChangedDeletedAndRestored() {
    Answer created = api.post("/notification-templates", document(TEMPLATE));
    assertThat(ok(created).status()).isEqualTo(201);
    assertThat(created.header("Location")).isEqualTo("/api/v1/notification-templates/chat");
    assertThat(created.header("ETag")).isEqualTo("\"1\"");
    JsonNode template = created.json();
    assertThat(template.path("targetType").asString()).isEqualTo("webhook");
    assertThat(template.path("yaml").asString()).contains("# as rules call it");
    assertThat(template.path("words").size()).isEqualTo(1);
    // The order of members is that of the message.
    assertThat(template.path("document").path("render").path("body").propertyNames())
        .containsExactly("text", "event");

    String path = "/notification-templates/chat";
    String changed = document(TEMPLATE.replace("1.0.0", "1.1.0"));
    assertThat(problem(api.put(path, changed), 428)).contains("ETag");
    Answer put = api.with("If-Match", "\"1\"").put(path, changed);
    assertThat(ok(put).header("ETag")).isEqualTo("\"2\"");
    assertThat(put.json().path("hash")).isNotEqualTo(template.path("hash"));
    assertThat(problem(api.with("If-Match", "\"1\"").put(path, changed), 412)).contains("admin");
    assertThat(api.get(path).body()).isEqualTo(put.body());

    assertThat(api.with("If-Match", "\"2\"").delete(path).status()).isEqualTo(204);
    assertThat(problem(api.get(path), 404)).contains("chat");
    JsonNode history = ok(api.get(path + "/history")).json();
    assertThat(history.path("total").asInt()).isEqualTo(3);
    JsonNode change = history.path("items").path(1).path("changes").path(0);
    assertThat(change.path("field").asString()).isEqualTo("document.version");
    assertThat(change.path("before").asString()).isEqualTo("1.0.0");
    assertThat(ok(api.post(path + "/history/1/restore", "{}")).json().path("hash"))
        .isEqualTo(template.path("hash"));
  }

  @Test
  void mistakesInATemplateAreNamedWithTheirPlaces() {
    assertThat(
            problem(
                api.post(
                    "/notification-templates",
                    document(TEMPLATE.replace("1.0.0", "one").replace("json", "jsn"))),
                400))
        .startsWith("document.");
    assertThat(problem(api.post("/notification-templates", json("'document': 7")), 400))
        .startsWith("document|");
    assertThat(problem(api.post("/notification-templates", document("id: [")), 400))
        .contains("YAML");
    ok(api.post("/notification-templates", document(TEMPLATE)));
    assertThat(problem(api.post("/notification-templates", document(TEMPLATE)), 409))
        .contains("chat");
    assertThat(
            problem(
                api.with("If-Match", "\"1\"")
                    .put(
                        "/notification-templates/chat",
                        document(TEMPLATE.replace("id: chat ", "id: talk "))),
                400))
        .startsWith("document.id");
  }

  @Test
  void examplesAreRunBeforeATemplateIsStored() {
    String body =
        document(TEMPLATE).replaceFirst("}$", "")
            + ", \"examples\": [{\"name\": \"new\", \"context\": {\"alert\": {\"name\": \"Disk"
            + " full\", \"criticality\": \"CRITICAL\"}, \"object\": {\"name\": \"db-1\"}},"
            + " \"expect\": {\"body\": {\"text\": \"%s\", \"event\": \"NEW\"}}}]}";
    assertThat(problem(api.post("/notification-templates", body.formatted("CRITICAL: else")), 400))
        .startsWith("examples[0]")
        .contains("Disk full");
    ok(api.post("/notification-templates", body.formatted("CRITICAL: Disk full on db-1")));
    JsonNode run = ok(api.post("/notification-templates/chat/test-run", "{}")).json();
    assertThat(run.path("passed").asInt()).isEqualTo(1);
    assertThat(run.path("failed").asInt()).isZero();
  }

  @Test
  void builtInTemplatesAreListedClonedAndReplacedByOnesOwn() {
    List<String> builtIn = ids(api.get("/notification-templates?builtIn=true"));
    assertThat(builtIn).contains("generic-json");
    String path = "/notification-templates/generic-json";
    JsonNode original = ok(api.get(path)).json();
    assertThat(original.path("builtIn").asBoolean()).isTrue();
    assertThat(original.path("version").asLong()).isZero();
    assertThat(problem(api.with("If-Match", "\"0\"").delete(path), 409)).contains("Clone it");

    JsonNode copy =
        ok(api.post(path + "/clone", json("'id': 'my-json', 'description': 'Ours.'"))).json();
    assertThat(copy.path("id").asString()).isEqualTo("my-json");
    assertThat(copy.path("description").asString()).isEqualTo("Ours.");
    assertThat(copy.path("document").path("render"))
        .isEqualTo(original.path("document").path("render"));
    assertThat(problem(api.post(path + "/clone", json("'id': 'my-json'")), 409))
        .contains("my-json");

    String own = TEMPLATE.replace("id: chat ", "id: generic-json ");
    JsonNode replaced = ok(api.put(path, document(own))).json();
    assertThat(replaced.path("overrides").asBoolean()).isTrue();
    assertThat(replaced.path("version").asLong()).isEqualTo(1);
    assertThat(ids(api.get("/notification-templates")))
        .contains("generic-json")
        .doesNotHaveDuplicates();
    assertThat(api.with("If-Match", "\"1\"").delete(path).status()).isEqualTo(204);
    assertThat(ok(api.get(path)).json()).isEqualTo(original);
  }

  @Test
  void pagesOfTemplatesContinueWhereTheLastOneEnded() {
    ok(api.post("/notification-templates", document(TEMPLATE)));
    List<String> all = ids(api.get("/notification-templates?limit=1000"));
    List<String> paged = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = ok(api.get("/notification-templates?limit=1" + cursor)).json();
      paged.add(page.path("items").path(0).path("id").asString());
      cursor =
          page.path("nextCursor").isNull() ? "" : "&cursor=" + page.path("nextCursor").asString();
    } while (!cursor.isEmpty());
    assertThat(paged).isEqualTo(all);
  }

  @Test
  void payloadTemplatesOfVropsAreImported() {
    byte[] file =
        json("'name': 'Ops chat', 'pluginTypeId': 'WebhookPlugin', 'templateType': 'ALERT',"
                + " 'formattingTemplate': {'type': 'WEBHOOK_TEMPLATE', 'newAlertTemplate':"
                + " {'endpoint': '/hook', 'method': 'POST', 'headers': [{'key': 'Content-Type',"
                + " 'value': 'application/json'}], 'payload': '{\\\"text\\\":"
                + " \\\"${ALERT_CRITICALITY} ${RESOURCE_NAME}\\\"}'}}")
            .getBytes(StandardCharsets.UTF_8);
    String path = "/notification-templates/import-vrops";
    JsonNode dry = ok(api.upload(path + "?dryRun=true", "application/json", file)).json();
    assertThat(dry.path("created").asInt()).isEqualTo(1);
    String id = dry.path("items").path(0).path("id").asString();
    assertThat(api.get("/notification-templates/" + id).status()).isEqualTo(404);
    ok(operator.upload(path, "application/json", file));
    JsonNode shown =
        ok(api.post("/notification-templates/preview", json("'template': '" + id + "'"))).json();
    assertThat(shown.path("message").path("path").asString()).isEqualTo("/hook");
    assertThat(shown.path("message").path("body").asString())
        .contains(shown.path("before").path("object").path("name").asString());
    JsonNode again = ok(api.upload(path, "application/json", file)).json();
    assertThat(again.path("items").path(0).path("state").asString()).isEqualTo("same");
    assertThat(
            problem(
                api.upload(path, "application/json", "{}".getBytes(StandardCharsets.UTF_8)), 400))
        .contains("payload template");
    assertThat(viewer.upload(path, "application/json", file).status()).isEqualTo(403);
  }

  // ------------------------------------------------------------------------------- targets

  @Test
  void aTargetIsStoredChangedDeletedAndRestored() {
    Answer created =
        ok(
            api.post(
                "/notification-targets",
                json(
                    "'name': 'Chat', "
                        + WEBHOOK
                        + ", 'limits': {'perMinute': 30}, 'heartbeat': '1h'")));
    String path = "/notification-targets/" + id(created);
    assertThat(created.json().path("webhook").path("timeout").asString()).isEqualTo("15s");
    assertThat(created.json().path("heartbeat").asString()).isEqualTo("1h");
    String changed = json("'name': 'Chat', 'enabled': false, " + WEBHOOK);
    assertThat(api.put(path, changed).status()).isEqualTo(428);
    assertThat(
            ok(api.with("If-Match", "\"1\"").put(path, changed)).json().path("enabled").asBoolean())
        .isFalse();
    assertThat(problem(api.with("If-Match", "\"1\"").put(path, changed), 412))
        .contains("changed by");
    assertThat(api.with("If-Match", "\"2\"").delete(path).status()).isEqualTo(204);
    assertThat(api.get(path).status()).isEqualTo(404);
    JsonNode history = ok(api.get(path + "/history")).json();
    assertThat(history.path("items").path(1).path("changes").toString()).contains("enabled");
    assertThat(ok(api.post(path + "/history/1/restore", "{}")).json().path("enabled").asBoolean())
        .isTrue();
    assertThat(problem(api.post("/notification-targets", json("'name': 'Chat', " + WEBHOOK)), 409))
        .startsWith("name");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "'webhook': {'url': 'ftp://x.example.org/'}; webhook.url",
        "'webhook': {'url': 'https://u:p@x.example.org/'}; webhook.url",
        "'webhook': {'url': 'https://x.example.org/', 'auth': {'type': 'bearer'}};"
            + " webhook.auth.token",
        "'webhook': {'url': 'https://x.example.org/', 'headers': [{'name': 'Host', 'value': 'y'}]};"
            + " webhook.headers[0].name",
        "'webhook': {'url': 'https://x.example.org/', 'headers': [{'name': 'X-A', 'value': 'a\\n"
            + "b'}]}; webhook.headers[0].value",
        "'webhook': {'url': 'https://x.example.org/', 'auth': {'type': 'bearer', 'token':"
            + " {'secret': 'a', 'value': 'bbbb'}}}; webhook.auth.token",
        "'webhook': {'url': 'https://x.example.org/', 'auth': {'type': 'bearer', 'token': {}}};"
            + " webhook.auth.token",
        "'email': {'host': 'x', 'from': 'a@b.c', 'to': ['d@e.f']}; email",
        "'heartbeat': '5s', 'webhook': {'url': 'https://x.example.org/'}; heartbeat"
      })
  void errorsInATargetAreNamed(String settings, String field) {
    // CSV strips the quotes of the first value only where it begins with one.
    String body =
        "{\"name\": \"Bad\", \"type\": \"webhook\", %s}".formatted(settings.replace('\'', '"'));
    assertThat(problem(api.post("/notification-targets", body), 400)).startsWith(field + "|");
  }

  @Test
  void secretsOfATargetGoToTheStoreAndNeverComeBack() {
    Answer created =
        ok(
            api.post(
                "/notification-targets",
                json(
                    "'name': 'Slack', 'type': 'webhook', 'webhook': {'url':"
                        + " 'https://hooks.slack.com/services/T000/B000/XXXXsecretXXXX', 'auth':"
                        + " {'type': 'bearer', 'token': {'value': 'topsecret-1'}}, 'headers':"
                        + " [{'name': 'X-Api-Key', 'value': 'topsecret-2'}, {'name': 'X-Team',"
                        + " 'value': 'ops'}]}")));
    assertThat(created.body()).doesNotContain("topsecret", "XXXXsecretXXXX");
    JsonNode webhook = created.json().path("webhook");
    assertThat(webhook.path("url").asString())
        .startsWith("https://hooks.slack.com/services/${secret:target-");
    assertThat(webhook.path("headers").path(1).path("value").asString()).isEqualTo("ops");
    assertThat(created.json().path("secrets").size()).isEqualTo(3);
    assertThat(created.json().path("issues").size()).isZero();
    String stored =
        jdbc.sql(
                "select definition::text from notification_target_history union all select"
                    + " encode(sealed, 'escape') from secret")
            .query(String.class)
            .list()
            .toString();
    assertThat(stored).doesNotContain("topsecret", "XXXXsecretXXXX");
    assertThat(ok(api.get("/rules/export")).body()).doesNotContain("topsecret", "XXXXsecretXXXX");

    // What was answered can be sent again, and a change that is refused leaves the secret alone.
    String path = "/notification-targets/" + id(created);
    String same =
        json(
            "'name': 'Slack', 'type': 'webhook', 'webhook': "
                + webhook.toString().replace('"', '\''));
    ok(api.with("If-Match", "\"1\"").put(path, same));
    List<String> before = sealed();
    assertThat(
            api.with("If-Match", "\"1\"")
                .put(
                    path,
                    same.replaceFirst(
                        "\\{\"secret\":\"[^\"]*token\"}", "{\"value\":\"topsecret-3\"}"))
                .status())
        .isEqualTo(412);
    assertThat(sealed()).isEqualTo(before);
    ok(
        api.with("If-Match", "\"2\"")
            .put(
                path,
                same.replaceFirst(
                    "\\{\"secret\":\"[^\"]*token\"}", "{\"value\":\"topsecret-3\"}")));
    assertThat(sealed()).isNotEqualTo(before).hasSize(3);

    String name = created.json().path("secrets").path(0).asString();
    assertThat(problem(api.delete("/secrets/" + name), 409)).contains("Slack");
    JsonNode listed = ok(api.get("/secrets")).json().path("items").path(0);
    assertThat(listed.path("usedBy").path(0).asString()).contains("Slack");
  }

  private static List<String> sealed() {
    return jdbc.sql("select name || encode(sealed, 'hex') from secret order by 1")
        .query(String.class)
        .list();
  }

  @Test
  void mailAndSnmpTargetsAreStored() {
    JsonNode mail =
        ok(api.post(
                "/notification-targets",
                json(
                    "'name': 'Mail', 'type': 'email', 'email': {'host': 'mail.example.org', 'from':"
                        + " 'peerlens@example.org', 'to': ['ops@example.org'], 'username': 'u',"
                        + " 'password': {'secret': 'mail-password'}}")))
            .json();
    assertThat(mail.path("issues").path(0).path("message").asString()).contains("mail-password");
    ok(
        api.post(
            "/notification-targets",
            json(
                "'name': 'Traps', 'type': 'snmp', 'snmp': {'host': '10.1.1.1', 'version': 'v2c',"
                    + " 'community': {'value': 'public-1'}}")));
    assertThat(ids(api.get("/notification-targets?type=snmp"))).hasSize(1);
    assertThat(ids(api.get("/notification-targets?q=mail"))).hasSize(1);
  }

  // ------------------------------------------------------------------------------- rules

  @Test
  void aRuleIsStoredChangedDeletedAndRestored() {
    ok(api.post("/notification-templates", document(TEMPLATE)));
    String chat = target("Chat");
    Answer created =
        ok(
            operator.post(
                "/notification-rules",
                rule(
                    "'severities': {'atLeast': 'warning'}, 'when': 'object.tags.env !="
                        + " \\\"lab\\\"', 'windows': {'mute': [{'days': ['sat', 'sun'], 'from':"
                        + " '22:00', 'to': '06:00', 'zone': 'Europe/Berlin'}]}, 'delay': '2m',"
                        + " 'resend': {'every': '4h', 'max': 3}, 'group': {'by':"
                        + " ['object.ancestors.ClusterComputeResource.name']}",
                    chat)));
    String path = "/notification-rules/" + id(created);
    JsonNode made = created.json();
    assertThat(made.path("order").asInt()).isEqualTo(100);
    assertThat(made.path("continue").asBoolean()).isTrue();
    assertThat(made.path("targetRefs").path(0).path("name").asString()).isEqualTo("Chat");
    assertThat(made.path("changes").toString()).isEqualTo("[\"severity\",\"resend\",\"update\"]");
    assertThat(
            ok(api.get("/notification-templates/chat"))
                .json()
                .path("usedBy")
                .path(0)
                .path("name")
                .asString())
        .isEqualTo("Storage");
    assertThat(ok(api.get("/notification-targets/" + chat)).json().path("usedBy").size())
        .isEqualTo(1);

    assertThat(problem(api.with("If-Match", "\"1\"").delete("/notification-templates/chat"), 409))
        .contains("Storage");
    assertThat(problem(api.with("If-Match", "\"1\"").delete("/notification-targets/" + chat), 409))
        .contains("Storage");

    String changed = rule("'enabled': false", chat);
    assertThat(operator.put(path, changed).status()).isEqualTo(428);
    ok(operator.with("If-Match", "\"1\"").put(path, changed));
    assertThat(operator.with("If-Match", "\"1\"").put(path, changed).status()).isEqualTo(412);
    assertThat(operator.with("If-Match", "\"2\"").delete(path).status()).isEqualTo(204);
    assertThat(api.get(path).status()).isEqualTo(404);
    JsonNode history = ok(api.get(path + "/history")).json();
    assertThat(history.path("items").path(1).path("changes").toString()).contains("delay");
    ok(operator.post(path + "/history/1/restore", "{}"));
    assertThat(problem(operator.post("/notification-rules", rule("", chat)), 409))
        .startsWith("name");
  }

  @Test
  void rulesAreListedInTheirOrder() {
    ok(api.post("/notification-templates", document(TEMPLATE)));
    String chat = target("Chat");
    String last = id(api.post("/notification-rules", rule("'order': 200", chat)));
    String first =
        id(api.post("/notification-rules", rule("'order': 5", chat).replace("Storage", "Zzz")));
    assertThat(ids(api.get("/notification-rules"))).containsExactly(first, last);
    assertThat(ids(api.get("/notification-rules?q=zzz&template=chat&target=" + chat)))
        .containsExactly(first);
    assertThat(ids(api.get("/notification-rules?template=other"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "\"when\": \"object.name ==\"; when; character",
        "\"when\": \"1 + 1\"; when; yes or no",
        "\"severities\": {}; severities; atLeast",
        "\"resend\": {\"every\": \"5s\"}; resend.every; 1m",
        "\"windows\": {\"active\": [{\"days\": [\"mon\"], \"from\": \"08:00\", \"to\": \"17:00\","
            + " \"zone\": \"Mars/Base\"}]}; windows.active[0].zone; Europe/Berlin",
        "\"group\": {\"by\": [\"object..name\"]}; group.by[0]; path",
        "\"vars\": {\"team\": \"x\"}; vars.team; unknown",
        "\"vars\": {\"team\": [1]}; vars.team; text",
        "\"template\": \"none\"; template; no template"
      })
  void errorsInARuleAreNamed(String more, String field, String words) {
    ok(api.post("/notification-templates", document(TEMPLATE)));
    String chat = target("Chat");
    String body =
        "{\"name\": \"Bad\", \"targets\": [\"%s\"], %s%s}"
            .formatted(chat, more.startsWith("\"template") ? "" : "\"template\": \"chat\", ", more);
    assertThat(problem(api.post("/notification-rules", body), 400))
        .startsWith(field + "|")
        .contains(words);
  }

  @Test
  void aRuleNamesTargetsThatExistAndFitItsTemplate() {
    ok(api.post("/notification-templates", document(TEMPLATE)));
    String unknown = UUID.randomUUID().toString();
    assertThat(problem(api.post("/notification-rules", rule("", unknown)), 400))
        .startsWith("targets[0]|")
        .contains(unknown);
    String mail =
        id(
            api.post(
                "/notification-targets",
                json(
                    "'name': 'Mail', 'type': 'email', 'email': {'host': 'mail.example.org', 'from':"
                        + " 'a@example.org', 'to': ['b@example.org']}")));
    assertThat(problem(api.post("/notification-rules", rule("", mail)), 400))
        .startsWith("targets[0]|")
        .contains("webhook");
  }

  @Test
  void typesDoNotChangeWhileARuleNeedsThem() {
    ok(api.post("/notification-templates", document(TEMPLATE)));
    String chat = target("Chat");
    ok(api.post("/notification-rules", rule("", chat)));
    String traps =
        TEMPLATE.substring(0, TEMPLATE.indexOf("render:"))
            + "render: { format: mail, subject: 'x', text: '${line}' }\n";
    assertThat(
            problem(
                api.with("If-Match", "\"1\"").put("/notification-templates/chat", document(traps)),
                409))
        .contains("Storage");
    assertThat(
            problem(
                api.with("If-Match", "\"1\"")
                    .put(
                        "/notification-targets/" + chat,
                        json(
                            "'name': 'Chat', 'type': 'snmp', 'snmp': {'host': '10.1.1.1',"
                                + " 'version': 'v2c', 'community': {'secret': 'c'}}")),
                409))
        .contains("Storage");
  }

  // ------------------------------------------------------------------------------- silences

  @Test
  void aSilenceIsMadeChangedAndEnded() {
    String body =
        "'comment': 'Row 4', 'matchers': [{'path': 'object.tags.row', 'operator': 'equals',"
            + " 'value': '4'}], 'to': '2199-01-01T00:00:00Z'";
    Answer created = ok(operator.post("/silences", json(body)));
    assertThat(created.json().path("state").asString()).isEqualTo("active");
    assertThat(created.json().path("author").asString()).isEqualTo("operator");
    String path = "/silences/" + id(created);
    String later = json(body + ", 'from': '2198-01-01T00:00:00Z'");
    assertThat(operator.put(path, later).status()).isEqualTo(428);
    assertThat(
            ok(operator.with("If-Match", "\"1\"").put(path, later)).json().path("state").asString())
        .isEqualTo("pending");
    assertThat(operator.with("If-Match", "\"1\"").put(path, later).status()).isEqualTo(412);
    assertThat(ids(api.get("/silences?state=pending"))).hasSize(1);
    assertThat(ids(api.get("/silences?state=active&state=expired"))).isEmpty();
    assertThat(ok(operator.post(path + "/expire", "{}")).json().path("state").asString())
        .isEqualTo("expired");
    assertThat(ok(operator.post(path + "/expire", "{}")).header("ETag")).isEqualTo("\"3\"");
    assertThat(ok(api.get(path)).json().path("state").asString()).isEqualTo("expired");
  }

  @Test
  void everyVersionOfASilenceIsKeptAndComesBack() {
    String alert = UUID.randomUUID().toString();
    String body = "'comment': 'Row 4', 'alerts': ['%s'], 'to': '2199-01-01T00:00:00Z'";
    Answer created = ok(operator.post("/silences", json(body.formatted(alert))));
    assertThat(created.json().path("alerts").path(0).asString()).isEqualTo(alert);
    String path = "/silences/" + id(created);
    String changed = json("'comment': 'Row 5', 'when': 'true', 'to': '2199-01-01T00:00:00Z'");
    ok(operator.with("If-Match", "\"1\"").put(path, changed));
    ok(operator.post(path + "/expire", "{}"));

    JsonNode history = ok(viewer.get(path + "/history?limit=2")).json();
    assertThat(history.path("total").asInt()).isEqualTo(3);
    assertThat(fields(history.path("items").path(0))).containsExactly("to");
    assertThat(fields(history.path("items").path(1)))
        .contains("comment", "alerts[0]", "when")
        .doesNotContain("to");
    String next = history.path("nextCursor").asString();
    JsonNode first =
        ok(viewer.get(path + "/history?limit=2&cursor=" + next)).json().path("items").path(0);
    assertThat(first.path("by").asString()).isEqualTo("operator");
    assertThat(first.path("definition").path("comment").asString()).isEqualTo("Row 4");

    String restore = path + "/history/1/restore";
    assertThat(viewer.post(restore, "").status()).isEqualTo(403);
    assertThat(operator.post(restore, "").status()).isEqualTo(428);
    assertThat(operator.with("If-Match", "\"2\"").post(restore, "").status()).isEqualTo(412);
    Answer back = ok(operator.with("If-Match", "\"3\"").post(restore, ""));
    assertThat(back.header("ETag")).isEqualTo("\"4\"");
    assertThat(back.json().path("state").asString()).isEqualTo("active");
    assertThat(back.json().path("alerts").path(0).asString()).isEqualTo(alert);
    assertThat(operator.with("If-Match", "\"4\"").post(path + "/history/9/restore", "").status())
        .isEqualTo(404);
  }

  private static List<String> fields(JsonNode version) {
    List<String> fields = new ArrayList<>();
    version.path("changes").forEach(change -> fields.add(change.path("field").asString()));
    return fields;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "'to': '2199-01-01T00:00:00Z'; matchers",
        "'matchers': [{'path': 'a b', 'operator': 'equals', 'value': '4'}], 'to':"
            + " '2199-01-01T00:00:00Z'; matchers[0].path",
        "'matchers': [{'path': 'a', 'operator': 'matches', 'value': '('}], 'to':"
            + " '2199-01-01T00:00:00Z'; matchers[0].value",
        "'when': 'alert.', 'to': '2199-01-01T00:00:00Z'; when",
        "'when': 'true', 'to': '2001-01-01T00:00:00Z'; to",
        "'when': 'true', 'from': '2199-01-01T00:00:00Z', 'to': '2198-01-01T00:00:00Z'; to"
      })
  void errorsInASilenceAreNamed(String body, String field) {
    assertThat(problem(operator.post("/silences", json(" 'comment': 'x', " + body)), 400))
        .startsWith(field + "|");
  }

  @Test
  void aPageOfSilencesIsNotLostWithTheLastItemOfTheOneBefore() {
    List<String> ids = new ArrayList<>();
    for (int day = 1; day <= 3; day++) {
      String body = "'comment': 'page', 'when': 'true', 'from': '2198-01-0%dT00:00:00Z',";
      ids.add(
          id(
              ok(
                  operator.post(
                      "/silences", json(body.formatted(day) + " 'to': '2199-01-01T00:00:00Z'")))));
    }
    JsonNode first = ok(viewer.get("/silences?state=pending&limit=1")).json();
    assertThat(first.path("items").path(0).path("id").asString()).isEqualTo(ids.get(2));
    ok(operator.post("/silences/" + ids.get(2) + "/expire", "{}"));

    JsonNode second =
        ok(viewer.get(
                "/silences?state=pending&limit=1&cursor=" + first.path("nextCursor").asString()))
            .json();

    assertThat(second.path("items").path(0).path("id").asString()).isEqualTo(ids.get(1));
    ids.subList(0, 2).forEach(id -> ok(operator.post("/silences/" + id + "/expire", "{}")));
  }

  @Test
  void oldSilencesAreDeletedWithTheNextNewOne() {
    String body = "'comment': 'old', 'when': 'true', 'to': '2199-01-01T00:00:00Z'";
    String old = id(operator.post("/silences", json(body)));
    jdbc.sql(
            "update silence set definition = definition || '{\"from\": \"2001-01-01T00:00:00Z\","
                + " \"to\": \"2001-01-02T00:00:00Z\"}'")
        .update();
    assertThat(ids(api.get("/silences"))).containsExactly(old);
    String young = id(operator.post("/silences", json(body)));
    assertThat(ids(api.get("/silences"))).containsExactly(young);
  }

  @Test
  void onlyASilenceThatIsNotOverKeepsTheGroupItIsAbout() {
    String group = id(api.post("/groups", json("'name': 'Row', 'scope': {'tags': ['row=4']}")));
    String matched =
        "'comment': 'as a text', 'matchers': [{'path': 'alert.definitionId', 'operator': 'equals',"
            + " 'value': '%s'}], 'to': '2199-01-01T00:00:00Z'";
    ok(operator.post("/silences", json(matched.formatted(group))));
    String about = "'comment': 'Row 4', 'scope': {'groups': ['%s']}, 'to': '2199-01-01T00:00:00Z'";
    String silence = id(operator.post("/silences", json(about.formatted(group))));
    ApiClient first = api.with("If-Match", "\"1\"");
    assertThat(problem(first.delete("/groups/" + group), 409))
        .contains("The group is used by the silence \"Row 4\".");
    ok(operator.post("/silences/" + silence + "/expire", "{}"));
    assertThat(first.delete("/groups/" + group).status()).isEqualTo(204);
  }

  // ------------------------------------------------------------------------------- lookups

  @Test
  void aLookupTableIsStoredShownReplacedAndDeleted() {
    String runbooks =
        "definition,url\nDisk full,https://wiki/disk\n\"CPU, high\",https://wiki/cpu\n";
    Answer created = csv(operator, "runbooks.csv", runbooks);
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    assertThat(created.json().path("columns").toString()).isEqualTo("[\"definition\",\"url\"]");
    assertThat(created.json().path("rows").asInt()).isEqualTo(2);
    assertThat(created.json().path("firstRows").path(1).path(0).asString()).isEqualTo("CPU, high");
    assertThat(csv(operator, "runbooks.csv", runbooks).status()).isEqualTo(428);
    assertThat(csv(operator.with("If-Match", "\"9\""), "runbooks.csv", runbooks).status())
        .isEqualTo(412);
    assertThat(csv(operator.with("If-Match", "\"1\""), "runbooks.csv", runbooks + "x,y\n").status())
        .isEqualTo(200);
    Answer content = api.get("/lookups/runbooks.csv/content");
    assertThat(content.body()).isEqualTo(runbooks + "x,y\n");
    assertThat(content.header("Content-Type")).startsWith("text/csv");
    assertThat(problem(csv(operator, "bad.csv", "a,b\n1\n"), 400))
        .startsWith("body|")
        .contains("row 2");
    Answer preview =
        api.upload("/lookups/preview", "text/csv", "a\n1\n".getBytes(StandardCharsets.UTF_8));
    assertThat(ok(preview).json().path("rows").asInt()).isEqualTo(1);
    assertThat(
            problem(
                api.upload("/lookups/preview", "text/csv", new byte[] {'a', '\n', (byte) 0xff}),
                400))
        .contains("UTF-8");

    ok(
        api.post(
            "/notification-templates",
            document(
                TEMPLATE.replace(
                    "render:",
                    "  - lookup: { table: runbooks.csv, key: alert.name, set: { runbook: url } }\n"
                        + "render:"))));
    assertThat(
            ok(api.get("/lookups")).json().path("items").path(0).path("usedBy").path(0).asString())
        .isEqualTo("chat");
    assertThat(problem(operator.with("If-Match", "\"2\"").delete("/lookups/runbooks.csv"), 409))
        .contains("chat");
    assertThat(api.with("If-Match", "\"1\"").delete("/notification-templates/chat").status())
        .isEqualTo(204);
    assertThat(operator.with("If-Match", "\"2\"").delete("/lookups/runbooks.csv").status())
        .isEqualTo(204);
    assertThat(api.get("/lookups/runbooks.csv").status()).isEqualTo(404);
  }

  @Test
  void everyVersionOfALookupTableIsKeptAndComesBack() {
    String first = "name,mail\na,a@x\nb,b@x\nc,c@x\nd,d@x\n";
    ok(csv(operator, "owners.csv", first));
    ok(
        csv(
            operator.with("If-Match", "\"1\""),
            "owners.csv",
            first.replace("d@x", "d@y") + "e,e@x\n"));
    JsonNode items = ok(viewer.get("/lookups/owners.csv/history")).json().path("items");
    assertThat(items).hasSize(2);
    assertThat(fields(items.path(0))).containsExactly("rows", "csv");
    assertThat(items.path(0).path("rows").asInt()).isEqualTo(5);
    List<String> lines = new ArrayList<>();
    items
        .path(0)
        .path("changes")
        .path(1)
        .path("lines")
        .forEach(
            line -> lines.add(line.path("kind").asString() + " " + line.path("text").asString()));
    assertThat(lines).containsExactly("same c,c@x", "removed d,d@x", "added d,d@y", "added e,e@x");
    assertThat(fields(items.path(1))).isEmpty();

    assertThat(operator.with("If-Match", "\"2\"").delete("/lookups/owners.csv").status())
        .isEqualTo(204);
    Answer back = ok(operator.post("/lookups/owners.csv/history/1/restore", ""));
    assertThat(back.json().path("rows").asInt()).isEqualTo(4);
    assertThat(ok(api.get("/lookups/owners.csv/content")).body()).isEqualTo(first);
    assertThat(viewer.get("/lookups/none.csv/history").status()).isEqualTo(404);
    assertThat(operator.post("/lookups/none.csv/history/1/restore", "").status()).isEqualTo(404);
  }

  // ------------------------------------------------------------------------------- secrets, roles

  @Test
  void aSecretIsWrittenAndNeverRead() {
    assertThat(api.put("/secrets/pd-key", json("'value': 'topsecret'")).status()).isEqualTo(204);
    Answer listed = ok(viewer.get("/secrets"));
    assertThat(listed.json().path("items").path(0).path("name").asString()).isEqualTo("pd-key");
    assertThat(listed.body()).doesNotContain("topsecret");
    assertThat(ok(api.post("/secrets/rotate-key", "{}")).json().path("rotated").asInt()).isZero();
    assertThat(api.put("/secrets/PD", json("'value': 'topsecret'")).status()).isEqualTo(400);
    assertThat(api.delete("/secrets/pd-key").status()).isEqualTo(204);
    assertThat(api.delete("/secrets/pd-key").status()).isEqualTo(404);
  }

  @Test
  void onlyAnAdministratorDecidesWhereSecretsGo() {
    String secret = document(TEMPLATE.replace("event: '${event}'", "key: '${secret:pd-key}'"));
    assertThat(problem(operator.post("/notification-templates", secret), 403)).contains("pd-key");
    JsonNode stored = ok(api.post("/notification-templates", secret)).json();
    assertThat(stored.path("needs").path("secrets").toString()).isEqualTo("[\"pd-key\"]");
    assertThat(stored.path("issues").path(0).path("message").asString()).contains("pd-key");
    // A template that names it already may be changed, a rule that would send it may not be made.
    ok(
        operator
            .with("If-Match", "\"1\"")
            .put(
                "/notification-templates/chat",
                document(
                    TEMPLATE
                        .replace("event: '${event}'", "key: '${secret:pd-key}'")
                        .replace("1.0.0", "1.0.1"))));
    String chat = target("Chat");
    assertThat(problem(operator.post("/notification-rules", rule("", chat)), 403))
        .contains("pd-key");
    String rule = id(api.post("/notification-rules", rule("", chat)));
    ok(
        operator
            .with("If-Match", "\"1\"")
            .put("/notification-rules/" + rule, rule("'order': 1", chat)));
    // Another target would get the secret, too.
    assertThat(
            problem(
                operator
                    .with("If-Match", "\"2\"")
                    .put("/notification-rules/" + rule, rule("", chat, target("Other"))),
                403))
        .contains("pd-key");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/notification-templates",
        "/notification-rules",
        "/notification-targets",
        "/silences",
        "/lookups",
        "/secrets"
      })
  void withoutASessionNothingIsReadable(String path) {
    assertThat(server.anonymous().get(path).status()).isEqualTo(401);
    assertThat(viewer.get(path).status()).isEqualTo(200);
  }

  @Test
  void changesNeedTheirRoles() {
    assertThat(viewer.post("/notification-templates", document(TEMPLATE)).status()).isEqualTo(403);
    assertThat(
            viewer
                .post(
                    "/silences",
                    json("'comment': 'x', 'when': 'true', 'to': '2199-01-01T00:00:00Z'"))
                .status())
        .isEqualTo(403);
    assertThat(csv(viewer, "a.csv", "a\n1\n").status()).isEqualTo(403);
    assertThat(viewer.post("/notification-rules", rule("", UUID.randomUUID().toString())).status())
        .isEqualTo(403);
    assertThat(operator.post("/notification-targets", json("'name': 'x', " + WEBHOOK)).status())
        .isEqualTo(403);
    assertThat(operator.put("/secrets/a", json("'value': 'bbbb'")).status()).isEqualTo(403);
    assertThat(operator.post("/secrets/rotate-key", "{}").status()).isEqualTo(403);
  }

  // ------------------------------------------------------------------------------- files, numbers

  @Test
  void anExportImportsUnchangedElsewhere() {
    csv(api, "runbooks.csv", "a,b\n1,2\n");
    ok(api.post("/notification-templates", document(TEMPLATE)));
    String chat = target("Chat");
    String group = id(api.post("/groups", json("'name': 'Web', 'scope': {'tags': ['tier=web']}")));
    ok(api.post("/notification-rules", rule("'scope': {'groups': ['" + group + "']}", chat)));
    ok(api.post("/silences", json("'comment': 'x', 'when': 'true', 'to': '2199-01-01T00:00:00Z'")));
    assertThat(problem(api.with("If-Match", "\"1\"").delete("/groups/" + group), 409))
        .contains("Storage");
    Answer exported = ok(api.get("/rules/export"));
    JsonNode rules = exported.json().path("notificationRules");
    assertThat(rules.size()).isEqualTo(1);
    assertThat(
            exported
                .json()
                .path("notificationTemplates")
                .path(0)
                .path("document")
                .path("id")
                .asString())
        .isEqualTo("chat");
    JsonNode alone = ok(api.get("/rules/export?id=" + rules.path(0).path("id").asString())).json();
    for (String section : List.of("notificationTemplates", "notificationTargets", "groups")) {
      assertThat(alone.path(section).size()).as(section).isEqualTo(1);
    }
    byte[] file = exported.body().getBytes(StandardCharsets.UTF_8);

    JsonNode same = ok(api.upload("/rules/import?dryRun=true", "application/json", file)).json();
    same.path("items")
        .forEach(
            item ->
                assertThat(item.path("state").asString()).as(item.toString()).isEqualTo("same"));
    empty();
    JsonNode dry = ok(api.upload("/rules/import?dryRun=true", "application/json", file)).json();
    assertThat(dry.path("created").asInt()).isEqualTo(6);
    assertThat(api.get("/lookups/runbooks.csv").status()).isEqualTo(404);
    JsonNode done = ok(api.upload("/rules/import", "application/json", file)).json();
    assertThat(done.path("created").asInt()).as(done.toString()).isEqualTo(6);
    assertThat(ok(api.get("/rules/export")).body()).isEqualTo(exported.body());

    // An operator imports everything but targets.
    empty();
    JsonNode byOperator =
        ok(operator.upload("/rules/import?dryRun=true", "application/json", file)).json();
    List<String> invalid = new ArrayList<>();
    byOperator
        .path("items")
        .forEach(
            item -> {
              if (item.path("state").asString().equals("invalid")) {
                invalid.add(item.path("section").asString());
              }
            });
    assertThat(invalid).containsExactly("notificationTargets");
  }

  @Test
  void theExampleFileCanBeImported() throws IOException {
    byte[] file =
        Files.readAllBytes(Path.of("..", "alert-templates", "examples", "storage-on-call.json"));
    JsonNode imported = ok(api.upload("/rules/import", "application/json", file)).json();
    assertThat(imported.path("invalid").asInt()).as(imported.toString()).isZero();
    assertThat(imported.path("created").asInt()).isEqualTo(8);
    assertThat(ids(api.get("/notification-rules"))).hasSize(3);
    JsonNode run = ok(api.post("/notification-templates/storage-chat/test-run", "{}")).json();
    assertThat(run.path("passed").asInt()).isEqualTo(1);
  }

  @Test
  void aFileHoldsNoSecrets() {
    String file =
        "{'format': 'peerlens-rules', 'version': 1, 'notificationTargets': [{'name': 'x', 'type':"
            + " 'webhook', 'webhook': {'url': 'https://x.example.org/', 'auth': {'type': 'bearer',"
            + " 'token': {'value': 'topsecret'}}}}]}";
    JsonNode imported =
        ok(api.upload(
                "/rules/import",
                "application/json",
                file.replace('\'', '"').getBytes(StandardCharsets.UTF_8)))
            .json();
    assertThat(imported.path("invalid").asInt()).isEqualTo(1);
    assertThat(imported.path("items").path(0).path("reason").asString())
        .contains("PUT /api/v1/secrets");
  }

  @Test
  void evaluatorsDoNotReloadTheirRulesWhenATemplateChanges() {
    long rules = number("rule_version");
    long notifications = number("notification_version");
    ok(api.post("/notification-templates", document(TEMPLATE)));
    assertThat(number("rule_version")).isEqualTo(rules);
    assertThat(number("notification_version")).isGreaterThan(notifications);
    ok(api.post("/groups", json("'name': 'Any', 'scope': {}")));
    assertThat(number("rule_version")).isGreaterThan(rules);
  }
}
