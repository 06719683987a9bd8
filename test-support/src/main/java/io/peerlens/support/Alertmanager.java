package io.peerlens.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The program Alertmanager on a random port of the loopback interface: alerts come and go there,
 * and it posts to webhooks. {@code .ci/run} installs it.
 */
public final class Alertmanager implements AutoCloseable {

  private static final Pattern LISTENING =
      Pattern.compile("msg=\"Listening on\" address=127\\.0\\.0\\.1:(\\d+)");
  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

  private final Process process;
  private final Path log;
  private final int port;

  private Alertmanager(Process process, Path log, int port) {
    this.process = process;
    this.log = log;
    this.port = port;
  }

  /**
   * Starts one and waits until it is ready; where it is not installed, this test is skipped and
   * says so.
   *
   * @param folder for its files, such as a temporary one
   * @param configuration its configuration file, YAML
   */
  public static Alertmanager startOrSkip(Path folder, String configuration) {
    Path program =
        Programs.need(
            "alertmanager",
            "go install github.com/prometheus/alertmanager/cmd/alertmanager@v0.31.1");
    try {
      Path home = Files.createTempDirectory(folder, "alertmanager");
      Path file = Files.writeString(home.resolve("alertmanager.yml"), configuration);
      Path log = home.resolve("alertmanager.log");
      Process process =
          new ProcessBuilder(
                  program.toString(),
                  "--config.file=" + file,
                  "--storage.path=" + home.resolve("data"),
                  "--web.listen-address=127.0.0.1:0",
                  "--cluster.listen-address=",
                  "--log.level=debug")
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        return await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> ready(process, log), Objects::nonNull);
      } catch (RuntimeException e) {
        process.destroyForcibly();
        throw new IllegalStateException("Alertmanager does not start: " + Files.readString(log), e);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Null = not yet. */
  private static @Nullable Alertmanager ready(Process process, Path log) throws IOException {
    if (!process.isAlive()) {
      throw new IllegalStateException("It ended with " + process.exitValue());
    }
    Matcher listening = LISTENING.matcher(Files.readString(log));
    if (!listening.find()) {
      return null;
    }
    Alertmanager started = new Alertmanager(process, log, Integer.parseInt(listening.group(1)));
    return started.get("/-/ready").statusCode() == 200 ? started : null;
  }

  /**
   * Where it answers.
   *
   * @param path such as {@code /api/v2/alerts}
   */
  public String url(String path) {
    return "http://127.0.0.1:" + port + path;
  }

  /**
   * Tells it of alerts, as Prometheus does.
   *
   * @param alerts JSON array: labels, annotations, startsAt, endsAt, generatorURL
   */
  public void post(String alerts) {
    HttpResponse<String> answer =
        send(
            HttpRequest.newBuilder(URI.create(url("/api/v2/alerts")))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(alerts)));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  /** The alerts that it has now, resolved ones excepted. */
  public JsonNode alerts() {
    HttpResponse<String> answer = get("/api/v2/alerts");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JsonMapper.shared().readTree(answer.body());
  }

  /** What it wrote so far, for messages of failed tests. */
  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private HttpResponse<String> get(String path) {
    return send(HttpRequest.newBuilder(URI.create(url(path))).GET());
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return HTTP.send(request.timeout(Duration.ofSeconds(10)).build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Ends it. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
