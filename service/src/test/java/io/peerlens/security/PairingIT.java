package io.peerlens.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

/** Screens without a keyboard that somebody else lets in. */
class PairingIT {

  private static PeerlensServer server;
  private static JdbcClient jdbc;

  private ApiClient screen;
  private ApiClient operator;

  @BeforeAll
  static void start() {
    server =
        PeerlensServer.start(
            TestDatabase.migrated(), Set.of(Role.API), "peerlens.security.sign-in-attempts=50");
    jdbc = server.context().getBean(JdbcClient.class);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void clients() {
    jdbc.sql("delete from pairing").update();
    screen = server.anonymous();
    operator = as("operator");
  }

  @Test
  void aScreenReadsOnceItsCodeIsApproved() {
    JsonNode waiting = request();
    assertThat(waiting.get("code").asString()).matches("[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}");
    assertThat(collect(waiting).json().get("paired").asBoolean()).isFalse();
    assertThat(collect(waiting).header("Set-Cookie")).isEmpty();
    String typed = waiting.get("code").asString().toLowerCase().replace("-", " ");
    assertThat(approve(typed, "Control room").status()).isEqualTo(204);

    Answer paired = collect(waiting);
    assertThat(paired.status()).isEqualTo(200);
    assertThat(paired.header("Cache-Control")).isEqualTo("no-store");
    assertThat(paired.json().at("/session/role").asString()).isEqualTo("screen");
    assertThat(paired.json().at("/session/name").asString()).isEqualTo("Control room");
    String cookie = paired.header("Set-Cookie");
    assertThat(cookie).contains("HttpOnly", "SameSite=Strict");
    ApiClient wall = screen.with("Cookie", cookie.replaceFirst(";.*", ""));
    assertThat(wall.get("/outlier-groups").status()).isEqualTo(200);
    assertThat(
            wall.with("X-CSRF-Token", paired.json().at("/session/csrfToken").asString())
                .post("/session/pairings/approve", "{\"code\":\"2222-2222\",\"name\":\"x\"}")
                .status())
        .isEqualTo(403);

    // It reads what walls show, and nothing else.
    for (String other : List.of("/objects", "/dashboards", "/thresholds", "/tokens", "/sessions")) {
      assertThat(wall.get(other).status()).as(other).isEqualTo(403);
    }

    // It is a token like any other: seen, and revoked; but nobody has its secret to replace.
    JsonNode tokens = server.admin().get("/tokens").json().get("items");
    JsonNode token =
        tokens
            .valueStream()
            .filter(t -> t.get("name").asString().equals("Control room"))
            .findFirst()
            .orElseThrow();
    assertThat(token.get("createdBy").asString()).isEqualTo("operator");
    assertThat(token.get("role").asString()).isEqualTo("screen");
    assertThat(
            server.admin().post("/tokens/" + token.get("id").asString() + "/rotate", "").status())
        .isEqualTo(409);
    assertThat(server.admin().post("/tokens", "{\"name\":\"x\",\"role\":\"screen\"}").status())
        .isEqualTo(400);
    assertThat(
            server.admin().send("DELETE", "/tokens/" + token.get("id").asString(), null).status())
        .isEqualTo(204);
    assertThat(wall.get("/outlier-groups").status()).isEqualTo(401);
  }

  @Test
  void theSecretWorksOnce() {
    JsonNode waiting = request();
    String secret = waiting.get("secret").asString();
    assertThat(new ApiClient(server.url(), secret).get("/outlier-groups").status()).isEqualTo(401);
    approve(waiting.get("code").asString(), "Hall");
    assertThat(collect(waiting).json().get("paired").asBoolean()).isTrue();
    assertThat(collect(waiting).status()).isEqualTo(404);
    assertThat(new ApiClient(server.url(), secret).get("/outlier-groups").status()).isEqualTo(401);
    assertThat(approve(waiting.get("code").asString(), "Hall again").status()).isEqualTo(404);
    assertThat(server.admin().get("/tokens").body()).doesNotContain(secret);
  }

  @Test
  void aCodeThatIsNotApprovedInTimeExpires() {
    JsonNode waiting = request();
    jdbc.sql("update pairing set expires_at = now() - interval '1 second'").update();
    Answer late = approve(waiting.get("code").asString(), "Late");
    assertThat(late.status()).isEqualTo(404);
    assertThat(server.admin().get("/tokens").body()).doesNotContain("\"Late\"");
    assertThat(late.json().at("/errors/0/field").asString()).isEqualTo("code");
    request();
    assertThat(jdbc.sql("select count(*) from pairing").query(Integer.class).single()).isEqualTo(1);
  }

  @Test
  void aTokenThatWasRevokedIsNotBroughtBack() {
    JsonNode made = server.admin().post("/tokens", "{\"name\":\"old\",\"role\":\"viewer\"}").json();
    server.admin().send("DELETE", "/tokens/" + made.at("/token/id").asString(), null);
    Answer answer =
        screen.post(
            "/session/pairings/collect", "{\"secret\":\"" + made.get("secret").asString() + "\"}");
    assertThat(answer.status()).isEqualTo(404);
  }

  @Test
  void twoSimultaneousCollectionsGetOneSession() throws Exception {
    JsonNode waiting = request();
    approve(waiting.get("code").asString(), "Race");
    List<Answer> answers = new ArrayList<>();
    try (ExecutorService screens = Executors.newFixedThreadPool(8)) {
      for (Future<Answer> done :
          screens.invokeAll(Collections.<Callable<Answer>>nCopies(8, () -> collect(waiting)))) {
        answers.add(done.get());
      }
    }
    assertThat(answers).filteredOn(a -> !a.header("Set-Cookie").isEmpty()).hasSize(1);
    assertThat(answers).filteredOn(a -> a.status() == 404).hasSize(7);
    assertThat(
            jdbc.sql(
                    "select count(*) from browser_session s join api_token t on t.id = s.token_id where t.name = 'Race'")
                .query(Integer.class)
                .single())
        .isEqualTo(1);
  }

  @Test
  void oneNetworkCannotTakeAllPlaces() {
    JsonNode ours = request();
    PairingStore store = new PairingStore(jdbc);
    TransactionTemplate transaction =
        new TransactionTemplate(server.context().getBean(PlatformTransactionManager.class));
    Instant now = Instant.now();
    for (int i = 0; i < 2 * Pairings.MOST_WAITING; i++) {
      int number = i;
      transaction.executeWithoutResult(
          status ->
              store.insert(
                  UUID.randomUUID(),
                  Secret.random("plp_").hash(),
                  "code " + number,
                  "198.51.100." + number % 4,
                  now.plusMillis(number),
                  now.plusSeconds(600),
                  Pairings.MOST_WAITING));
    }
    assertThat(jdbc.sql("select count(*) from pairing").query(Integer.class).single())
        .isEqualTo(Pairings.MOST_WAITING);
    assertThat(approve(ours.get("code").asString(), "Ours").status()).isEqualTo(204);
    assertThat(collect(ours).json().get("paired").asBoolean()).isTrue();
  }

  @Test
  void tooFrequentPollingIsSlowedDown() {
    try (PeerlensServer own = PeerlensServer.start(TestDatabase.migrated(), Set.of(Role.API))) {
      for (int i = 0; i < 30; i++) {
        assertThat(own.anonymous().post("/session/pairings", "").status()).isEqualTo(201);
      }
      Answer refused = own.anonymous().post("/session/pairings", "");
      assertThat(refused.status()).isEqualTo(429);
      assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 601);
    }
  }

  @Test
  void wrongCodesAreSlowedDown() {
    try (PeerlensServer own =
        PeerlensServer.start(
            TestDatabase.migrated(), Set.of(Role.API), "peerlens.security.sign-in-attempts=3")) {
      for (int i = 0; i < 3; i++) {
        assertThat(approve(own.admin(), "2345-678" + i, "x").status()).isEqualTo(404);
      }
      assertThat(approve(own.admin(), "2345-6789", "x").status()).isEqualTo(429);
    }
  }

  private JsonNode request() {
    Answer answer = screen.post("/session/pairings", "");
    assertThat(answer.status()).isEqualTo(201);
    return answer.json();
  }

  private Answer collect(JsonNode waiting) {
    return screen.post(
        "/session/pairings/collect", "{\"secret\":\"" + waiting.get("secret").asString() + "\"}");
  }

  private Answer approve(String code, String name) {
    return approve(operator, code, name);
  }

  private static Answer approve(ApiClient by, String code, String name) {
    return by.post(
        "/session/pairings/approve", "{\"code\":\"" + code + "\",\"name\":\"" + name + "\"}");
  }

  private static ApiClient as(String role) {
    String body = "{\"name\":\"" + role + "\",\"role\":\"" + role + "\"}";
    return new ApiClient(
        server.url(), server.admin().post("/tokens", body).json().get("secret").asString());
  }
}
