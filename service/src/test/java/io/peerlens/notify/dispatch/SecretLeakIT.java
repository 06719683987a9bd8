package io.peerlens.notify.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.peerlens.node.Role;
import io.peerlens.support.AlertSteps;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.WebhookReceiver;
import io.peerlens.support.WebhookReceiver.Received;
import io.peerlens.support.WebhookReceiver.Reply;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Secrets of every kind are given, used and repeated by a receiver that refuses everything; then
 * whatever is kept or shown is looked through for them: the log, every answer of the API, every
 * table of the database, dead letters among them, and the metrics.
 */
@Isolated("reads what the whole JVM logs, whose appenders go when any server starts or stops")
class SecretLeakIT {

  private static final String PASSWORD = "Pw-7f3a9c \"quoted\" & more";
  private static final String TOKEN = "tok-5bd0e1a2c4f6";
  private static final String API_KEY = "key-91c7aa03d55e";
  private static final String SIGNING = "whsec_" + base64("a signing key of thirty-two b!");
  private static final String IN_TEMPLATE = "routing-6e2f88b0417d";
  private static final String IN_URL = "T0aB1cD2eF3gH4iJ5kL6";
  private static final String MAIL = "Mail-c0ffee-1234";
  private static final String COMMUNITY = "community-77aa31";
  private static final String RELAY = "Relay-0d9b6f2e";
  private static final String WRONG = "Wrong-3ad1b0c9";

  private static final List<String> ALL =
      List.of(
          PASSWORD, TOKEN, API_KEY, SIGNING, IN_TEMPLATE, IN_URL, MAIL, COMMUNITY, RELAY, WRONG);

  private final SampleData data = SampleData.create();
  private final WebhookReceiver receiver = WebhookReceiver.start();
  private final Log log = new Log();
  private final PeerlensServer server = start();
  private final ApiClient api = server.admin();

  /** Keeps everything that is logged. */
  private static final class Log extends AppenderBase<ILoggingEvent> {
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    @Override
    protected void append(ILoggingEvent event) {
      IThrowableProxy thrown = event.getThrowableProxy();
      lines.add(
          event.getFormattedMessage()
              + " "
              + event.getKeyValuePairs()
              + (thrown == null ? "" : ThrowableProxyUtil.asString(thrown)));
    }
  }

  private PeerlensServer start() {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) 5);
    return PeerlensServer.start(
        data.database(),
        Set.of(Role.NOTIFIER, Role.API),
        "peerlens.secrets.key=" + base64(key),
        "peerlens.notify.egress.allow=127.0.0.1",
        "peerlens.notify.delivery.retry-first=100ms",
        "peerlens.notify.delivery.poll=100ms");
  }

  @BeforeEach
  void listen() {
    log.start();
    root().addAppender(log);
    ours().setLevel(Level.DEBUG);
    receiver.at("/echo", SecretLeakIT::echo);
  }

  @AfterEach
  void close() {
    root().detachAppender(log);
    ours().setLevel(null);
    server.close();
    receiver.close();
    data.close();
  }

  private static Logger ours() {
    return (Logger) LoggerFactory.getLogger("io.peerlens");
  }

  private static Logger root() {
    return (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
  }

  /** Says no, and repeats all it was told, some of it in other spellings. */
  private static Reply echo(Received got) {
    StringBuilder all = new StringBuilder(got.target()).append('\n');
    got.headers()
        .forEach((name, value) -> all.append(name).append(": ").append(value).append('\n'));
    all.append(got.text()).append('\n');
    String told = all.toString();
    for (String secret : ALL) {
      if (told.contains(secret) || told.contains(base64("ops:" + secret))) {
        spellings(secret).forEach(one -> all.append(one).append('\n'));
      }
    }
    return Reply.status(400)
        .body("text/plain", all.toString())
        .header("X-Echo", String.valueOf(got.header("authorization")));
  }

  @Test
  void noSecretIsInAnythingThatIsKeptOrShown() throws Exception {
    List<String> targets =
        List.of(
            webhook(
                "basic",
                "{\"type\": \"basic\", \"username\": \"ops\", \"password\": {\"value\": %s}}",
                PASSWORD),
            webhook("bearer", "{\"type\": \"bearer\", \"token\": {\"value\": %s}}", TOKEN),
            webhook(
                "key",
                "{\"type\": \"api-key\", \"header\": \"X-Api-Key\", \"token\": {\"value\": %s}}",
                API_KEY),
            target(
                """
                {"name": "signed", "type": "webhook", "webhook": {"url": "%s?token=%s",
                  "signing": {"type": "standard-webhooks", "secrets": [{"value": "%s"}]}}}
                """
                    .formatted(receiver.url("/echo"), IN_URL, SIGNING)),
            target(
                """
                {"name": "mail", "type": "email", "email": {"host": "127.0.0.1", "port": %d, "security": "starttls", "username": "ops",
                  "password": {"value": "%s"}, "from": "peerlens@example.com", "to": ["ops@example.com"]},
                 "limits": {"maxAge": "1s"}}
                """
                    .formatted(closedPort(), MAIL)),
            target(
                """
                {"name": "trap", "type": "snmp", "snmp": {"host": "127.0.0.1", "port": %d, "version": "v2c",
                  "community": {"value": "%s"}}}
                """
                    .formatted(closedPort(), COMMUNITY)));
    secret("routing-key", IN_TEMPLATE);
    secret("relay-password", RELAY);
    made(
        api.post(
            "/notification-templates",
            """
            {"document": {"apiVersion": "alert-templates/v1", "id": "with-secret", "version": "1.0.0", "description": "Names a secret.",
              "render": {"format": "json", "body": {"routing_key": "${secret:routing-key}", "event": "${event}"}},
              "deliver": {"method": "POST", "headers": {"X-Routing": "${secret:routing-key}"}}}}
            """));
    for (String target : targets.subList(0, 4)) {
      rule(target, "with-secret");
    }
    rule(targets.get(4), "email");
    rule(targets.get(5), "snmp-peerlens");
    made(
        api.post(
            "/notification-relays",
            """
            {"name": "old-system", "auth": {"type": "basic", "username": "vrops", "password": {"secret": "relay-password"}}}
            """));
    relayed(WRONG, 401);
    relayed(RELAY, 201);

    UUID alert =
        new AlertSteps(data, InstantSource.system())
            .opens(data.object("VMWARE", "VirtualMachine", "vm-1"), 4);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                data.jdbc()
                        .sql(
                            "select count(*) from delivery where status in ('dead', 'unconfirmed')")
                        .query(Long.class)
                        .single()
                    == 12);
    for (String target : targets.subList(0, 4)) {
      Answer tested =
          api.post("/notification-targets/" + target + "/test", "{\"template\": \"with-secret\"}");
      assertThat(tested.status()).as(tested.body()).isEqualTo(200);
      clean("the answer to a test", tested.body());
    }

    // The receiver did get them, or there would be nothing to find.
    String got =
        String.join(
            "\n", receiver.received().stream().map(one -> one.headers() + one.text()).toList());
    assertThat(got).contains(TOKEN, API_KEY, IN_TEMPLATE, base64("ops:" + PASSWORD));

    for (String path :
        List.of(
            "/notification-targets",
            "/notification-targets/states",
            "/notification-templates",
            "/notification-templates/with-secret",
            "/notification-rules",
            "/notification-relays",
            "/notification-relays/states",
            "/secrets",
            "/deliveries?limit=200",
            "/alerts/" + alert + "/notifications",
            "/changes",
            "/rules/export")) {
      Answer answer = api.get(path);
      assertThat(answer.status()).as(path + " " + answer.body()).isEqualTo(200);
      clean(path, answer.body());
    }
    for (String target : targets) {
      clean("target", api.get("/notification-targets/" + target).body());
      clean("history", api.get("/notification-targets/" + target + "/history").body());
    }
    int read = 0;
    for (JsonNode one : api.get("/deliveries?limit=200").json().path("items")) {
      String body = api.get("/deliveries/" + one.path("id").asString("")).body();
      assertThat(body).contains("attempts");
      clean("a delivery", body);
      read++;
    }
    assertThat(read).isGreaterThanOrEqualTo(12);
    tables();
    ours().info("The log is listened to");
    assertThat(log.lines).anyMatch(line -> line.startsWith("The log is listened to"));
    clean("the log", String.join("\n", log.lines));
  }

  /** Every row of every table of ours. */
  private void tables() {
    List<String> tables =
        data.jdbc()
            .sql("select quote_ident(tablename) from pg_tables where schemaname = 'public'")
            .query(String.class)
            .list();
    assertThat(tables).contains("delivery", "delivery_attempt", "secret", "notification_target");
    for (String table : tables) {
      clean(
          "table " + table,
          String.join(
              "\n",
              data.jdbc().sql("select t::text from " + table + " t").query(String.class).list()));
    }
  }

  private static void clean(String where, String text) {
    for (String secret : ALL) {
      for (String spelling : spellings(secret)) {
        assertThat(text.contains(spelling)).as("%s holds %s", where, spelling).isFalse();
      }
    }
  }

  private static List<String> spellings(String secret) {
    String url = URLEncoder.encode(secret, StandardCharsets.UTF_8);
    String pair = (secret.equals(PASSWORD) ? "ops:" : "vrops:") + secret; // as basic sends them
    boolean inPair = List.of(PASSWORD, RELAY, WRONG).contains(secret);
    return List.of(
        secret,
        secret.replace("\"", "\\\""),
        secret.replace("&", "&amp;").replace("\"", "&quot;"),
        url,
        url.replace("+", "%20"),
        base64(secret),
        base64(inPair ? pair : secret),
        HexFormat.of().formatHex(secret.getBytes(StandardCharsets.UTF_8)));
  }

  private String webhook(String name, String auth, String secret) {
    return target(
        """
        {"name": "%s", "type": "webhook", "webhook": {"url": "%s", "auth": %s}}
        """
            .formatted(
                name,
                receiver.url("/echo"),
                auth.formatted("\"" + secret.replace("\"", "\\\"") + "\"")));
  }

  private String target(String definition) {
    return made(api.post("/notification-targets", definition)).path("id").asString("");
  }

  private void rule(String target, String template) {
    made(
        api.post(
            "/notification-rules",
            """
            {"name": "to %s", "template": "%s", "targets": ["%s"]}
            """
                .formatted(target, template, target)));
  }

  private void secret(String name, String value) {
    assertThat(api.put("/secrets/" + name, "{\"value\": \"%s\"}".formatted(value)).status())
        .isEqualTo(204);
  }

  private static JsonNode made(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    clean("the answer to a definition", answer.body());
    return answer.json();
  }

  private void relayed(String password, int status) throws IOException, InterruptedException {
    var answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(server.url() + "/relay/old-system/a-1"))
                    .header("Authorization", "Basic " + base64("vrops:" + password))
                    .header("Content-Type", "application/json")
                    .POST(
                        BodyPublishers.ofString(
                            """
                            {"alertId": "a-1", "status": "ACTIVE", "criticality": "ALERT_CRITICALITY_LEVEL_CRITICAL",
                             "alertName": "CPU", "resourceName": "vm-9", "resourceKind": "VirtualMachine"}
                            """))
                    .build(),
                BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    clean("the answer of a relay", answer.body() + Map.copyOf(answer.headers().map()));
  }

  private static int closedPort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static String base64(String text) {
    return base64(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
