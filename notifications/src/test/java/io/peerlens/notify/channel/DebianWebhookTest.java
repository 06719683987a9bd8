package io.peerlens.notify.channel;

import static io.peerlens.notify.channel.WebhookTargets.attempt;
import static io.peerlens.notify.channel.WebhookTargets.post;
import static io.peerlens.notify.channel.WebhookTargets.secrets;
import static io.peerlens.notify.channel.WebhookTargets.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.support.Programs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A receiver that is not ours verifies our signature: the program webhook, which runs commands for
 * requests.
 */
class DebianWebhookTest {

  private static final String HOOKS =
      """
      [{
        "id": "alerts",
        "execute-command": "/bin/true",
        "response-message": "taken",
        "trigger-rule-mismatch-http-response-code": 403,
        "trigger-rule": {
          "match": {
            "type": "payload-hmac-sha256",
            "secret": "It's a Secret to Everybody",
            "parameter": {"source": "header", "name": "X-Hub-Signature-256"}
          }
        }
      }]
      """;

  @Test
  void onlyOurSignatureIsAccepted(@TempDir Path folder) throws IOException, InterruptedException {
    Path program = Programs.need("webhook", "Debian package webhook");
    Path hooks = Files.writeString(folder.resolve("hooks.json"), HOOKS);
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Process receiver =
        new ProcessBuilder(
                program.toString(),
                "-hooks",
                hooks.toString(),
                "-ip",
                "127.0.0.1",
                "-port",
                Integer.toString(port))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("webhook.log").toFile())
            .start();
    try (WebhookChannel channel =
        new WebhookChannel(
            secrets(Map.of("key", "It's a Secret to Everybody", "old", "another key, for a while")),
            new AddressGuard(
                new EgressProperties(List.of("127.0.0.1"), List.of(), List.of()),
                HostResolver.SYSTEM),
            InstantSource.system())) {
      await().atMost(Duration.ofSeconds(20)).until(() -> answers(port));
      String target =
          "{'url': 'http://127.0.0.1:%d/hooks/alerts', 'signing': {'type': 'hmac', 'secrets':"
              + " [%s]}}";
      String body = "{\"alert\": \"Ärger 😀\"}";

      Exchange signed =
          channel.send(
              post("", body), target(target.formatted(port, "{'secret': 'key'}")), attempt());
      assertThat(signed.verdict())
          .as(String.valueOf(signed.answer()))
          .isEqualTo(new Verdict.Delivered());
      assertThat(signed.answer()).isNotNull();
      assertThat(signed.answer().body()).isEqualTo("taken");

      assertThat(
              channel
                  .send(
                      post("", body),
                      target(target.formatted(port, "{'secret': 'old'}, {'secret': 'key'}")),
                      attempt())
                  .verdict())
          .as("while the key is being changed")
          .isEqualTo(new Verdict.Delivered());

      Exchange forged =
          channel.send(
              post("", body), target(target.formatted(port, "{'secret': 'old'}")), attempt());
      assertThat(forged.verdict().delivered()).isFalse();
    } finally {
      receiver.destroy();
      receiver.waitFor(10, TimeUnit.SECONDS);
    }
  }

  private static boolean answers(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}
