package io.peerlens.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.peerlens.api.model.UserRole;
import io.peerlens.node.Role;
import io.peerlens.security.ContractRoles.Operation;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

class SecurityIT {

  private static final PeerlensServer SERVER = PeerlensServer.shared();
  private static final Map<String, ApiClient> CLIENTS =
      Map.of(
          "ingest", client("ingest"),
          "viewer", client("viewer"),
          "operator", client("operator"),
          "admin", SERVER.admin());

  /** Who may do what the contract lists for them; the link is bound to the id that is asked for. */
  private static final Map<String, ApiClient> NARROW =
      Map.of(
          "screen",
          new ApiClient(
              SERVER.url(),
              SERVER
                  .context()
                  .getBean(ApiTokens.class)
                  .create("screen", UserRole.SCREEN, "test", Instant.now().plusSeconds(3600))
                  .getSecret()),
          "link",
          new ApiClient(
              SERVER.url(),
              SERVER
                  .context()
                  .getBean(ApiTokens.class)
                  .createLink("link", "admin", Instant.now().plusSeconds(3600), new UUID(0, 7))
                  .getSecret()));

  /** Each may do what those before it may, but that who only sends may not read. */
  private static final List<String> ROLES = List.of("ingest", "viewer", "operator", "admin");

  private final JdbcClient jdbc = SERVER.context().getBean(JdbcClient.class);

  static List<Operation> operations() {
    return ContractRoles.read();
  }

  @Test
  void theContractNamesAllOperations() {
    assertThat(operations()).hasSizeGreaterThan(30);
    assertThat(operations().stream().filter(o -> o.role().equals("none")))
        .extracting(o -> o.method() + " " + o.path())
        .containsExactly(
            "POST /api/v1/session",
            "POST /api/v1/session/pairings",
            "POST /api/v1/session/pairings/collect");
  }

  @ParameterizedTest
  @MethodSource("operations")
  void everyOperationNeedsAToken(Operation operation) {
    if (operation.role().equals("none")) {
      return;
    }
    Answer answer = call(SERVER.anonymous(), operation);
    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer");
    assertThat(answer.json().path("code").asString()).isEqualTo("unauthenticated");
  }

  @ParameterizedTest
  @MethodSource("operations")
  void aLowerRoleIsRefusedAndTheNamedRoleIsNot(Operation operation) {
    int least = ROLES.indexOf(operation.role());
    for (int i = 0; i < least; i++) {
      Answer answer = call(as(ROLES.get(i)), operation);
      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.json().path("code").asString()).isEqualTo("forbidden");
    }
    for (int i = Math.max(least, 0); i < ROLES.size() && least >= 0; i++) {
      if (!operation.path().endsWith("/session")) {
        assertThat(call(as(ROLES.get(i)), operation).status()).isNotIn(401, 403, 500);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("operations")
  void aScreenAndALinkMayDoWhatIsListedForThemAndNothingElse(Operation operation) {
    if (operation.role().equals("none")) {
      return;
    }
    NARROW.forEach(
        (role, client) -> {
          Answer answer = call(client, operation);
          if (operation.also().contains(role)) {
            assertThat(answer.status()).as("%s: %s", role, answer.body()).isNotIn(401, 403, 500);
          } else {
            assertThat(answer.status()).as("%s: %s", role, answer.body()).isEqualTo(403);
            assertThat(answer.json().path("code").asString()).isEqualTo("forbidden");
          }
        });
  }

  @Test
  void aLinkReadsNothingButWhatItIsBoundTo() {
    ApiClient link = Objects.requireNonNull(NARROW.get("link"));
    String bound = new UUID(0, 7).toString();
    String other = new UUID(0, 8).toString();
    assertThat(link.get("/dashboards/" + bound).status()).isEqualTo(404);
    assertThat(link.get("/dashboards/" + other).status()).isEqualTo(403);
    for (String path : List.of(bound + "/../" + other, bound + "/%2e%2e/" + other, "%2e%2e")) {
      assertThat(link.get("/dashboards/" + path).status()).as(path).isIn(400, 403, 404);
    }
    assertThat(link.post("/dashboards/" + other + "/panels/x/query", "{}").status()).isEqualTo(403);
    for (String method : List.of("PUT", "DELETE", "PATCH")) {
      String body = method.equals("DELETE") ? "" : "{}";
      assertThat(link.send(method, "/dashboards/" + bound, body).status())
          .as(method)
          .isIn(403, 405);
    }
    assertThat(link.get("/no/such/path").status()).isEqualTo(404);
    assertThat(link.get("//metrics").status()).isEqualTo(403);
    assertThat(link.get("//health").json().has("components")).isFalse();
  }

  @Test
  void onlyTheNamedOperationsAreForScreensAndLinks() {
    assertThat(operations().stream().filter(o -> o.also().contains("link")))
        .extracting(Operation::id)
        .containsExactlyInAnyOrder("getDashboard", "queryDashboardPanel");
    // What the wall of a playlist asks, then that of outliers, then all that are signed in.
    assertThat(operations().stream().filter(o -> o.also().contains("screen")))
        .allMatch(o -> o.role().equals("viewer"))
        .extracting(Operation::id)
        .containsExactlyInAnyOrder(
            "listPlaylists",
            "getPlaylist",
            "getPlaylistScreens",
            "getDashboard",
            "queryDashboardPanel",
            "listAlerts",
            "querySeries",
            "listOutlierGroups",
            "getOutlierResults",
            "listOutlierEvents",
            "getOutlierEvent",
            "listIncidents",
            "getAlert",
            "streamAlertEvents",
            "getSummary",
            "getSession",
            "signOut");
    assertThat(operations().stream().filter(o -> o.also().contains("screen")))
        .filteredOn(Operation::audited)
        .extracting(Operation::id)
        .containsExactly("signOut");
  }

  @Test
  void headNeedsTheRoleOfGet() {
    assertThat(as("viewer").send("HEAD", "/tokens", null).status()).isEqualTo(403);
    assertThat(as("admin").send("HEAD", "/tokens", null).status()).isEqualTo(200);
  }

  @Test
  void healthAndPagesAreOpenAndNothingElseIs() {
    ApiClient anonymous = SERVER.anonymous();
    assertThat(anonymous.get("//health").status()).isEqualTo(200);
    assertThat(anonymous.get("//health").body())
        .isEqualTo("{\"groups\":[\"liveness\",\"readiness\"],\"status\":\"UP\"}");
    assertThat(anonymous.get("//health/liveness").body()).isEqualTo("{\"status\":\"UP\"}");
    assertThat(anonymous.get("//app/no-such-file.js").status()).isEqualTo(404);
    assertThat(anonymous.get("/no/such/path").status()).isEqualTo(401);
    assertThat(anonymous.get("//api").status()).isEqualTo(401);
    // No management endpoint but health, and the page is not given for what is none of its own.
    for (String path :
        List.of(
            "//env",
            "//actuator",
            "//actuator/env",
            "//heapdump",
            "//v3/api-docs",
            "//swagger-ui/index",
            "//.git/config",
            "//admin",
            "//wp-login.php")) {
      assertThat(anonymous.get(path).status()).as(path).isEqualTo(404);
    }
    assertThat(anonymous.post("//explorer", "").status()).isEqualTo(401);
    assertThat(anonymous.post("//explorer", "{}").status()).isEqualTo(413);
    assertThat(anonymous.get("//metrics").status()).isEqualTo(401);
    assertThat(new ApiClient(SERVER.url(), "plt_no-such-token").get("//metrics").status())
        .isEqualTo(401);
    assertThat(as("viewer").get("//metrics").body()).contains("jvm_memory_used_bytes");
    assertThat(as("viewer").get("//health").json().path("components").path("db").isObject())
        .isTrue();
    assertThat(as("viewer").get("/no/such/path").status()).isEqualTo(404);
  }

  @Test
  void everyAnswerCarriesTheSecurityHeaders() {
    for (String path : List.of("//health", "//", "/session", "//relay/nobody", "//no/such")) {
      Answer answer = SERVER.anonymous().get(path);
      assertThat(answer.header("Content-Security-Policy"))
          .as(path)
          .contains("default-src 'self'", "frame-ancestors 'none'", "object-src 'none'")
          .contains("require-trusted-types-for 'script'", "script-src 'self' 'sha256-")
          .doesNotContain("unsafe-inline");
      assertThat(answer.header("X-Content-Type-Options")).as(path).isEqualTo("nosniff");
      assertThat(answer.header("Referrer-Policy")).as(path).isEqualTo("same-origin");
      assertThat(answer.header("X-Frame-Options")).as(path).isEqualTo("DENY");
      assertThat(answer.header("Permissions-Policy")).as(path).contains("camera=()", "usb=()");
      assertThat(answer.header("Cross-Origin-Opener-Policy")).as(path).isEqualTo("same-origin");
      assertThat(answer.header("Cross-Origin-Resource-Policy")).as(path).isEqualTo("same-origin");
    }
  }

  @Test
  void aTokenIsStoredAsAHashAndShownOnce() {
    Answer created = SERVER.admin().post("/tokens", "{\"name\":\"grafana\",\"role\":\"viewer\"}");
    assertThat(created.status()).isEqualTo(201);
    assertThat(created.header("Cache-Control")).isEqualTo("no-store");
    String secret = created.json().path("secret").asString();
    assertThat(secret).matches("plt_[A-Za-z0-9_-]{43}");
    assertThat(created.json().path("token").path("createdBy").asString()).isEqualTo("admin");
    assertThat(SERVER.admin().get("/tokens").body()).contains("grafana").doesNotContain(secret);
    assertThat(
            jdbc.sql("select encode(secret_hash, 'hex') || name from api_token")
                .query(String.class)
                .list())
        .noneMatch(row -> row.contains(secret));
  }

  @Test
  void aRevokedTokenAndItsSessionsEndAtOnce() {
    Answer created = SERVER.admin().post("/tokens", "{\"name\":\"leaver\",\"role\":\"operator\"}");
    String secret = created.json().path("secret").asString();
    String id = created.json().path("token").path("id").asString();
    ApiClient byToken = new ApiClient(SERVER.url(), secret);
    ApiClient byCookie = signIn(secret).client();
    assertThat(byToken.get("/session").status()).isEqualTo(200);
    assertThat(byCookie.get("/session").status()).isEqualTo(200);

    assertThat(SERVER.admin().delete("/tokens/" + id).status()).isEqualTo(204);

    assertThat(byToken.get("/session").status()).isEqualTo(401);
    assertThat(byCookie.get("/session").status()).isEqualTo(401);
    assertThat(SERVER.admin().delete("/tokens/" + id).status()).isEqualTo(404);
    assertThat(SERVER.admin().get("/tokens").body()).doesNotContain("leaver");
  }

  @Test
  void anExpiredTokenIsRefused() {
    Answer created =
        SERVER
            .admin()
            .post(
                "/tokens",
                "{\"name\":\"short\",\"role\":\"viewer\",\"expiresAt\":\"2028-01-01T00:00:00Z\"}");
    ApiClient client = new ApiClient(SERVER.url(), created.json().path("secret").asString());
    assertThat(client.get("/session").json().path("expiresAt").asString())
        .isEqualTo("2028-01-01T00:00:00Z");
    jdbc.sql("update api_token set expires_at = now() - interval '1 s' where name = 'short'")
        .update();
    isRefusedSoon(client);
  }

  @Test
  void aTokenThatWouldEndInThePastIsRefused() {
    Answer answer =
        SERVER
            .admin()
            .post(
                "/tokens",
                "{\"name\":\"x\",\"role\":\"viewer\",\"expiresAt\":\"2001-01-01T00:00:00Z\"}");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().path("errors").path(0).path("field").asString())
        .isEqualTo("expiresAt");
  }

  @Test
  void lastUseIsNotedAtMostOnceAMinute() {
    ApiClient client = as("viewer");
    client.get("/session");
    String first = lastUsed("test-viewer");
    client.get("/session");
    assertThat(lastUsed("test-viewer")).isEqualTo(first);
    jdbc.sql(
            "update api_token set last_used_at = last_used_at - interval '2 min' where name ="
                + " 'test-viewer'")
        .update();
    String before = lastUsed("test-viewer");
    await()
        .untilAsserted(
            () -> {
              client.get("/session");
              assertThat(lastUsed("test-viewer")).isGreaterThan(before);
            });
  }

  @Test
  void theCookieIsOutOfReachOfScriptsAndOtherSites() {
    SignedIn session = signIn(Objects.requireNonNull(SERVER.adminToken()));
    assertThat(session.answer().header("Set-Cookie"))
        .startsWith("peerlens_session=pls_")
        .contains("HttpOnly", "SameSite=Strict", "Path=/")
        .doesNotContain("Secure");
    assertThat(session.answer().json().path("csrfToken").asString()).isNotEmpty();
    assertThat(
            jdbc.sql(
                    "select count(*) from browser_session where secret_hash = convert_to(:s,"
                        + " 'UTF8')")
                .param("s", session.cookie())
                .query(Long.class)
                .single())
        .isZero();
  }

  @Test
  void aSessionNeedsItsCsrfTokenForChanges() {
    SignedIn session = signIn(Objects.requireNonNull(SERVER.adminToken()));
    String body = "{\"name\":\"by-session\",\"role\":\"viewer\"}";
    Answer without = session.client().post("/tokens", body);
    assertThat(without.status()).isEqualTo(403);
    assertThat(without.json().path("code").asString()).isEqualTo("csrf");
    Answer wrong = session.client().with("X-CSRF-Token", "wrong").post("/tokens", body);
    assertThat(wrong.status()).isEqualTo(403);
    String other =
        signIn(Objects.requireNonNull(SERVER.adminToken()))
            .answer()
            .json()
            .path("csrfToken")
            .asString();
    assertThat(session.client().with("X-CSRF-Token", other).post("/tokens", body).status())
        .isEqualTo(403);
    String right = session.client().get("/session").json().path("csrfToken").asString();
    assertThat(session.client().with("X-CSRF-Token", right).post("/tokens", body).status())
        .isEqualTo(201);
  }

  @Test
  void signingOutEndsTheSession() {
    SignedIn session = signIn(Objects.requireNonNull(SERVER.adminToken()));
    String csrf = session.answer().json().path("csrfToken").asString();
    Answer out = session.client().with("X-CSRF-Token", csrf).delete("/session");
    assertThat(out.status()).isEqualTo(204);
    assertThat(out.header("Set-Cookie")).startsWith("peerlens_session=;").contains("Max-Age=0");
    assertThat(session.client().get("/session").status()).isEqualTo(401);
  }

  @Test
  void aSessionEndsWhenIdleAndAtTheLatestAfterItsLifetime() {
    SignedIn idle = signIn(Objects.requireNonNull(SERVER.adminToken()));
    SignedIn old = signIn(Objects.requireNonNull(SERVER.adminToken()));
    age(idle, "last_used_at = now() - interval '11 h 59 min'");
    assertThat(idle.client().get("/session").status()).isEqualTo(200);
    age(idle, "last_used_at = now() - interval '12 h 1 s'");
    isRefusedSoon(idle.client());
    age(old, "expires_at = now() - interval '1 s'");
    isRefusedSoon(old.client());
  }

  /** What was changed behind the node's back it sees when its cache of callers has expired. */
  private static void isRefusedSoon(ApiClient client) {
    await()
        .atMost(CallerCache.TIME.plusSeconds(5))
        .untilAsserted(() -> assertThat(client.get("/session").status()).isEqualTo(401));
  }

  @Test
  void aTokenThatAnotherNodeRevokesIsRefusedWithinSeconds() {
    try (PeerlensServer other = PeerlensServer.start(SERVER.database(), Set.of(Role.API))) {
      Answer created = SERVER.admin().post("/tokens", "{\"name\":\"far\",\"role\":\"viewer\"}");
      String secret = created.json().path("secret").asString();
      String id = created.json().path("token").path("id").asString();
      ApiClient there = new ApiClient(other.url(), secret);
      assertThat(there.get("/session").status()).isEqualTo(200);
      assertThat(SERVER.admin().delete("/tokens/" + id).status()).isEqualTo(204);
      isRefusedSoon(there);
    }
  }

  @Test
  void sessionsAreListedAndEndedByThoseWhoMaySeeThem() {
    Answer made = SERVER.admin().post("/tokens", "{\"name\":\"desk\",\"role\":\"viewer\"}");
    String secret = made.json().path("secret").asString();
    SignedIn desk = signIn(secret);
    SignedIn phone = signIn(secret);
    SignedIn admin = signIn(Objects.requireNonNull(SERVER.adminToken()));

    JsonNode seen = desk.client().get("/sessions").json().path("items");
    assertThat(seen.size()).isEqualTo(2);
    assertThat(seen.valueStream().map(s -> s.path("name").asString())).containsOnly("desk");
    assertThat(seen.valueStream().filter(s -> s.path("own").asBoolean())).hasSize(1);
    assertThat(seen.path(0).path("address").asString()).isEqualTo("127.0.0.1");
    assertThat(seen.path(0).path("agent").asString()).startsWith("Java-http-client");
    assertThat(SERVER.admin().get("/sessions").json().path("items").size()).isGreaterThan(2);

    String other = ids(admin.client(), true).getFirst();
    ApiClient changing =
        desk.client().with("X-CSRF-Token", desk.answer().json().path("csrfToken").asString());
    assertThat(changing.delete("/sessions/" + other).status()).isEqualTo(404);
    assertThat(admin.client().get("/session").status()).isEqualTo(200);
    String phones = ids(desk.client(), false).getFirst();
    assertThat(changing.delete("/sessions/" + phones).status()).isEqualTo(204);
    assertThat(phone.client().get("/session").status()).isEqualTo(401);
    assertThat(desk.client().get("/session").status()).isEqualTo(200);
    assertThat(SERVER.admin().delete("/sessions/" + ids(desk.client(), true).getFirst()).status())
        .isEqualTo(204);
    assertThat(desk.client().get("/session").status()).isEqualTo(401);
  }

  private static List<String> ids(ApiClient client, boolean own) {
    return client
        .get("/sessions")
        .json()
        .path("items")
        .valueStream()
        .filter(session -> session.path("own").asBoolean() == own)
        .map(session -> session.path("id").asString())
        .toList();
  }

  @Test
  void aTokenEndsUnlessTheRequestSaysWhen() {
    JsonNode usual =
        SERVER.admin().post("/tokens", "{\"name\":\"usual\",\"role\":\"viewer\"}").json();
    assertThat(Instant.parse(usual.at("/token/expiresAt").asString()))
        .isCloseTo(Instant.now().plus(Duration.ofDays(365)), within(1, ChronoUnit.MINUTES));
    Answer tooLong =
        SERVER
            .admin()
            .post(
                "/tokens",
                "{\"name\":\"x\",\"role\":\"viewer\",\"expiresAt\":\"2999-01-01T00:00:00Z\"}");
    assertThat(tooLong.status()).isEqualTo(400);
    assertThat(tooLong.json().at("/errors/0/field").asString()).isEqualTo("expiresAt");
    assertThat(tooLong.json().path("hint").asString()).contains("token-longest-life");
    JsonNode first =
        SERVER
            .admin()
            .get("/tokens")
            .json()
            .path("items")
            .valueStream()
            .filter(t -> t.path("createdBy").asString().equals("first start"))
            .findFirst()
            .orElseThrow();
    assertThat(first.path("expiresAt").isNull()).isTrue();
  }

  @Test
  void tokensOfOneNameAreDistinguishableAndRevokedOnesListedOnRequest() {
    String body = "{\"name\":\"twin\",\"role\":\"viewer\"}";
    JsonNode one = SERVER.admin().post("/tokens", body).json();
    JsonNode two = SERVER.admin().post("/tokens", body).json();
    assertThat(one.at("/token/start").asString())
        .isEqualTo(one.path("secret").asString().substring(0, 8))
        .isNotEqualTo(two.at("/token/start").asString());
    SERVER.admin().delete("/tokens/" + one.at("/token/id").asString());
    assertThat(named("/tokens", "twin"))
        .extracting(t -> t.path("id").asString())
        .containsExactly(two.at("/token/id").asString());
    assertThat(named("/tokens?revoked=true", "twin"))
        .extracting(t -> t.path("revokedAt").isNull())
        .containsExactly(true, false);
  }

  @Test
  void aRotatedTokenWorksForTheOverlapOnly() {
    JsonNode old =
        SERVER.admin().post("/tokens", "{\"name\":\"turned\",\"role\":\"operator\"}").json();
    String path = "/tokens/" + old.at("/token/id").asString() + "/rotate";
    Answer made = SERVER.admin().post(path + "?overlap=2h", "");
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.header("Cache-Control")).isEqualTo("no-store");
    JsonNode next = made.json();
    assertThat(next.at("/token/name").asString()).isEqualTo("turned");
    assertThat(next.at("/token/role").asString()).isEqualTo("operator");
    ApiClient by = new ApiClient(SERVER.url(), old.path("secret").asString());
    assertThat(Instant.parse(by.get("/session").json().path("expiresAt").asString()))
        .isCloseTo(Instant.now().plus(Duration.ofHours(2)), within(1, ChronoUnit.MINUTES));
    assertThat(new ApiClient(SERVER.url(), next.path("secret").asString()).get("/session").status())
        .isEqualTo(200);
    assertThat(SERVER.admin().post(path + "?overlap=0s", "").status()).isEqualTo(201);
    assertThat(by.get("/session").status()).isEqualTo(401);
    assertThat(SERVER.admin().post(path, "").status()).isEqualTo(404);
    assertThat(
            SERVER
                .admin()
                .post("/tokens/" + next.at("/token/id").asString() + "/rotate?overlap=31d", "")
                .status())
        .isEqualTo(400);
  }

  private static List<JsonNode> named(String path, String name) {
    return SERVER
        .admin()
        .get(path)
        .json()
        .path("items")
        .valueStream()
        .filter(token -> token.path("name").asString().equals(name))
        .toList();
  }

  @Test
  void whenTheLastAdminTokenHasExpiredTheNextStartMakesOne() {
    try (PeerlensServer server = PeerlensServer.start(TestDatabase.create(), Set.of(Role.API))) {
      server
          .context()
          .getBean(JdbcClient.class)
          .sql("update api_token set expires_at = now() - interval '1 s'")
          .update();
      assertThat(server.admin().get("/session").status()).isEqualTo(401);
      try (PeerlensServer again = PeerlensServer.start(server.database(), Set.of(Role.API))) {
        assertThat(again.adminToken()).isNotNull();
        assertThat(again.admin().get("/tokens").status()).isEqualTo(200);
      }
    }
  }

  @Test
  void aPathNamesItsOwnMethodsOnly() throws Exception {
    assertThat(allowed("/outlier-groups/suggestions")).doesNotContain("PUT", "DELETE");
    assertThat(allowed("/tokens")).isEqualTo("GET, HEAD, OPTIONS, POST");
    Answer put = SERVER.admin().put("/outlier-groups/suggestions", "{}");
    assertThat(put.status()).isEqualTo(405);
    assertThat(put.header("Allow")).isEqualTo(allowed("/outlier-groups/suggestions"));
    assertThat(SERVER.admin().send("HEAD", "/session/pairings", null).status()).isEqualTo(405);
  }

  private static String allowed(String path) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(URI.create(SERVER.url() + ContractRoles.BASE + path))
                  .method("OPTIONS", BodyPublishers.noBody())
                  .header("Authorization", "Bearer " + SERVER.adminToken())
                  .build(),
              BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      return answer.headers().firstValue("Allow").orElse("");
    }
  }

  @Test
  void tooManyFailedSignInsAreSlowedDown() {
    try (PeerlensServer server =
        PeerlensServer.start(
            TestDatabase.migrated(), Set.of(Role.API), "peerlens.security.sign-in-attempts=3")) {
      for (int i = 0; i < 3; i++) {
        Answer answer = server.anonymous().post("/session", "{\"token\":\"plt_wrong\"}");
        assertThat(answer.status()).isEqualTo(401);
      }
      Answer answer = server.anonymous().post("/session", "{\"token\":\"plt_wrong\"}");
      assertThat(answer.status()).isEqualTo(429);
      assertThat(answer.json().path("code").asString()).isEqualTo("rate-limited");
      assertThat(Integer.parseInt(answer.header("Retry-After"))).isBetween(1, 301);
      assertThat(server.admin().get("/session").status()).isEqualTo(200);
      // Behind a proxy others have the same address: who has a right token does not wait for them.
      String right = "{\"token\":\"" + server.adminToken() + "\"}";
      assertThat(server.anonymous().post("/session", right).status()).isEqualTo(200);
      theLastAdminTokenCannotBeRevoked(server);
      aSecondStartMakesNoSecondAdminToken(server);
    }
  }

  private void theLastAdminTokenCannotBeRevoked(PeerlensServer server) {
    String id = server.admin().get("/session").json().path("tokenId").asString();
    Answer answer = server.admin().delete("/tokens/" + id);
    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.json().path("code").asString()).isEqualTo("conflict");
    server.admin().post("/tokens", "{\"name\":\"second\",\"role\":\"admin\"}");
    assertThat(server.admin().delete("/tokens/" + id).status()).isEqualTo(204);
  }

  private void aSecondStartMakesNoSecondAdminToken(PeerlensServer server) {
    try (PeerlensServer again = PeerlensServer.start(server.database(), Set.of(Role.API))) {
      assertThat(again.adminToken()).isNull();
    }
  }

  @Test
  void aProcessWithoutTheApiAnswersHealthOnly() {
    try (PeerlensServer server =
        PeerlensServer.start(TestDatabase.migrated(), Set.of(Role.NOTIFIER))) {
      assertThat(server.adminToken()).isNull();
      assertThat(server.anonymous().get("//health").status()).isEqualTo(200);
      assertThat(server.anonymous().get("/objects").status()).isEqualTo(401);
    }
  }

  // -----------------------------------------------------------------------------------------------

  private record SignedIn(Answer answer, String cookie, ApiClient client) {}

  private SignedIn signIn(String token) {
    Answer answer = SERVER.anonymous().post("/session", "{\"token\":\"" + token + "\"}");
    assertThat(answer.status()).isEqualTo(200);
    String cookie = answer.header("Set-Cookie").replaceFirst(";.*", "").replaceFirst("[^=]*=", "");
    return new SignedIn(
        answer, cookie, SERVER.anonymous().with("Cookie", "peerlens_session=" + cookie));
  }

  private void age(SignedIn session, String change) {
    assertThat(
            jdbc.sql("update browser_session set " + change + " where secret_hash = :hash")
                .param("hash", new Secret(session.cookie()).hash())
                .update())
        .isEqualTo(1);
  }

  private String lastUsed(String name) {
    return jdbc.sql("select last_used_at::text from api_token where name = :name")
        .param("name", name)
        .query(String.class)
        .single();
  }

  private static ApiClient as(String role) {
    return Objects.requireNonNull(CLIENTS.get(role));
  }

  private static ApiClient client(String role) {
    String body = "{\"name\":\"test-" + role + "\",\"role\":\"" + role + "\"}";
    return new ApiClient(
        SERVER.url(), SERVER.admin().post("/tokens", body).json().path("secret").asString());
  }

  private static Answer call(ApiClient client, Operation operation) {
    String path =
        operation
            .path()
            .substring(ContractRoles.BASE.length())
            .replaceAll("\\{[a-zA-Z]*[iI]d}", new UUID(0, 7).toString())
            .replaceAll("\\{[^}]+}", "None");
    boolean hasBody = !Set.of("GET", "DELETE").contains(operation.method().name());
    return client.send(operation.method().name(), path, hasBody ? "{}" : null);
  }
}
