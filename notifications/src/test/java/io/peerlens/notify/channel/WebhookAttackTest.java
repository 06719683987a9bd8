package io.peerlens.notify.channel;

import static io.peerlens.notify.channel.WebhookTargets.attempt;
import static io.peerlens.notify.channel.WebhookTargets.everything;
import static io.peerlens.notify.channel.WebhookTargets.post;
import static io.peerlens.notify.channel.WebhookTargets.secrets;
import static io.peerlens.notify.channel.WebhookTargets.target;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.alerttemplates.Message;
import io.peerlens.alerttemplates.SecretMarks;
import io.peerlens.support.WebhookReceiver;
import io.peerlens.support.WebhookReceiver.Received;
import io.peerlens.support.WebhookReceiver.Reply;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What somebody could try who may edit targets or templates, who names objects, or who runs a
 * receiver.
 */
class WebhookAttackTest {

  private static final Map<String, String> SECRETS =
      Map.of(
          "password", "p4ss \"word\" & <more>",
          "token", "tok-0123456789",
          "path", "T00/B00/xyz",
          "signing", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
          "url", "http://127.0.0.1:1/a?sig=s1gnature");

  private final WebhookReceiver receiver = WebhookReceiver.start();

  @AfterEach
  void close() {
    receiver.close();
  }

  private static WebhookChannel channel(HostResolver resolver, String... allow) {
    return new WebhookChannel(
        secrets(SECRETS),
        new AddressGuard(new EgressProperties(List.of(allow), List.of(), List.of()), resolver),
        InstantSource.system());
  }

  private WebhookChannel allowed() {
    return channel(HostResolver.SYSTEM, "127.0.0.0/8");
  }

  // Server-side request forgery -------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:%d/",
        "http://localhost:%d/",
        "http://2130706433:%d/",
        "http://0x7f000001:%d/",
        "http://0177.0.0.1:%d/",
        "http://127.1:%d/",
        "http://127.0.0.1.:%d/",
        "http://0.0.0.0:%d/",
        "http://[::1]:%d/",
        "http://[::ffff:127.0.0.1]:%d/",
        "http://[::ffff:7f00:1]:%d/",
        "http://[64:ff9b::127.0.0.1]:%d/",
        "http://[2002:7f00:1::]:%d/",
        "https://127.0.0.1:%d/"
      })
  void nothingOfThisMachineIsReached(String url) {
    // As a secret, so that nobody looks at the URL before it is used.
    try (WebhookChannel channel =
        new WebhookChannel(
            secrets(Map.of("url", url.formatted(receiver.port()))),
            new AddressGuard(EgressProperties.GLOBAL, HostResolver.SYSTEM),
            InstantSource.system())) {
      Exchange exchange =
          channel.send(post("", "{}"), target("{'url': '${secret:url}'}"), attempt());
      assertThat(exchange.verdict()).isInstanceOf(Verdict.Refused.class);
      assertThat(receiver.connections()).isZero();
    }
  }

  @Test
  void aNameThatChangesItsAddressBetweenCheckAndConnectionLeadsNowhere() {
    AtomicInteger asked = new AtomicInteger();
    // First a global address, then this machine: what a hostile name server does.
    HostResolver hostile =
        name ->
            List.of(
                InetAddress.ofLiteral(asked.getAndIncrement() == 0 ? "192.0.1.1" : "127.0.0.1"));
    try (WebhookChannel channel = channel(hostile)) {
      ActiveTarget target =
          target("{'url': 'https://rebind.example:" + receiver.port() + "/', 'timeout': '1s'}");
      for (int i = 0; i < 3; i++) {
        assertThat(channel.send(post("", "{}"), target, attempt()).verdict().delivered()).isFalse();
      }
    }
    assertThat(asked.get()).isEqualTo(3); // once for each attempt, and never by anybody else
    assertThat(receiver.connections()).isZero();
  }

  @Test
  void theAddressThatWasCheckedIsTheOneThatIsConnectedTo() {
    // No name server knows this name, so only the guard's answer can have been used.
    try (WebhookChannel channel =
        channel(
            name -> List.of(InetAddress.ofLiteral("127.0.0.1")), "only-the-guard-knows.example")) {
      Exchange exchange =
          channel.send(
              post("", "{}"),
              target("{'url': 'http://only-the-guard-knows.example:" + receiver.port() + "/'}"),
              attempt());
      assertThat(exchange.verdict()).isEqualTo(new Verdict.Delivered());
      assertThat(receiver.last().header("Host"))
          .isEqualTo("only-the-guard-knows.example:" + receiver.port());
    }
  }

  @Test
  void aRedirectToThisMachineIsNotFollowed() {
    try (WebhookReceiver inside = WebhookReceiver.start();
        WebhookChannel channel = allowed()) {
      receiver.usually(Reply.status(307).header("Location", inside.url("/admin")));
      assertThat(
              channel
                  .send(post("", "{}"), target("{'url': '" + receiver.url("/") + "'}"), attempt())
                  .verdict())
          .isInstanceOf(Verdict.Refused.class);
      assertThat(inside.connections()).isZero();
    }
  }

  @Test
  void tokensAndProxiesAreGuardedToo() {
    try (WebhookChannel channel =
        channel(name -> List.of(InetAddress.ofLiteral("127.0.0.1")), "allowed.example")) {
      String token =
          "{'url': 'http://allowed.example:%d/', 'auth': {'type': 'oauth2-client-credentials',"
              + " 'tokenUrl': 'http://127.0.0.1:%d/t', 'clientId': 'c', 'clientSecret': {'secret':"
              + " 'token'}}}";
      assertThat(
              channel
                  .send(
                      post("", "{}"),
                      target(token.formatted(receiver.port(), receiver.port())),
                      attempt())
                  .verdict())
          .isInstanceOf(Verdict.Refused.class);
      for (String scheme : List.of("http", "socks5")) {
        String proxy =
            "{'url': 'http://allowed.example:%d/', 'proxy': {'url': '%s://127.0.0.1:%d'}}";
        assertThat(
                channel
                    .send(
                        post("", "{}"),
                        target(proxy.formatted(receiver.port(), scheme, receiver.port())),
                        attempt())
                    .verdict())
            .as(scheme)
            .isInstanceOf(Verdict.Refused.class);
      }
      // A proxy that may be used does not open what is closed.
      String behind =
          "{'url': 'http://127.0.0.1:%d/', 'proxy': {'url': 'http://allowed.example:%d'}}";
      assertThat(
              channel
                  .send(
                      post("", "{}"),
                      target(behind.formatted(receiver.port(), receiver.port())),
                      attempt())
                  .verdict())
          .isInstanceOf(Verdict.Refused.class);
    }
    assertThat(receiver.connections()).isZero();
  }

  @Test
  void withoutTlsOnlyWhereTheAdministratorAllowsIt() {
    try (WebhookChannel channel =
        channel(name -> List.of(InetAddress.ofLiteral("192.0.1.1")), "10.0.0.0/8")) {
      assertThat(
              channel
                  .send(post("", "{}"), target("{'url': 'http://global.example/'}"), attempt())
                  .verdict())
          .isInstanceOfSatisfying(
              Verdict.Refused.class,
              refused -> assertThat(refused.reason()).startsWith("http without TLS"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@evil.example/",
        "/../../admin",
        "/a/../b",
        "/a/%2e%2e/b",
        "/.%2E/b",
        "/a/..",
        "/a b",
        "/a\r\nHost: evil",
        "/#fragment",
        "/a\\b",
        "//evil.example/x"
      })
  void noPathLeadsElsewhere(String path) {
    try (WebhookChannel channel = allowed()) {
      Exchange exchange =
          channel.send(
              post(path, "{}"), target("{'url': '" + receiver.url("/base") + "'}"), attempt());
      if (exchange.verdict().delivered()) {
        assertThat(receiver.last().target()).startsWith("/base/");
        assertThat(receiver.last().header("Host")).isEqualTo("127.0.0.1:" + receiver.port());
      } else {
        assertThat(exchange.verdict()).isInstanceOf(Verdict.Refused.class);
      }
    }
  }

  // Header injection ------------------------------------------------------------------------------

  @Test
  void aHeaderStaysOneHeaderWhateverAnAlertIsCalled() {
    String nasty = "vm\r\nX-Evil: 1\r\n\r\nGET / HTTP/1.1\u0000\u0085\u2028ende";
    Message.Http message =
        new Message.Http(
            "POST",
            "",
            List.of(
                new Message.Header("X-Title", nasty),
                new Message.Header("X-Bad\r\nX-Evil", "1"),
                new Message.Header("X Bad", "1"),
                new Message.Header("", "1"),
                new Message.Header("Host", "evil.example"),
                new Message.Header("Content-Length", "3"),
                new Message.Header("transfer-encoding", "chunked"),
                new Message.Header("Connection", "close"),
                new Message.Header("Proxy-Authorization", "x")),
            "application/json\r\nX-Evil: 1",
            "{\"a\": 1}");
    try (WebhookChannel channel = allowed()) {
      Exchange exchange =
          channel.send(message, target("{'url': '" + receiver.url("/") + "'}"), attempt());
      assertThat(exchange.verdict()).isEqualTo(new Verdict.Delivered());
      assertThat(receiver.received()).hasSize(1);
      Received received = receiver.last();
      assertThat(received.headers())
          .doesNotContainKeys("x-evil", "x bad", "transfer-encoding", "proxy-authorization");
      assertThat(received.header("X-Title")).isEqualTo("vm X-Evil: 1 GET / HTTP/1.1 ende");
      assertThat(received.header("Host")).isEqualTo("127.0.0.1:" + receiver.port());
      assertThat(received.header("Content-Length")).isEqualTo("8");
      assertThat(received.text()).isEqualTo("{\"a\": 1}");
      assertThat(exchange.sent().headers())
          .allSatisfy(header -> assertThat(header.value()).doesNotContain("\r", "\n"));
    }
  }

  @Test
  void aSecretWithLineBreaksMakesNoHeaderEither() {
    try (WebhookChannel channel =
        new WebhookChannel(
            secrets(Map.of("token", "abcd\r\nX-Evil: 1")),
            new AddressGuard(
                new EgressProperties(List.of("127.0.0.1"), List.of(), List.of()),
                HostResolver.SYSTEM),
            InstantSource.system())) {
      channel.send(
          post("", "{}"),
          target(
              "{'url': '"
                  + receiver.url("/")
                  + "', 'auth': {'type': 'bearer', 'token': {'secret': 'token'}}}"),
          attempt());
      assertThat(receiver.last().headers()).doesNotContainKey("x-evil");
    }
  }

  @Test
  void methodsThatAreNoMessagesAreRefused() {
    try (WebhookChannel channel = allowed()) {
      for (String method : List.of("CONNECT", "TRACE", "OPTIONS", "POST / HTTP/1.1\r\nX: y", "")) {
        assertThat(
                channel
                    .send(
                        new Message.Http(method, "", List.of(), "text/plain", ""),
                        target("{'url': '" + receiver.url("/") + "'}"),
                        attempt())
                    .verdict())
            .as(method)
            .isInstanceOf(Verdict.Refused.class);
      }
      assertThat(receiver.connections()).isZero();
    }
  }

  // Leaks -----------------------------------------------------------------------------------------

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A receiver that sends everything back that it got, as some debugging servers do. */
  @Test
  void nothingThatIsKeptHoldsASecretEvenWhenTheReceiverRepeatsIt() {
    String password = SECRETS.get("password");
    String json = "p4ss \\\"word\\\" & <more>";
    String echo =
        String.join(
            "\n",
            password,
            json,
            "p4ss &quot;word&quot; &amp; &lt;more&gt;",
            "p4ss \"word\" &amp; &lt;more&gt;",
            encoded(password),
            encoded(password).replace("+", "%20"),
            base64(password),
            base64("ops:" + password),
            "tok-0123456789",
            encoded(SECRETS.get("path")),
            encoded(SECRETS.get("path")).replace("%2F", "%2f"),
            SECRETS.get("path").replace("/", "\\/"),
            SECRETS.get("path"),
            SECRETS.get("signing"));
    receiver.usually(
        Reply.status(500)
            .body("text/plain", echo)
            .header("X-Echo", "Basic " + base64("ops:" + password)));
    Message.Http message =
        new Message.Http(
            "POST",
            "/x?k=" + SecretMarks.mark("token"),
            List.of(new Message.Header("X-Key", SecretMarks.mark("token"))),
            "application/json",
            "{\"k\": \"" + SecretMarks.mark("password") + "\"}");
    try (WebhookChannel channel = allowed()) {
      Exchange exchange =
          channel.send(
              message,
              target(
                  "{'url': '"
                      + receiver.url("/${secret:path}")
                      + "', 'auth': {'type': 'basic', 'username': 'ops', 'password': {'secret':"
                      + " 'password'}}, 'signing': {'type': 'standard-webhooks', 'secrets':"
                      + " [{'secret': 'signing'}]}}"),
              attempt());
      assertThat(receiver.last().text()).isEqualTo("{\"k\": \"" + json + "\"}");
      String kept = everything(exchange);
      assertThat(kept)
          .contains("secret password", "secret token", "secret path")
          .doesNotContain(
              "p4ss",
              "word&quot;",
              base64(password),
              base64("ops:" + password),
              "tok-0123456789",
              "T00/B00",
              "T00%2FB00",
              "T00%2fB00",
              "T00\\/B00",
              "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    }
  }

  @Test
  void failuresDoNotRepeatSecretsEither() {
    for (String url :
        List.of("${secret:url}", "https://${secret:path}/", "http://127.0.0.1:1/${secret:path}")) {
      try (WebhookChannel channel = allowed()) {
        Exchange exchange =
            channel.send(post("", "{}"), target("{'url': '" + url + "'}"), attempt());
        assertThat(exchange.verdict().delivered()).isFalse();
        assertThat(everything(exchange)).doesNotContain("s1gnature", "T00/B00", "B00/xyz");
      }
    }
  }
}
