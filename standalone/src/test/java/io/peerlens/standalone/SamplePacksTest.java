package io.peerlens.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is installed for the sample when the service is too busy at first: its answers are scripted.
 */
class SamplePacksTest {

  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  private final List<Integer> trouble = Collections.synchronizedList(new ArrayList<>());
  private final List<String> said = new ArrayList<>();
  @TempDir Path data;
  private volatile int superMetrics;
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath());
          int status = trouble.isEmpty() ? 200 : trouble.removeFirst();
          byte[] body =
              "{\"total\":%d,\"created\":2,\"counts\":{\"created\":3}}"
                  .formatted(superMetrics)
                  .getBytes(StandardCharsets.UTF_8);
          if (status == 0) {
            exchange.close(); // no answer at all
            return;
          }
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private SamplePacks.Installed install() throws Exception {
    ApiClient api =
        new ApiClient(URI.create("http://127.0.0.1:" + server.getAddress().getPort()), "plt_token");
    return SamplePacks.install(api, data.resolve("begun"), Duration.ofMillis(1), said::add);
  }

  @Test
  void aRequestIsRetriedWhenTheServiceIsBusy() throws Exception {
    // Two look-ups, of which one is asked three times; networks that were made but not answered.
    trouble.addAll(List.of(503, 0, 200, 200, 500, 428, 429));
    assertThat(install()).isEqualTo(new SamplePacks.Installed(6, 6, 2));
    assertThat(said).hasSize(1);
    assertThat(asked).filteredOn("PUT /api/v1/networks"::equals).hasSize(2);
    assertThat(asked).filteredOn(a -> a.contains("/super-metrics/packs/")).hasSize(3);
  }

  @Test
  void whatWasCutOffIsMadeUpForByTheNextStartAndNothingIsInstalledAgain() throws Exception {
    trouble.addAll(List.of(200, 200, 200, 200, 200, 403)); // after the super metrics
    assertThatThrownBy(this::install).hasMessageContaining("refused the token");
    assertThat(asked).noneMatch(a -> a.contains("/dashboards/packs/"));
    superMetrics = 6;
    install();
    assertThat(asked).filteredOn(a -> a.contains("/dashboards/packs/")).hasSize(5);
    asked.clear();
    assertThat(install()).isEqualTo(new SamplePacks.Installed(0, 0, 0));
    assertThat(asked).hasSize(1);
  }

  @Test
  void aRefusedRequestIsNotRetried() {
    trouble.add(403);
    assertThatThrownBy(this::install).hasMessageContaining("refused the token");
    assertThat(asked).hasSize(1);
  }
}
