package io.peerlens.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.security.ContractRoles;
import io.peerlens.security.ContractRoles.Operation;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.SettableClock;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;

class AuditIT {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String MARK = "Marker-5f2c81d7e0";

  private static SampleData data;
  private static PeerlensServer server;
  private static ApiClient admin;

  @BeforeAll
  static void start() {
    data = SampleData.create();
    server =
        PeerlensServer.start(
            data.database(),
            Set.of(Role.API),
            "peerlens.secrets.key=" + "BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU=");
    admin = server.admin();
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
  }

  private static List<JsonNode> entries(String query) {
    Answer answer = admin.get("/audit?limit=1000" + query);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json().path("items").valueStream().toList();
  }

  private static JsonNode one(String query) {
    List<JsonNode> found = entries(query);
    assertThat(found).as(query).hasSize(1);
    return found.getFirst();
  }

  /** Failures are written in batches. */
  private static JsonNode soon(String query) {
    await().atMost(SOON).until(() -> !entries(query).isEmpty());
    return entries(query).getFirst();
  }

  private static String threshold(String name, int limit) {
    return """
    {"name": "%s", "objectKind": {"adapterKind": "VMWARE", "objectKind": "VirtualMachine"},
     "condition": {"type": "metric", "key": "cpu|usage_average", "operator": "gt",
       "levels": [{"severity": "warning", "bound": {"type": "number", "value": %d}}]}}
    """
        .formatted(name, limit);
  }

  private static String token(String name, String role) {
    return admin
        .post("/tokens", "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(name, role))
        .json()
        .path("secret")
        .asString();
  }

  // What is recorded ------------------------------------------------------------------------------

  @Test
  void aChangeOfADefinitionIsRecordedWithVersionsAndFields() {
    ApiClient client =
        new ApiClient(server.url(), token("anna", "operator"))
            .with("User-Agent", "curl/8")
            .with("X-Request-Id", "req-17");
    Answer created = client.post("/thresholds", threshold("CPU of anna", 90));
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    assertThat(created.header("X-Request-Id")).isEqualTo("req-17");
    String id = created.json().path("id").asString();
    Answer changed =
        client
            .with("If-Match", created.header("ETag"))
            .put("/thresholds/" + id, threshold("CPU of anna", 95));
    assertThat(changed.status()).as(changed.body()).isEqualTo(200);
    client.with("If-Match", changed.header("ETag")).delete("/thresholds/" + id);

    List<JsonNode> found = entries("&object=" + id);
    assertThat(found)
        .extracting(e -> e.path("operation").asString())
        .containsExactly("deleteThreshold", "putThreshold", "createThreshold");
    JsonNode put = found.get(1);
    assertThat(put.path("tokenName").asString()).isEqualTo("anna");
    assertThat(put.path("role").asString()).isEqualTo("operator");
    assertThat(put.path("address").asString()).isEqualTo("127.0.0.1");
    assertThat(put.path("userAgent").asString()).isEqualTo("curl/8");
    assertThat(put.path("requestId").asString()).isEqualTo("req-17");
    assertThat(put.path("kind").asString()).isEqualTo("thresholds");
    assertThat(put.path("object").asString()).isEqualTo(id);
    assertThat(put.path("objectName").asString()).isEqualTo("CPU of anna");
    assertThat(put.path("outcome").asString()).isEqualTo("succeeded");
    assertThat(put.path("status").asInt()).isEqualTo(200);
    assertThat(put.path("versionBefore").asInt()).isEqualTo(1);
    assertThat(put.path("versionAfter").asInt()).isEqualTo(2);
    assertThat(put.path("details").path("changed").toString()).contains("condition");
    assertThat(put.path("session").isNull()).isTrue();
    assertThat(found.getFirst().path("objectName").asString()).isEqualTo("CPU of anna");
    assertThat(found.getLast().path("versionAfter").asInt()).isEqualTo(1);
    assertThat(found.getFirst().path("id").asLong()).isGreaterThan(put.path("id").asLong());
  }

  @Test
  void theFirstTokenWasMadeByTheConsole() {
    JsonNode first = one("&name=console");
    assertThat(first.path("operation").asString()).isEqualTo("createToken");
    assertThat(first.path("objectName").asString()).isEqualTo("admin");
    assertThat(first.path("details").path("role").asString()).isEqualTo("admin");
  }

  @Test
  void signInSessionAndSignOutBelongTogether() {
    String secret = token("bert", "admin");
    Answer in = server.anonymous().post("/session", "{\"token\":\"" + secret + "\"}");
    String cookie = in.header("Set-Cookie").replaceFirst(";.*", "");
    ApiClient session =
        server
            .anonymous()
            .with("Cookie", cookie)
            .with("X-CSRF-Token", in.json().path("csrfToken").asString());
    String target =
        session
            .post("/tokens", "{\"name\":\"of bert\",\"role\":\"viewer\"}")
            .json()
            .path("token")
            .path("id")
            .asString();
    String id =
        session
            .get("/sessions")
            .json()
            .path("items")
            .valueStream()
            .filter(one -> one.path("own").asBoolean())
            .findFirst()
            .orElseThrow()
            .path("id")
            .asString();
    assertThat(session.delete("/tokens/" + target).status()).isEqualTo(204);
    assertThat(session.delete("/session").status()).isEqualTo(204);

    List<JsonNode> found = entries("&name=bert");
    assertThat(found)
        .extracting(e -> e.path("operation").asString())
        .containsExactly("signOut", "revokeToken", "createToken", "signIn");
    assertThat(found.stream().map(e -> e.path("session").asString()).distinct()).hasSize(1);
    assertThat(found.getFirst().path("session").asString()).isEqualTo(id);
    assertThat(cookie).doesNotContain(id);
    assertThat(entries("&object=" + target))
        .allSatisfy(e -> assertThat(e.path("objectName").asString()).isEqualTo("of bert"))
        .hasSize(2);
    String bert = in.json().path("tokenId").asString();
    assertThat(entries("&token=" + bert)).hasSize(4);
  }

  @Test
  void aRevokedTokenIsDistinguishedFromAnUnknownOne() {
    String secret = token("carl", "viewer");
    String id = one("&operation=createToken&q=carl").path("object").asString();
    admin.delete("/tokens/" + id);
    assertThat(new ApiClient(server.url(), secret).get("/objects").status()).isEqualTo(401);
    JsonNode tried = soon("&operation=authenticate&token=" + id);
    assertThat(tried.path("outcome").asString()).isEqualTo("refused");
    assertThat(tried.path("error").asString()).isEqualTo("unauthenticated");
    assertThat(tried.path("details").path("tokens").toString()).contains("revoked", "carl");
  }

  @Test
  void aForbiddenAttemptIsRecordedWithItsOperation() {
    ApiClient viewer = new ApiClient(server.url(), token("dora", "viewer"));
    for (int i = 0; i < 50; i++) {
      assertThat(viewer.post("/tokens", "{}").status()).isEqualTo(403);
    }
    JsonNode refused = soon("&name=dora&outcome=refused");
    assertThat(refused.path("operation").asString()).isEqualTo("createToken");
    assertThat(refused.path("status").asInt()).isEqualTo(403);
    assertThat(refused.path("error").asString()).isEqualTo("forbidden");
    assertThat(refused.path("count").asInt()).isEqualTo(1);
    // The other 49 wait for the end of their window.
    assertThat(entries("&name=dora")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "text,     text/plain,       {},          415, unsupported-media-type",
    "broken,   application/json, '{\"name\":', 400, invalid-body",
    "strange,  application/json, '{\"x\":1}',  400, invalid-body",
    "too-long, application/json, ,            413, body-too-large"
  })
  void aRefusedBodyIsRecorded(
      String name, String type, @Nullable String body, int status, String error) throws Exception {
    String secret = token("body-" + name, "operator");
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(server.url() + "/api/v1/thresholds"))
              .header("Authorization", "Bearer " + secret)
              .header("Content-Type", type)
              .POST(BodyPublishers.ofString(body == null ? " ".repeat(3 << 20) : body))
              .build();
      try {
        assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(status);
      } catch (IOException e) {
        // The answer came before the body was sent, and the connection was closed with it.
        assertThat(status).isEqualTo(413);
      }
    }
    JsonNode refused = soon("&outcome=failed&name=body-" + name);
    assertThat(refused.path("operation").asString()).isEqualTo("createThreshold");
    assertThat(refused.path("status").asInt()).isEqualTo(status);
    assertThat(refused.path("error").asString()).isEqualTo(error);
  }

  @Test
  void aFailureIsRecordedWithStatusCodeAndObject() {
    Answer created = admin.post("/thresholds", threshold("Failing", 90));
    String id = created.json().path("id").asString();
    assertThat(
            admin
                .with("If-Match", "\"7\"")
                .put("/thresholds/" + id, threshold("Failing", 91))
                .status())
        .isEqualTo(412);
    JsonNode failed = soon("&outcome=failed&object=" + id);
    assertThat(failed.path("error").asString()).isEqualTo("precondition-failed");
    assertThat(failed.path("objectName").asString()).isEqualTo("Failing");
    assertThat(failed.path("versionBefore").asInt()).isEqualTo(1);
    assertThat(failed.path("versionAfter").isNull()).isTrue();
    await().atMost(SOON).until(() -> count("audit_open") == 0);
  }

  @Test
  void anImportIsOneEntryWithItsCountsAndDigestAndIsFoundByEachOfItsRules() {
    String id = UUID.randomUUID().toString();
    byte[] file =
        ("{\"format\":\"peerlens-rules\",\"version\":1,\"thresholds\":["
                + threshold("Imported", 80).replaceFirst("\\{", "{\"id\":\"" + id + "\",")
                + "]}")
            .getBytes(StandardCharsets.UTF_8);
    Answer dry = admin.upload("/rules/import?dryRun=true", "application/json", file);
    assertThat(dry.status()).as(dry.body()).isEqualTo(200);
    assertThat(entries("&object=" + id)).isEmpty();
    assertThat(admin.upload("/rules/import?dryRun=false", "application/json", file).status())
        .isEqualTo(200);
    JsonNode imported = one("&object=" + id);
    assertThat(imported.path("operation").asString()).isEqualTo("importRules");
    assertThat(imported.path("details").path("created").asInt()).isEqualTo(1);
    assertThat(imported.path("details").path("bytes").asInt()).isEqualTo(file.length);
    assertThat(imported.path("details").path("sha256").asString()).hasSize(64);
  }

  @Test
  void changesOfSettingsAreRecordedWithTheirFields() {
    Answer before = admin.get("/settings/retention");
    assertThat(
            admin
                .with("If-Match", before.header("ETag"))
                .put(
                    "/settings/retention",
                    "{\"raw\":\"15d\",\"rollup5m\":\"90d\",\"rollup1h\":\"730d\"}")
                .status())
        .isEqualTo(200);
    JsonNode changed = one("&kind=settings&object=retention&outcome=succeeded");
    assertThat(changed.path("operation").asString()).isEqualTo("putRetention");
    assertThat(changed.path("details").path("changed").toString()).contains("raw");
    int version = changed.path("versionBefore").asInt();
    assertThat(before.header("ETag")).isEqualTo("\"" + version + "\"");
    assertThat(changed.path("versionAfter").asInt()).isEqualTo(version + 1);
  }

  @Test
  void anActionOnAlertsIsFoundByTheAlertAndByItsObject() {
    int vm = data.object("VMWARE", "VirtualMachine", "vm-audit");
    String object =
        data.jdbc()
            .sql("select uuid::text from object where id = :id")
            .param("id", vm)
            .query(String.class)
            .single();
    UUID alert = UUID.randomUUID();
    data.jdbc()
        .sql(
            """
            insert into alert (id, definition_id, source, definition_name, object_id, impact, severity, status, since,
              opened_at, updated_at, last_tick, openings, member_count, members, member_print, explanation, recommendations)
            values (:id, :id, 'threshold', 'CPU', :vm, 'health', 2, 'active', now(), now(), now(), now(), '{}', 0, '[]', 0,
              '{}', '{}')
            """)
        .param("id", alert)
        .param("vm", vm)
        .update();
    Answer acted =
        admin.post(
            "/alerts/actions",
            "{\"ids\":[\"%s\"],\"action\":\"acknowledge\",\"note\":\"%s\"}".formatted(alert, MARK));
    assertThat(acted.status()).as(acted.body()).isEqualTo(200);
    assertThat(one("&object=" + alert).path("details").path("action").asString())
        .isEqualTo("acknowledge");
    assertThat(one("&object=" + object).path("operation").asString()).isEqualTo("actOnAlerts");
  }

  @Test
  void readsAreNotRecordedExceptExportsOfTheLog() {
    ApiClient reader = new ApiClient(server.url(), token("reader", "admin"));
    reader.get("/thresholds");
    reader.post("/objects/query", "{}");
    reader.get("/audit");
    assertThat(entries("&name=reader")).isEmpty();
    Answer csv = reader.with("Accept", "text/csv").get("/audit?limit=5&q=admin");
    assertThat(csv.status()).isEqualTo(200);
    assertThat(csv.body()).startsWith("id,at,until,count,tokenId");
    JsonNode read = one("&name=reader");
    assertThat(read.path("operation").asString()).isEqualTo("listAudit");
    assertThat(read.path("details").path("query").asString()).contains("limit=5");
  }

  @Test
  void aCellThatASpreadsheetWouldRunIsMadeHarmless() {
    token("=cmd|'/c calc'!A1", "viewer");
    assertThat(admin.with("Accept", "text/csv").get("/audit?limit=500").body())
        .contains("'=cmd|")
        .doesNotContain(",=cmd|");
  }

  // All operations --------------------------------------------------------------------------------

  @Test
  void everyChangingOperationIsRecordedWithoutItsBody() {
    List<Operation> unsafe =
        ContractRoles.read().stream().filter(o -> o.method() != HttpMethod.GET).toList();
    assertThat(unsafe).hasSizeGreaterThan(80);
    // Only what a viewer may do can be left out, and nothing else.
    assertThat(unsafe.stream().filter(o -> !o.audited()))
        .allSatisfy(o -> assertThat(o.role()).as(o.id()).isEqualTo("viewer"));
    String secret = token("walker", "admin");
    ApiClient walker = new ApiClient(server.url(), secret);
    String body =
        """
        {"name":"%1$s","token":"%1$s","value":"%1$s","secret":"%1$s","password":"%1$s","code":"%1$s","role":"%1$s"}
        """
            .formatted(MARK);
    List<String> walked = new ArrayList<>();
    for (Operation operation : unsafe) {
      if (!operation.audited()) {
        continue;
      }
      String path =
          operation
              .path()
              .substring(ContractRoles.BASE.length())
              .replaceAll("\\{(version|object|alert)}", "1")
              .replaceAll("\\{[a-z]+}", "00000000-0000-4000-8000-000000000001");
      walker
          .with("Cookie", "peerlens_session=pls_" + MARK)
          .send(
              operation.method().name(),
              path,
              operation.method() == HttpMethod.DELETE ? null : body);
      walked.add(operation.id());
    }
    assertThat(walked).hasSizeGreaterThan(70);
    walked.removeAll(List.of("signIn", "requestPairing", "collectPairing"));
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(
                        data.jdbc()
                            .sql(
                                "select distinct operation from audit_entry where token_name = 'walker'")
                            .query(String.class)
                            .list())
                    .containsAll(walked));
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              assertThat(entries("&operation=signIn&outcome=refused&outcome=failed")).isNotEmpty();
              assertThat(entries("&operation=collectPairing&outcome=failed")).isNotEmpty();
              assertThat(entries("&operation=requestPairing")).isNotEmpty();
            });
    // Other values that are secret: the walker's own token, and those that were made.
    List<String> rows =
        data.jdbc()
            .sql("select e::text from audit_entry e union all select o::text from audit_open o")
            .query(String.class)
            .list();
    assertThat(rows)
        .isNotEmpty()
        .noneMatch(row -> row.contains(MARK))
        .noneMatch(row -> row.contains(secret))
        .noneMatch(row -> row.contains("plt_") || row.contains("pls_") || row.contains("plp_"));
    assertThat(rows).noneMatch(row -> row.contains(Objects.requireNonNull(server.adminToken())));
  }

  @Test
  void aSecretIsNamedAndNeverShown() {
    assertThat(admin.put("/secrets/pager", "{\"value\":\"" + MARK + "\"}").status()).isEqualTo(204);
    assertThat(admin.delete("/secrets/pager").status()).isEqualTo(204);
    assertThat(entries("&kind=secrets&object=pager"))
        .extracting(e -> e.path("operation").asString())
        .containsExactly("deleteSecret", "putSecret");
    assertThat(data.jdbc().sql("select e::text from audit_entry e").query(String.class).list())
        .noneMatch(row -> row.contains(MARK));
  }

  // Floods ----------------------------------------------------------------------------------------

  @Test
  void aFloodWithoutCredentialsIsAFewEntries() {
    for (int i = 0; i < 300; i++) {
      assertThat(server.anonymous().delete("/thresholds/" + UUID.randomUUID()).status())
          .isEqualTo(401);
    }
    soon("&operation=authenticate");
    assertThat(
            data.jdbc()
                .sql(
                    "select count(*) from audit_entry where operation = 'authenticate' and token_id is null")
                .query(Long.class)
                .single())
        .isLessThan(10);
  }

  @Test
  void repeatedFailuresAreCountedAndManyCallersAreTakenTogether() {
    SettableClock clock = new SettableClock(Instant.parse("2026-11-01T00:00:00Z"));
    try (Failures failures = new Failures(server.context().getBean(AuditStore.class), clock)) {
      for (int i = 0; i < 1_000; i++) {
        failures.add(failure("2001:db8:0:%x::1".formatted(i), clock.instant()), null, "getX", null);
        failures.add(failure("2001:db8:0:%x::2".formatted(i), clock.instant()), null, "getX", null);
      }
      failures.flush(false);
      // The first of each that has room, and one for all others.
      assertThat(entries("&operation=flood")).hasSize(Failures.MOST_CALLERS + 1);
      clock.set(clock.instant().plus(Failures.WINDOW));
      failures.flush(false);
      List<JsonNode> all = entries("&operation=flood");
      assertThat(all).hasSize(2 * (Failures.MOST_CALLERS + 1));
      assertThat(all.stream().mapToInt(e -> e.path("count").asInt()).sum()).isEqualTo(2_000);
      assertThat(entries("&operation=flood&address=others")).hasSize(2);
      // Nobody went on, so nothing is left to write or to remember.
      clock.set(clock.instant().plus(Failures.WINDOW));
      failures.flush(false);
      assertThat(entries("&operation=flood")).hasSameSizeAs(all);
    }
  }

  private static AuditRecord failure(String address, Instant at) {
    return new AuditRecord(
        at,
        null,
        1,
        new AuditRecord.Who(null, null, null, null, address, null, null),
        "flood",
        new AuditRecord.Subject(null, null, null, Set.of(), null, null),
        AuditRecord.Result.of(401, "unauthenticated"),
        Map.of());
  }

  // Reading ---------------------------------------------------------------------------------------

  @Test
  void pagesFollowOneAnotherAndOnlyAdminsReadThem() {
    for (int i = 0; i < 5; i++) {
      token("paged " + i, "viewer");
    }
    List<Long> ids = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = admin.get("/audit?limit=2&operation=createToken&q=paged" + cursor).json();
      assertThat(page.path("total").asInt()).isEqualTo(5);
      page.path("items").forEach(e -> ids.add(e.path("id").asLong()));
      JsonNode next = page.path("nextCursor");
      cursor =
          next.isNull()
              ? ""
              : "&cursor=" + URLEncoder.encode(next.asString(), StandardCharsets.UTF_8);
    } while (!cursor.isEmpty());
    assertThat(ids).hasSize(5).isSortedAccordingTo((a, b) -> Long.compare(b, a));
    ApiClient operator = new ApiClient(server.url(), token("eve", "operator"));
    assertThat(operator.get("/audit").status()).isEqualTo(403);
    assertThat(admin.get("/audit?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z").status())
        .isEqualTo(400);
    assertThat(entries("&to=2020-01-01T00:00:00Z")).isEmpty();
    assertThat(entries("&address=192.0.2.1")).isEmpty();
  }

  // The database ----------------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update audit_entry set outcome = 'succeeded'",
        "delete from audit_entry",
        "truncate audit_entry",
        "set peerlens.audit_forget = 'on'; delete from audit_entry"
      })
  void theDatabaseRefusesToChangeEntries(String sql) {
    long before = count("audit_entry");
    assertThatThrownBy(
            () -> {
              try (var connection = data.database().connect();
                  var statement = connection.createStatement()) {
                statement.execute(sql);
              }
            })
        .hasMessageContaining("The audit log only grows");
    assertThat(count("audit_entry")).isGreaterThanOrEqualTo(before);
  }

  @Test
  void retentionDropsOnlyOldEntries() {
    AuditStore store = server.context().getBean(AuditStore.class);
    Instant now = Instant.now();
    data.jdbc()
        .sql(
            """
            insert into audit_entry (id, at, count, operation, related, outcome, details)
            select 0, now() - make_interval(days => d), 1, 'old', '{}', 'succeeded', '{}'
            from generate_series(300, 400, 10) d
            """)
        .update();
    assertThat(store.forget(now.minus(Duration.ofDays(365)))).isEqualTo(4);
    assertThat(count("audit_entry where operation = 'old'")).isEqualTo(11 - 4);
    // Not even by mistake: what is younger than a day stays.
    assertThatThrownBy(() -> store.forget(now.plusSeconds(60)))
        .rootCause()
        .hasMessageContaining("The audit log only grows");
  }

  @Test
  void anOperationThatNeverEndedHasAnUnknownOutcome() {
    AuditStore store = server.context().getBean(AuditStore.class);
    data.jdbc()
        .sql(
            """
            insert into audit_open (id, started_at, entry)
            values (gen_random_uuid(), now() - interval '16 min', '{"at": "2026-01-01T00:00:00Z", "count": 1,
              "operation": "putRetention", "related": ["lost-one"], "outcome": "unknown", "details": {}}')
            """)
        .update();
    store.sweep(Instant.now().minus(AuditStore.LONGEST));
    assertThat(one("&object=lost-one").path("outcome").asString()).isEqualTo("unknown");
    await().atMost(SOON).until(() -> count("audit_open") == 0);
  }

  @Test
  void nothingIsChangedWhileTheLogCannotBeWritten() {
    data.sql("alter table audit_open rename to audit_open_away");
    try {
      Answer answer = admin.post("/thresholds", threshold("Never made", 90));
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.json().path("detail").asString()).contains("audit log cannot be written");
    } finally {
      data.sql("alter table audit_open_away rename to audit_open");
    }
    assertThat(admin.get("/thresholds?limit=1000").body()).doesNotContain("Never made");
    assertThat(admin.post("/thresholds", threshold("Made again", 90)).status()).isEqualTo(201);
  }

  @Test
  void manyAtOnceLoseNothingAndNumbersGrow() throws Exception {
    int callers = 8;
    int each = 10;
    try (ExecutorService pool = Executors.newFixedThreadPool(callers)) {
      List<Future<?>> running = new ArrayList<>();
      for (int c = 0; c < callers; c++) {
        int caller = c;
        running.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < each; i++) {
                    token("crowd %d-%d".formatted(caller, i), "viewer");
                  }
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    }
    List<JsonNode> found = entries("&operation=createToken&q=crowd");
    assertThat(found).hasSize(callers * each);
    assertThat(found.stream().map(e -> e.path("objectName").asString()).distinct())
        .hasSize(callers * each);
    await().atMost(SOON).until(() -> count("audit_open") == 0);
  }

  private static long count(String table) {
    return data.jdbc().sql("select count(*) from " + table).query(Long.class).single();
  }
}
