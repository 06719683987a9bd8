package io.peerlens.notify.channel;

import static io.peerlens.notify.channel.WebhookTargets.DELIVERY;
import static io.peerlens.notify.channel.WebhookTargets.attempt;
import static io.peerlens.notify.channel.WebhookTargets.post;
import static io.peerlens.notify.channel.WebhookTargets.secrets;
import static io.peerlens.notify.channel.WebhookTargets.target;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.alerttemplates.Message;
import io.peerlens.alerttemplates.SecretMarks;
import io.peerlens.support.SettableClock;
import io.peerlens.support.TestCertificates;
import io.peerlens.support.WebhookReceiver;
import io.peerlens.support.WebhookReceiver.Received;
import io.peerlens.support.WebhookReceiver.Reply;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhookChannelTest {

  private static TestCertificates server;
  private static TestCertificates client;

  private final Map<String, String> values =
      new HashMap<>(
          Map.of(
              "password", "correct horse",
              "token", "tok-12345678",
              "client", "client-s3cret",
              "path", "T000/B000/XXXX"));
  private final SettableClock clock = new SettableClock(Instant.parse("2026-11-21T12:00:00Z"));
  private final WebhookReceiver receiver = WebhookReceiver.start();
  private final WebhookChannel channel = channel(HostResolver.SYSTEM, "127.0.0.0/8", "::1");

  private WebhookChannel channel(HostResolver resolver, String... allow) {
    return new WebhookChannel(
        secrets(values),
        new AddressGuard(new EgressProperties(List.of(allow), List.of(), List.of()), resolver),
        clock);
  }

  @BeforeAll
  static void makeCertificates(@TempDir Path folder) {
    server = TestCertificates.make(folder, "CN=receiver", "dns:receiver.example,ip:127.0.0.1");
    client = TestCertificates.make(folder, "CN=peerlens", "");
  }

  @AfterEach
  void close() {
    channel.close();
    receiver.close();
  }

  private Exchange send(String settings) {
    return send(target(settings), post("", "{}"));
  }

  private Exchange send(ActiveTarget target, Message message) {
    return channel.send(message, target, attempt());
  }

  private String url(String path) {
    return "'url': '" + receiver.url(path) + "'";
  }

  // Requests --------------------------------------------------------------------------------------

  @Test
  void theMessageIsSentUnchanged() {
    receiver.script(
        Reply.status(201)
            .header("X-Request-Id", "r1")
            .body("application/json", "{\"id\": \"INC1\"}"));
    Message.Http message =
        new Message.Http(
            "PUT",
            "/incidents/ä?x=1&y=a+b".replace("ä", "%C3%A4"),
            List.of(new Message.Header("X-Source", "peerlens")),
            "application/json; charset=utf-8",
            "{\"text\": \"Ärger 😀\"}");
    Exchange exchange = send(target("{" + url("/base/?k=v") + "}"), message);

    assertThat(exchange.verdict()).isEqualTo(new Verdict.Delivered());
    Received received = receiver.last();
    assertThat(received.method()).isEqualTo("PUT");
    assertThat(received.target()).isEqualTo("/base/incidents/%C3%A4?k=v&x=1&y=a+b");
    assertThat(received.text()).isEqualTo("{\"text\": \"Ärger 😀\"}");
    assertThat(received.header("Content-Type")).isEqualTo("application/json; charset=utf-8");
    assertThat(received.header("X-Source")).isEqualTo("peerlens");
    assertThat(received.header("webhook-id")).isEqualTo(DELIVERY.toString());
    assertThat(received.header("Idempotency-Key")).isEqualTo(DELIVERY.toString());
    assertThat(received.header("User-Agent")).isEqualTo("Peerlens");
    assertThat(received.header("Host")).isEqualTo("127.0.0.1:" + receiver.port());
    assertThat(received.headers()).doesNotContainKeys("accept-encoding", "cookie", "upgrade");

    Sent sent = exchange.sent();
    assertThat(sent.line())
        .isEqualTo("PUT " + receiver.url("/base/incidents/%C3%A4?k=v&x=1&y=a+b"));
    assertThat(sent.body()).isEqualTo("{\"text\": \"Ärger 😀\"}");
    assertThat(sent.header("x-source")).isEqualTo("peerlens");
    Answer answer = Objects.requireNonNull(exchange.answer());
    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.header("X-Request-Id")).isEqualTo("r1");
    assertThat(answer.body()).isEqualTo("{\"id\": \"INC1\"}");
    assertThat(answer.truncated()).isFalse();
    assertThat(exchange.took()).isPositive();
  }

  @Test
  void secretsGoIntoUrlPathHeadersAndBodyButNotIntoWhatIsKept() {
    Message.Http message =
        new Message.Http(
            "POST",
            "/x?key=" + SecretMarks.mark("password"),
            List.of(new Message.Header("X-Key", "k " + SecretMarks.mark("token"))),
            "application/json",
            "{\"key\": \"" + SecretMarks.mark("quote") + "\"}");
    values.put("quote", "a\"b\\c");
    Exchange exchange =
        send(
            target(
                "{"
                    + url("/services/${secret:path}")
                    + ", 'headers': [{'name': 'X-Both', 'value': 'v ${secret:client}'}]}"),
            message);
    Received received = receiver.last();
    assertThat(received.target()).isEqualTo("/services/T000/B000/XXXX/x?key=correct%20horse");
    assertThat(received.header("X-Key")).isEqualTo("k tok-12345678");
    assertThat(received.header("X-Both")).isEqualTo("v client-s3cret");
    assertThat(received.text()).isEqualTo("{\"key\": \"a\\\"b\\\\c\"}");
    assertThat(exchange.sent().line())
        .isEqualTo("POST " + receiver.url("/services/secret path/x?key=secret password"));
    assertThat(exchange.sent().header("X-Key")).isEqualTo("k secret token");
    assertThat(exchange.sent().body()).isEqualTo("{\"key\": \"secret quote\"}");
    assertThat(WebhookTargets.everything(exchange))
        .doesNotContain(
            "T000", "correct horse", "correct%20horse", "tok-12345678", "client-s3cret");
  }

  @Test
  void aUrlMayBeASecretAsAWhole() {
    values.put("url", receiver.url("/flow?sig=abcdef"));
    Exchange exchange = send("{'url': '${secret:url}'}");
    assertThat(exchange.verdict()).isEqualTo(new Verdict.Delivered());
    assertThat(receiver.last().target()).isEqualTo("/flow?sig=abcdef");
    assertThat(WebhookTargets.everything(exchange)).doesNotContain("abcdef");
  }

  @Test
  void aSecretThatIsMissingPausesTheTarget() {
    Exchange exchange =
        send("{" + url("/") + ", 'auth': {'type': 'bearer', 'token': {'secret': 'gone'}}}");
    assertThat(exchange.verdict())
        .isEqualTo(new Verdict.Unauthorized("The secret gone does not exist"));
    assertThat(exchange.sent().header("Authorization")).isEqualTo("Bearer secret gone");
    assertThat(receiver.received()).isEmpty();
  }

  @Test
  void otherMessagesAreRefused() {
    Exchange exchange = send(target("{" + url("/") + "}"), new Message.Trap("1.3.6.1", List.of()));
    assertThat(exchange.verdict()).isInstanceOf(Verdict.Refused.class);
    assertThat(receiver.received()).isEmpty();
  }

  // Authentication --------------------------------------------------------------------------------

  @Test
  void basicAuthenticationIsSent() {
    Exchange exchange =
        send(
            "{"
                + url("/")
                + ", 'auth': {'type': 'basic', 'username': 'ops', 'password': {'secret':"
                + " 'password'}}}");
    String pair =
        Base64.getEncoder().encodeToString("ops:correct horse".getBytes(StandardCharsets.UTF_8));
    assertThat(receiver.last().header("Authorization")).isEqualTo("Basic " + pair);
    assertThat(exchange.sent().header("Authorization")).isEqualTo("Basic ops:secret password");
  }

  @Test
  void authenticationHeadersOverrideThoseOfTheTemplate() {
    Message.Http message =
        new Message.Http(
            "POST",
            "",
            List.of(
                new Message.Header("authorization", "mine"),
                new Message.Header("webhook-id", "mine")),
            "text/plain",
            "x");
    send(
        target("{" + url("/") + ", 'auth': {'type': 'bearer', 'token': {'secret': 'token'}}}"),
        message);
    assertThat(receiver.last().header("Authorization")).isEqualTo("Bearer tok-12345678");
    assertThat(receiver.last().header("webhook-id")).isEqualTo(DELIVERY.toString());
  }

  @Test
  void anApiKeyIsSentInAHeader() {
    send(
        "{"
            + url("/")
            + ", 'auth': {'type': 'api-key', 'header': 'X-Api-Key', 'token': {'secret':"
            + " 'token'}}}");
    assertThat(receiver.last().header("X-Api-Key")).isEqualTo("tok-12345678");
  }

  private String oauth() {
    return "{"
        + url("/hook")
        + ", 'auth': {'type': 'oauth2-client-credentials', 'tokenUrl': '"
        + receiver.url("/token")
        + "', 'clientId': 'me&you', 'clientSecret': {'secret': 'client'}, 'scope': 'a b'}}";
  }

  private static Reply token(String token, int expires) {
    return Reply.status(200)
        .body(
            "application/json",
            "{\"access_token\": \"%s\", \"token_type\": \"Bearer\", \"expires_in\": %d}"
                .formatted(token, expires));
  }

  @Test
  void oauthTokensAreAskedForOnceAndKeptUntilShortlyBeforeTheirEnd() {
    receiver.at("/token", token("first-token", 3600));
    Exchange exchange = send(oauth());
    assertThat(exchange.verdict()).isEqualTo(new Verdict.Delivered());
    assertThat(receiver.received()).extracting(Received::target).containsExactly("/token", "/hook");
    Received asked = receiver.received().getFirst();
    assertThat(asked.text()).isEqualTo("grant_type=client_credentials&scope=a+b");
    assertThat(asked.header("Authorization"))
        .isEqualTo(
            "Basic "
                + Base64.getEncoder()
                    .encodeToString("me%26you:client-s3cret".getBytes(StandardCharsets.UTF_8)));
    assertThat(receiver.last().header("Authorization")).isEqualTo("Bearer first-token");
    assertThat(WebhookTargets.everything(exchange)).doesNotContain("first-token");

    clock.set(clock.instant().plusSeconds(3500));
    send(oauth());
    assertThat(receiver.received()).hasSize(3);

    receiver.at("/token", token("second-token", 3600));
    clock.set(clock.instant().plusSeconds(80));
    send(oauth());
    assertThat(receiver.last().header("Authorization")).isEqualTo("Bearer second-token");
  }

  @Test
  void aTokenThatIsRefusedIsRenewedOnce() {
    receiver.at("/token", token("first-token", 3600));
    send(oauth());
    receiver.clear();
    receiver.at("/token", token("second-token", 3600));
    receiver.script(Reply.status(401), Reply.status(200));
    assertThat(send(oauth()).verdict()).isEqualTo(new Verdict.Delivered());
    assertThat(receiver.received())
        .extracting(Received::target)
        .containsExactly("/hook", "/token", "/hook");
    receiver.clear();
    receiver.script(Reply.status(401), Reply.status(401));
    assertThat(send(oauth()).verdict()).isInstanceOf(Verdict.Unauthorized.class);
    assertThat(receiver.received())
        .extracting(Received::target)
        .containsExactly("/hook", "/token", "/hook");
  }

  @Test
  void aTokenServerThatRefusesPausesTheTargetAndOneThatFailsDoesNot() {
    receiver.at(
        "/token",
        Reply.status(400)
            .body(
                "application/json",
                "{\"error\": \"invalid_client\", \"error_description\": \"client-s3cret is"
                    + " wrong\"}"));
    assertThat(send(oauth()).verdict())
        .isEqualTo(
            new Verdict.Unauthorized(
                "The server for tokens answered 400: invalid_client (secret client is wrong)"));
    receiver.at("/token", Reply.status(503));
    assertThat(send(oauth()).verdict()).isInstanceOf(Verdict.Retry.class);
    receiver.at("/token", Reply.status(200).body("text/html", "<html>"));
    assertThat(send(oauth()).verdict()).isInstanceOf(Verdict.Unauthorized.class);
  }

  // TLS -------------------------------------------------------------------------------------------

  private Exchange sendTls(WebhookReceiver secure, String more) {
    return send(target("{'url': '" + secure.url("/") + "'" + more + "}"), post("", "{}"));
  }

  private static String bundle(TestCertificates certificates) {
    return "'caBundle': '" + certificates.certificatePem().replace("\n", "\\n") + "'";
  }

  @Test
  void anUntrustedCertificateIsRefused() {
    try (WebhookReceiver secure = WebhookReceiver.startTls(server.context(client), false)) {
      assertThat(sendTls(secure, "").verdict())
          .isInstanceOfSatisfying(
              Verdict.Retry.class, retry -> assertThat(retry.reason()).startsWith("TLS: "));
      assertThat(sendTls(secure, ", 'tls': {" + bundle(server) + "}").verdict())
          .isEqualTo(new Verdict.Delivered());
      assertThat(sendTls(secure, ", 'tls': {" + bundle(client) + "}").verdict())
          .isInstanceOf(Verdict.Retry.class);
      assertThat(secure.received()).hasSize(1);
    }
  }

  @Test
  void aPinVouchesForOneCertificateAlone() {
    try (WebhookReceiver secure = WebhookReceiver.startTls(server.context(client), false)) {
      String pin = ", 'tls': {'pinSha256': ['%s', '%s']}";
      assertThat(sendTls(secure, pin.formatted("00".repeat(32), server.sha256())).verdict())
          .isEqualTo(new Verdict.Delivered());
      assertThat(sendTls(secure, pin.formatted("00".repeat(32), client.sha256())).verdict())
          .isInstanceOfSatisfying(
              Verdict.Retry.class,
              retry -> assertThat(retry.reason()).contains(server.sha256(), "not pinned"));
      assertThat(secure.received()).hasSize(1);
    }
  }

  @Test
  void theNameInTheCertificateMustFitUnlessThatIsSwitchedOff() {
    try (WebhookReceiver secure = WebhookReceiver.startTls(server.context(client), false);
        WebhookChannel named =
            channel(name -> List.of(InetAddress.ofLiteral("127.0.0.1")), "*.example")) {
      String url =
          "{'url': 'https://%s:" + secure.port() + "/', 'tls': {" + bundle(server) + "%s}}";
      assertThat(
              named
                  .send(post("", "{}"), target(url.formatted("receiver.example", "")), attempt())
                  .verdict())
          .isEqualTo(new Verdict.Delivered());
      assertThat(
              named
                  .send(post("", "{}"), target(url.formatted("other.example", "")), attempt())
                  .verdict())
          .isInstanceOfSatisfying(
              Verdict.Retry.class, retry -> assertThat(retry.reason()).contains("other.example"));
      assertThat(
              named
                  .send(
                      post("", "{}"),
                      target(url.formatted("other.example", ", 'verifyHost': false")),
                      attempt())
                  .verdict())
          .isEqualTo(new Verdict.Delivered());
      assertThat(secure.last().header("Host")).isEqualTo("other.example:" + secure.port());
    }
  }

  @Test
  void mutualTlsShowsOurCertificate() {
    values.put("pem", client.keyPem());
    try (WebhookReceiver secure = WebhookReceiver.startTls(server.context(client), true)) {
      String settings =
          ", 'auth': {'type': 'mutual-tls', 'keyStore': {'secret': 'pem'}}, 'tls': {"
              + bundle(server)
              + "}";
      Exchange exchange = sendTls(secure, settings);
      assertThat(exchange.verdict()).isEqualTo(new Verdict.Delivered());
      assertThat(secure.last().client()).isEqualTo("CN=peerlens");
      assertThat(sendTls(secure, ", 'tls': {" + bundle(server) + "}").verdict())
          .isInstanceOf(Verdict.Retry.class);
      values.put("pem", "-----BEGIN NONSENSE-----");
      assertThat(sendTls(secure, settings).verdict())
          .isInstanceOfSatisfying(
              Verdict.Unauthorized.class,
              verdict -> assertThat(verdict.reason()).contains("PEM").doesNotContain("NONSENSE"));
      // A certificate that was replaced is used at once.
      values.put("pem", client.keyPem());
      assertThat(sendTls(secure, settings).verdict()).isEqualTo(new Verdict.Delivered());
    }
  }

  // Answers ---------------------------------------------------------------------------------------

  @Test
  void redirectsAreNotFollowed() {
    try (WebhookReceiver elsewhere = WebhookReceiver.start()) {
      for (int status : List.of(301, 302, 303, 307, 308)) {
        receiver.script(Reply.status(status).header("Location", elsewhere.url("/")));
        Exchange exchange = send("{" + url("/") + "}");
        assertThat(exchange.verdict()).isInstanceOf(Verdict.Refused.class);
        assertThat(Objects.requireNonNull(exchange.answer()).status()).isEqualTo(status);
      }
      assertThat(elsewhere.received()).isEmpty();
    }
  }

  @Test
  void retryAfterIsHeeded() {
    receiver.script(
        Reply.status(429).header("Retry-After", "7"),
        Reply.status(503).header("Retry-After", "Sat, 21 Nov 2026 12:01:00 GMT"));
    assertThat(send("{" + url("/") + "}").verdict())
        .isEqualTo(
            new Verdict.Retry(
                Duration.ofSeconds(7), "The receiver answered 429: it gets too many messages"));
    assertThat(((Verdict.Retry) send("{" + url("/") + "}").verdict()).after())
        .isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void aReceiverThatIsNotThereMayComeBack() throws Exception {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    Exchange exchange = send("{'url': 'http://127.0.0.1:" + free + "/'}");
    assertThat(exchange.verdict())
        .isInstanceOfSatisfying(
            Verdict.Retry.class,
            retry -> assertThat(retry.reason()).startsWith("The receiver cannot be reached"));
    assertThat(exchange.answer()).isNull();
    assertThat(exchange.sent().line()).isEqualTo("POST http://127.0.0.1:" + free + "/");
  }

  @Test
  void anAttemptEndsInTimeHoweverTheReceiverBehaves() {
    String settings = "{" + url("/") + ", 'timeout': '1s'}";
    for (Reply reply :
        List.of(
            Reply.hang(),
            Reply.status(200).drip(Duration.ofMillis(300)),
            Reply.status(200).after(Duration.ofSeconds(20)))) {
      receiver.script(reply);
      Exchange exchange = send(settings);
      assertThat(exchange.verdict())
          .isInstanceOfSatisfying(
              Verdict.Retry.class,
              retry -> assertThat(retry.reason()).startsWith("The receiver took too long"));
      assertThat(exchange.took()).isBetween(Duration.ofMillis(900), Duration.ofSeconds(8));
    }
  }

  @Test
  void aConnectionThatBreaksIsTriedAgainUnlessTheStatusHasCome() {
    receiver.script(Reply.reset());
    assertThat(send("{" + url("/") + "}").verdict()).isInstanceOf(Verdict.Retry.class);
    receiver.script(Reply.status(200).body("text/plain", "0123456789").breakOff());
    Exchange exchange = send("{" + url("/") + "}");
    assertThat(exchange.verdict()).isEqualTo(new Verdict.Delivered());
    Answer answer = Objects.requireNonNull(exchange.answer());
    assertThat(answer.body()).isEqualTo("01234");
    assertThat(answer.truncated()).isTrue();
    receiver.script(
        Reply.status(200).body("text/plain", "x".repeat(50)).drip(Duration.ofMillis(20)));
    assertThat(send("{" + url("/") + "}").verdict()).isEqualTo(new Verdict.Delivered());
  }

  @Test
  void ofALongAnswerOnlyTheBeginningIsReadAndLessIsKept() {
    receiver.script(Reply.status(200).body("text/plain", "y".repeat(3_000_000)));
    Exchange exchange = send("{" + url("/") + "}");
    assertThat(exchange.verdict()).isEqualTo(new Verdict.Delivered());
    Answer answer = Objects.requireNonNull(exchange.answer());
    assertThat(answer.body()).hasSize(WebhookClient.MAX_ANSWER);
    assertThat(answer.head()).hasSize(2048);
    assertThat(answer.truncated()).isTrue();
    assertThat(send("{" + url("/") + "}").verdict()).isEqualTo(new Verdict.Delivered());
  }

  // Connections -----------------------------------------------------------------------------------

  @RepeatedTest(5) // the first senders are at the same moment
  void connectionsAreUsedAgainAndLimited() throws Exception {
    for (int i = 0; i < 5; i++) {
      send("{" + url("/") + "}");
    }
    assertThat(receiver.connections()).isEqualTo(1);
    receiver.usually(Reply.status(200).after(Duration.ofMillis(100)));
    ActiveTarget two = target("{" + url("/") + "}", "{'connections': 2}");
    List<Future<Exchange>> all = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 8; i++) {
        all.add(executor.submit(() -> channel.send(post("", "{}"), two, attempt())));
      }
    }
    for (Future<Exchange> one : all) {
      assertThat(one.get().verdict()).isEqualTo(new Verdict.Delivered());
    }
    assertThat(receiver.mostAtOnce()).isEqualTo(2);
  }

  @Test
  void anHttpProxyIsAskedForHttpTargetsAndGetsItsCredentials() {
    values.put("proxy", "user:pass word");
    try (WebhookReceiver proxy = WebhookReceiver.start()) {
      proxy.script(
          Reply.status(407).header("Proxy-Authenticate", "Basic realm=\"p\""), Reply.status(200));
      Exchange exchange =
          send(
              "{"
                  + url("/behind")
                  + ", 'proxy': {'url': 'http://127.0.0.1:"
                  + proxy.port()
                  + "', 'secret': {'secret': 'proxy'}}}");
      assertThat(exchange.verdict()).isEqualTo(new Verdict.Delivered());
      assertThat(proxy.last().target()).isEqualTo(receiver.url("/behind"));
      assertThat(proxy.last().header("Proxy-Authorization"))
          .isEqualTo(
              "Basic "
                  + Base64.getEncoder()
                      .encodeToString("user:pass word".getBytes(StandardCharsets.UTF_8)));
      assertThat(receiver.received()).isEmpty();
    }
  }

  @Test
  void signaturesAreMadeOfTheBytesThatAreSent() {
    values.put("key", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    Exchange exchange =
        send(
            target(
                "{"
                    + url("/")
                    + ", 'signing': {'type': 'standard-webhooks', 'secrets': [{'secret':"
                    + " 'key'}]}}"),
            post("", "{\"a\": \"" + SecretMarks.mark("token") + "\"}"));
    Received received = receiver.last();
    assertThat(received.header("webhook-timestamp")).isEqualTo("1795262400");
    assertThat(received.header("webhook-signature"))
        .isEqualTo(
            Signatures.v1(
                received.header("webhook-id"),
                received.header("webhook-timestamp"),
                received.body(),
                "key",
                values.get("key")));
    assertThat(exchange.sent().header("webhook-signature"))
        .isEqualTo(received.header("webhook-signature"));
  }
}
