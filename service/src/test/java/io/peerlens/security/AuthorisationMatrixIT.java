package io.peerlens.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.UserRole;
import io.peerlens.node.Role;
import io.peerlens.suiteapi.SuiteApiPaths;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import io.peerlens.support.TestKafka;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;

/**
 * Every path beside /api/v1 with every kind of credentials, held against {@code
 * authorisation/matrix.txt}. {@link SecurityIT} does it for /api/v1, whose roles are in the
 * contract.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class AuthorisationMatrixIT {

  private static final String SUITE_API = "/suite-api/";
  private static final String MCP = "/mcp";
  private static final String REMOTE_WRITE = "/api/v1/write";

  /** Those that take the password of InfluxDB 1 as a parameter. */
  private static final Set<String> WITH_PASSWORD = Set.of("/write", "/query");

  /** Roles whose tokens are made for people and programs. */
  private static final Set<UserRole> ROLES =
      EnumSet.complementOf(EnumSet.of(UserRole.SCREEN, UserRole.LINK));

  private static final String NOBODY = "plt_" + "x".repeat(43);

  private final Map<UserRole, String> tokens = new EnumMap<>(UserRole.class);
  private PeerlensServer server;
  private String expired;
  private String revoked;
  private String endedSession;
  private String sessionOfRevoked;
  private String sessionOfExpired;
  private String openSession;
  private String browserSession;

  /** Line of the matrix; without roles it is open to anybody. */
  record Line(String method, String path, Set<UserRole> roles) {

    boolean isOpen() {
      return roles.isEmpty();
    }

    String operation() {
      return method + " " + path;
    }

    /** With an id of nothing in place of each variable. */
    String asked() {
      return path.replaceAll("\\{id}", new UUID(0, 7).toString()).replaceAll("\\{[^}]+}", "None");
    }

    @Override
    public String toString() {
      return operation();
    }
  }

  static List<Line> lines() throws IOException {
    try (InputStream file =
        Objects.requireNonNull(
            AuthorisationMatrixIT.class.getResourceAsStream("/authorisation/matrix.txt"))) {
      return new String(file.readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#") && !line.isBlank())
          .map(line -> line.split("\\s+"))
          .map(words -> new Line(words[1], words[2], roles(words[0])))
          .toList();
    }
  }

  private static Set<UserRole> roles(String word) {
    return switch (word) {
      case "anybody" -> Set.of();
      case "known" -> EnumSet.copyOf(ROLES);
      case "readers" -> EnumSet.of(UserRole.VIEWER, UserRole.OPERATOR, UserRole.ADMIN);
      case "operators" -> EnumSet.of(UserRole.OPERATOR, UserRole.ADMIN);
      case "writers" -> EnumSet.of(UserRole.INGEST, UserRole.OPERATOR, UserRole.ADMIN);
      default -> throw new IllegalArgumentException(word);
    };
  }

  @BeforeAll
  void start() {
    String topic = "matrix-" + UUID.randomUUID();
    TestKafka.shared().createTopic(topic, 1);
    server =
        PeerlensServer.start(
            TestDatabase.migrated(),
            Set.of(Role.API),
            "peerlens.ingest.bootstrap-servers=" + TestKafka.shared().bootstrap(),
            "peerlens.ingest.topic=" + topic,
            "peerlens.events.topic=" + topic,
            "peerlens.security.sign-in-attempts=1000000",
            "peerlens.load.requests-per-second=10000");
    for (UserRole role : ROLES) {
      tokens.put(role, made(role.getValue(), role).path("secret").asString());
    }
    ApiTokens narrow = server.context().getBean(ApiTokens.class);
    Instant later = Instant.now().plusSeconds(3600);
    tokens.put(
        UserRole.SCREEN, narrow.create("screen", UserRole.SCREEN, "test", later).getSecret());
    tokens.put(
        UserRole.LINK, narrow.createLink("link", "admin", later, new UUID(0, 7)).getSecret());
    JsonNode old = made("old", UserRole.ADMIN);
    expired = old.path("secret").asString();
    sessionOfExpired = session(expired);
    JsonNode gone = made("gone", UserRole.ADMIN);
    revoked = gone.path("secret").asString();
    sessionOfRevoked = session(revoked);
    assertThat(server.admin().delete("/tokens/" + gone.at("/token/id").asString()).status())
        .isEqualTo(204);
    server
        .context()
        .getBean(JdbcClient.class)
        .sql("update api_token set expires_at = now() - interval '1 s' where name = 'old'")
        .update();
    endedSession = session(token(UserRole.ADMIN));
    assertThat(
            by("vRealizeOpsToken " + endedSession)
                .post("/" + SUITE_API + "api/auth/token/release", "")
                .status())
        .isEqualTo(200);
    openSession = session(token(UserRole.ADMIN));
    browserSession =
        server
            .anonymous()
            .post("/session", "{\"token\":\"%s\"}".formatted(token(UserRole.ADMIN)))
            .header("Set-Cookie")
            .replaceFirst(";.*", "")
            .replaceFirst("[^=]*=", "");
    assertThat(browserSession).startsWith("pls_");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private JsonNode made(String name, UserRole role) {
    Answer answer =
        server
            .admin()
            .post("/tokens", "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(name, role.getValue()));
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return answer.json();
  }

  private String token(UserRole role) {
    return Objects.requireNonNull(tokens.get(role));
  }

  /** Signs in at the suite-api. */
  private String session(String token) {
    Answer answer =
        server
            .anonymous()
            .post(
                "/" + SUITE_API + "api/auth/token/acquire",
                "{\"username\":\"x\",\"password\":\"%s\"}".formatted(token));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json().path("token").asString();
  }

  private ApiClient by(String authorization) {
    return server.anonymous().with("Authorization", authorization);
  }

  private ApiClient by(Line line, String authorization) {
    return anonymous(line).with("Authorization", authorization);
  }

  /** Answers at the path of remote write are none of the contract, though it lies below /api/v1. */
  private ApiClient anonymous(Line line) {
    return line.path().equals(REMOTE_WRITE)
        ? new ApiClient(server.url() + "/api", null)
        : server.anonymous();
  }

  private static String basic(String password) {
    return "Basic " + Base64.getEncoder().encodeToString(("somebody:" + password).getBytes(UTF_8));
  }

  private static boolean isSuiteApi(Line line) {
    return line.path().startsWith(SUITE_API);
  }

  // ------------------------------------------------------------------------- is it all there?

  @Test
  void theMatrixHasALineForEveryPath() throws IOException {
    Set<String> inMatrix =
        lines().stream().map(Line::operation).collect(Collectors.toCollection(TreeSet::new));
    Set<String> ofSuiteApi = new TreeSet<>(SuiteApiPaths.of(server.context()));
    assertThat(ofSuiteApi).hasSizeGreaterThan(70);
    assertThat(inMatrix.stream().filter(operation -> operation.contains(SUITE_API)))
        .containsExactlyElementsOf(ofSuiteApi);

    Set<String> servlets = new TreeSet<>();
    for (ServletRegistrationBean<?> bean :
        server.context().getBeansOfType(ServletRegistrationBean.class).values()) {
      servlets.addAll(bean.getUrlMappings());
    }
    servlets.remove("/"); // Spring's, see below
    assertThat(servlets.remove("/suite-api/*")).isTrue();
    Set<String> others =
        lines().stream()
            .filter(line -> !isSuiteApi(line))
            .map(Line::path)
            .collect(Collectors.toSet());
    assertThat(others).isEqualTo(servlets);
  }

  @Test
  void everyPathOfAControllerIsInTheContractOrAsksItself() {
    Set<String> contract =
        ContractRoles.read().stream()
            .map(operation -> shape(operation.path()))
            .collect(Collectors.toSet());
    Set<String> others = new TreeSet<>();
    for (RequestMappingHandlerMapping mapping :
        server.context().getBeansOfType(RequestMappingHandlerMapping.class).values()) {
      mapping
          .getHandlerMethods()
          .keySet()
          .forEach(
              info ->
                  info.getPatternValues().stream()
                      .filter(pattern -> !contract.contains(shape(pattern)))
                      .forEach(others::add));
    }
    others.removeIf(pattern -> pattern.startsWith("/relay/")); // RelayIT
    assertThat(others).containsExactly("/error");
  }

  private static String shape(String path) {
    return path.replaceAll("\\{[^}]+}", "{}");
  }

  // ------------------------------------------------------------------------- who is refused

  @ParameterizedTest
  @MethodSource("lines")
  void nobodyIsLetInWithoutCredentialsThatAreInForce(Line line) {
    if (line.isOpen()) {
      return;
    }
    isRefused(line, ask(anonymous(line), line), 401, "no credentials");
    for (String cookie : List.of(browserSession, openSession)) {
      isRefused(
          line,
          ask(anonymous(line).with("Cookie", "peerlens_session=" + cookie), line),
          401,
          "a cookie");
    }
    List<String> secrets =
        new ArrayList<>(
            List.of(
                NOBODY,
                expired,
                revoked,
                endedSession,
                sessionOfRevoked,
                sessionOfExpired,
                browserSession));
    if (!isSuiteApi(line)) {
      secrets.add(openSession);
    }
    for (String secret : secrets) {
      for (String way : ways(line, secret)) {
        isRefused(line, ask(by(line, way), line), 401, scheme(way));
      }
    }
    for (String nonsense : List.of("", "Bearer", "Bearer ", "Basic", "Basic %%%", "Negotiate x")) {
      isRefused(
          line, ask(anonymous(line).with("Authorization", nonsense + " "), line), 401, nonsense);
    }
  }

  @ParameterizedTest
  @MethodSource("lines")
  void otherWaysToSendATokenAreNotTaken(Line line) {
    String admin = token(UserRole.ADMIN);
    List<String> foreign =
        isSuiteApi(line)
            ? List.of("Token " + admin, admin)
            : line.path().equals(MCP)
                ? List.of(basic(admin), "Token " + admin, "vRealizeOpsToken " + admin, admin)
                : List.of("vRealizeOpsToken " + admin, "OpsToken " + admin, admin);
    for (String way : foreign) {
      if (!line.isOpen()) {
        isRefused(line, ask(by(line, way), line), 401, scheme(way));
      }
    }
    // A password in an address stands in logs: only where senders know no other way.
    String parameters = "?access_token=%s&token=%s&u=x&p=%s".formatted(admin, admin, admin);
    Answer answer = ask(anonymous(line), line, line.asked() + parameters);
    if (WITH_PASSWORD.contains(line.path())) {
      assertThat(answer.status()).isNotIn(401, 403);
    } else if (!line.isOpen()) {
      isRefused(line, answer, 401, "parameters");
    }
  }

  @ParameterizedTest
  @MethodSource("lines")
  void aRoleIsLetInOrRefusedAsTheMatrixSays(Line line) {
    for (UserRole role : ROLES) {
      List<String> ways = new ArrayList<>(ways(line, token(role)));
      if (isSuiteApi(line)) {
        ways.add("vRealizeOpsToken " + session(token(role)));
        ways.add("Bearer " + session(token(role)));
      }
      for (String way : ways) {
        Answer answer = ask(by(line, way), line);
        if (line.isOpen() || line.roles().contains(role)) {
          assertThat(answer.status())
              .as("%s as %s by %s: %s", line, role, scheme(way), answer.body())
              .isNotIn(401, 403, 405, 429, 500);
        } else {
          isRefused(line, answer, 403, scheme(way));
          assertThat(answer.body()).contains("role " + role);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("lines")
  void screensAndLinksAreLetInNowhereHere(Line line) {
    if (line.isOpen()) {
      return;
    }
    int status = line.path().equals(MCP) ? 403 : 401;
    for (UserRole role : List.of(UserRole.SCREEN, UserRole.LINK)) {
      for (String way : ways(line, token(role))) {
        isRefused(line, ask(by(line, way), line), status, role + " by " + scheme(way));
      }
    }
  }

  @Test
  void screensAndLinksOpenNoSession() {
    for (UserRole role : List.of(UserRole.SCREEN, UserRole.LINK)) {
      assertThat(
              server
                  .anonymous()
                  .post("/session", "{\"token\":\"%s\"}".formatted(token(role)))
                  .status())
          .as("%s", role)
          .isEqualTo(401);
      assertThat(
              server
                  .anonymous()
                  .post(
                      "/" + SUITE_API + "api/auth/token/acquire",
                      "{\"username\":\"x\",\"password\":\"%s\"}".formatted(token(role)))
                  .status())
          .as("%s", role)
          .isEqualTo(401);
    }
  }

  @ParameterizedTest
  @MethodSource("lines")
  void anotherMethodIsNoWayAround(Line line) {
    if (line.isOpen()) {
      return;
    }
    for (String method : List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")) {
      Answer answer = ask(anonymous(line), line, method, line.asked());
      assertThat(answer.status()).as("%s %s", method, line.path()).isIn(401, 405);
    }
  }

  @Test
  void protobufIsRefusedInProtobuf() {
    byte[] denied =
        by("Bearer " + token(UserRole.VIEWER))
            .upload("//v1/metrics", "application/x-protobuf", new byte[0])
            .response()
            .body();
    assertThat(denied).startsWith(8, 7, 2 << 3 | 2); // code PERMISSION_DENIED, then the message
    byte[] unknown =
        server
            .anonymous()
            .upload("//v1/metrics", "application/x-protobuf", new byte[0])
            .response()
            .body();
    assertThat(unknown).startsWith(8, 16, 2 << 3 | 2);
  }

  /** The ways in which programs send a secret to an interface. */
  private static List<String> ways(Line line, String secret) {
    if (isSuiteApi(line)) {
      return List.of(
          "vRealizeOpsToken " + secret,
          "OpsToken " + secret,
          "opstoken " + secret,
          "CSPToken " + secret,
          "Bearer " + secret,
          basic(secret));
    }
    return line.path().equals(MCP)
        ? List.of("Bearer " + secret, "bearer " + secret)
        : List.of("Bearer " + secret, "Token " + secret, "Token somebody:" + secret, basic(secret));
  }

  private static String scheme(String authorization) {
    return authorization.replaceFirst(" .*", "");
  }

  private static Answer ask(ApiClient client, Line line) {
    return ask(client, line, line.asked());
  }

  private static Answer ask(ApiClient client, Line line, String path) {
    return ask(client, line, line.method(), path);
  }

  private static Answer ask(ApiClient client, Line line, String method, String path) {
    String body = null;
    if (Set.of("POST", "PUT").contains(method)) {
      body =
          line.path().equals(MCP)
              ? "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\", \"params\": {}}"
              : "{}";
    }
    return client
        .with("Accept", line.path().equals(MCP) ? "application/json, text/event-stream" : "*/*")
        .send(
            method,
            "/" + (line.path().equals(REMOTE_WRITE) ? path.substring("/api".length()) : path),
            body);
  }

  // ------------------------------------------------------------------------- how it is said

  private void isRefused(Line line, Answer answer, int status, String by) {
    assertThat(answer.status()).as("%s by %s: %s", line, by, answer.body()).isEqualTo(status);
    String challenge = answer.header("WWW-Authenticate");
    String type = answer.header("Content-Type");
    if (isSuiteApi(line)) {
      assertThat(challenge).isEqualTo(status == 401 ? "vRealizeOpsToken" : "");
      assertThat(type).startsWith("application/json");
      assertThat(answer.json().path("httpStatusCode").asInt()).isEqualTo(status);
      assertThat(answer.json().path("message").asString()).isNotBlank();
      assertThat(answer.json().path("apiErrorCode").isNumber()).isTrue();
      return;
    }
    if (status == 401) {
      assertThat(challenge).startsWith("Bearer");
    }
    String message =
        switch (line.path()) {
          case MCP -> {
            assertThat(type).startsWith("application/json");
            assertThat(answer.json().path("jsonrpc").asString()).isEqualTo("2.0");
            assertThat(answer.json().path("id").isNull()).isTrue();
            assertThat(answer.json().at("/error/code").asInt()).isNegative();
            yield answer.json().at("/error/message").asString();
          }
          case "/v1/metrics" -> {
            assertThat(type).startsWith("application/json");
            assertThat(answer.json().path("code").asInt()).isEqualTo(status == 401 ? 16 : 7);
            yield answer.json().path("message").asString();
          }
          case "/api/v2/write" -> {
            assertThat(answer.json().path("code").asString())
                .isEqualTo(status == 401 ? "unauthorized" : "forbidden");
            yield answer.json().path("message").asString();
          }
          case "/write", "/query" -> answer.json().path("error").asString();
          case REMOTE_WRITE -> {
            assertThat(type).startsWith("text/plain");
            yield answer.body();
          }
          case "/v1/samples", "/v1/events" -> {
            assertThat(type).startsWith("application/problem+json");
            assertThat(answer.json().path("code").asString())
                .isEqualTo(status == 401 ? "unauthenticated" : "forbidden");
            yield answer.json().path("detail").asString();
          }
          default -> throw new IllegalStateException("no form of " + line);
        };
    assertThat(message).isNotBlank();
    for (String secret : tokens.values()) {
      assertThat(answer.body()).doesNotContain(secret);
    }
  }
}
