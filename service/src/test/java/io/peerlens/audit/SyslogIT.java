package io.peerlens.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.peerlens.api.model.AuditEntry;
import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.Programs;
import io.peerlens.support.TestCertificates;
import io.peerlens.support.TestDatabase;
import io.peerlens.support.TestKafka;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The audit log on its way to syslog receivers. */
class SyslogIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void rsyslogGetsEveryEntryThroughAKill(@TempDir Path folder) throws Exception {
    Path rsyslogd = Programs.need("rsyslogd", "Debian's rsyslog");
    int port = TestKafka.freePort();
    Path received = folder.resolve("received");
    Path settings = folder.resolve("rsyslog.conf");
    Files.writeString(
        settings,
        """
        global(workDirectory="%1$s")
        module(load="imtcp")
        template(name="parts" type="string"
          string="%%syslogfacility-text%%|%%syslogseverity-text%%|%%app-name%%|%%msgid%%|%%msg%%\\n")
        input(type="imtcp" address="127.0.0.1" port="%2$d")
        action(type="omfile" file="%3$s" template="parts")
        """
            .formatted(folder, port, received));
    Process rsyslog = start(rsyslogd, settings, folder);
    try (PeerlensServer server =
        PeerlensServer.start(
            TestDatabase.create(),
            Set.of(Role.API, Role.EVALUATOR),
            "peerlens.audit.syslog=tcp://127.0.0.1:" + port)) {
      tokens(server.admin(), 0, 3);
      await().atMost(PATIENCE).until(() -> names(received).containsAll(expected(3)));
      rsyslog.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
      tokens(server.admin(), 3, 6);
      rsyslog = start(rsyslogd, settings, folder);
      await().atMost(PATIENCE).until(() -> names(received).containsAll(expected(6)));
    } finally {
      rsyslog.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }
    assertThat(names(received).stream().distinct()).containsSubsequence(expected(6));
    assertThat(Files.readAllLines(received))
        .allSatisfy(
            line -> assertThat(line).matches("(audit|13)\\|notice\\|peerlens\\|createToken\\|.*"));
  }

  @Test
  void theCertificateOfTheReceiverIsChecked(@TempDir Path folder) throws Exception {
    TestCertificates certificates =
        TestCertificates.make(folder, "CN=siem", "dns:localhost,ip:127.0.0.1");
    AuditEntry entry = entry();
    try (SSLServerSocket server =
        (SSLServerSocket)
            certificates
                .context(certificates)
                .getServerSocketFactory()
                .createServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      URI receiver = URI.create("tls://127.0.0.1:" + server.getLocalPort());
      CompletableFuture<String> read =
          CompletableFuture.supplyAsync(
              () -> {
                try (var socket = server.accept()) {
                  return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      SSLSocketFactory trusting = certificates.context(certificates).getSocketFactory();
      new SyslogSink(JsonMapper.shared(), receiver, trusting, "a node").send(List.of(entry, entry));
      String text = read.get(20, TimeUnit.SECONDS);
      int length = Integer.parseInt(text.substring(0, text.indexOf(' ')));
      String first = text.substring(text.indexOf(' ') + 1).substring(0, length);
      assertThat(first)
          .startsWith("<109>1 2026-11-22T10:00:00Z a_node peerlens - putThreshold - {")
          .contains("\"id\":7")
          .endsWith("}");
      assertThat(text).endsWith(first);

      CompletableFuture<Void> refused =
          CompletableFuture.runAsync(
              () -> {
                try (var socket = server.accept()) {
                  socket.getInputStream().readAllBytes();
                } catch (IOException e) {
                  // as it is to be
                }
              });
      assertThatThrownBy(
              () ->
                  new SyslogSink(
                          JsonMapper.shared(),
                          receiver,
                          (SSLSocketFactory) SSLSocketFactory.getDefault(),
                          "a node")
                      .send(List.of(entry)))
          .isInstanceOf(IOException.class);
      refused.get(20, TimeUnit.SECONDS);
    }
  }

  private static AuditEntry entry() {
    return JsonMapper.shared()
        .readValue(
            """
            {"id": 7, "at": "2026-11-22T10:00:00Z", "count": 1, "operation": "putThreshold", "related": [],
             "outcome": "succeeded", "details": {}}
            """,
            AuditEntry.class);
  }

  private static Process start(Path rsyslogd, Path settings, Path folder) throws IOException {
    return new ProcessBuilder(
            rsyslogd.toString(),
            "-n",
            "-f",
            settings.toString(),
            "-i",
            folder.resolve("pid").toString())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
        .start();
  }

  private static void tokens(ApiClient admin, int from, int to) {
    for (int i = from; i < to; i++) {
      assertThat(
              admin.post("/tokens", "{\"name\":\"logged " + i + "\",\"role\":\"viewer\"}").status())
          .isEqualTo(201);
    }
  }

  private static List<String> expected(int count) {
    return IntStream.range(0, count).mapToObj(i -> "logged " + i).toList();
  }

  /** Names in the entries that were received, in their order. */
  private static List<String> names(Path received) throws IOException {
    return Files.exists(received)
        ? Files.readAllLines(received).stream()
            .map(line -> JsonMapper.shared().readTree(line.substring(line.indexOf('{'))))
            .map(json -> json.path("objectName").asString())
            .filter(name -> name.startsWith("logged"))
            .toList()
        : List.of();
  }
}
