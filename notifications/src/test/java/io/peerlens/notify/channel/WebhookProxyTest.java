package io.peerlens.notify.channel;

import static io.peerlens.notify.channel.WebhookTargets.attempt;
import static io.peerlens.notify.channel.WebhookTargets.post;
import static io.peerlens.notify.channel.WebhookTargets.secrets;
import static io.peerlens.notify.channel.WebhookTargets.target;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.TestCertificates;
import io.peerlens.support.WebhookReceiver;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Receivers behind proxies that tunnel. Here hook.example is 127.0.0.1, and inner.example 10.1.2.3.
 */
class WebhookProxyTest {

  private static TestCertificates certificate;
  private static WebhookReceiver receiver;

  @BeforeAll
  static void start(@TempDir Path folder) {
    certificate = TestCertificates.make(folder, "CN=hook", "dns:hook.example");
    receiver = WebhookReceiver.startTls(certificate.context(certificate), false);
  }

  @AfterAll
  static void stop() {
    receiver.close();
  }

  private static WebhookChannel channel(String... allow) {
    return new WebhookChannel(
        secrets(Map.of()),
        new AddressGuard(
            new EgressProperties(List.of(allow), List.of(), List.of()),
            name ->
                List.of(
                    InetAddress.ofLiteral(
                        name.equals("inner.example") ? "10.1.2.3" : "127.0.0.1"))),
        InstantSource.system());
  }

  private static Verdict send(
      WebhookChannel channel, String host, String scheme, ScriptedProxy by) {
    String settings =
        "{'url': 'https://%s:%d/in', 'timeout': '5s', 'tls': {'caBundle': '%s'}, 'proxy': {'url': '%s://127.0.0.1:%d'}}"
            .formatted(
                host,
                receiver.port(),
                certificate.certificatePem().replace("\n", "\\n"),
                scheme,
                by.port());
    return channel.send(post("", "{}"), target(settings), attempt()).verdict();
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "socks5"})
  void aReceiverIsReachedThroughATunnelAndItsCertificateChecked(String scheme) throws Exception {
    try (WebhookChannel channel = channel("127.0.0.1", "*.example");
        ScriptedProxy proxy = new ScriptedProxy(receiver.port(), false)) {
      int before = receiver.received().size();
      assertThat(send(channel, "hook.example", scheme, proxy)).isEqualTo(new Verdict.Delivered());
      assertThat(receiver.received()).hasSize(before + 1);
      assertThat(receiver.last().header("Host")).isEqualTo("hook.example:" + receiver.port());
      assertThat(proxy.asked())
          .as(
              "an HTTP proxy resolves the name itself, a SOCKS proxy gets the address that was checked")
          .containsExactly(
              scheme.equals("http")
                  ? "CONNECT hook.example:" + receiver.port()
                  : "SOCKS 1 127.0.0.1:" + receiver.port());

      assertThat(send(channel, "other.example", scheme, proxy))
          .as("the name in the certificate")
          .isInstanceOf(Verdict.Retry.class);
      assertThat(receiver.received()).hasSize(before + 1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "socks5"})
  void forbiddenAddressesStayForbiddenBehindAProxy(String scheme) throws Exception {
    try (WebhookChannel channel = channel("127.0.0.1");
        ScriptedProxy proxy = new ScriptedProxy(receiver.port(), false)) {
      Verdict verdict = send(channel, "inner.example", scheme, proxy);
      assertThat(verdict).isInstanceOf(Verdict.Refused.class);
      assertThat(verdict.reason()).contains("inner.example is ", "10.1.2.3");
      assertThat(proxy.asked()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "socks5"})
  void aProxyThatRefusesIsTriedAgain(String scheme) throws Exception {
    try (WebhookChannel channel = channel("127.0.0.1", "*.example");
        ScriptedProxy proxy = new ScriptedProxy(receiver.port(), true)) {
      assertThat(send(channel, "hook.example", scheme, proxy).delivered()).isFalse();
      assertThat(proxy.asked()).hasSize(1);
    }
  }

  @Test
  void theProxyItselfIsGuarded() throws Exception {
    try (WebhookChannel channel = channel("hook.example");
        ScriptedProxy proxy = new ScriptedProxy(receiver.port(), false)) {
      for (String scheme : List.of("http", "socks5")) {
        assertThat(send(channel, "hook.example", scheme, proxy))
            .isInstanceOf(Verdict.Refused.class);
      }
      assertThat(proxy.asked()).isEmpty();
    }
  }
}
