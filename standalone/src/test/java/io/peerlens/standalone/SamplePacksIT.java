package io.peerlens.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The super metrics of the sample datacentre: there at once with values, gone when deleted. */
class SamplePacksIT {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir Path parent;
  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void superMetricsOfTheSampleComputeFromTheFirstMinutesAndStayDeleted() throws Exception {
    Path data = parent.resolve("sample");
    ByteArrayOutputStream first = new ByteArrayOutputStream();
    try (StandaloneServer server = start(data, first, true)) {
      assertThat(first.toString(UTF_8))
          .contains(
              "16 super metrics are installed for it, and 27 thresholds and alert definitions; 15 groups of peers");
      assertThat(list(server, data, "pack=vm-basics").path("total").asInt()).isEqualTo(9);
      await()
          .atMost(Duration.ofMinutes(4))
          .pollInterval(Duration.ofSeconds(2))
          .untilAsserted(
              () ->
                  assertThat(names(list(server, data, "state=computing&limit=100")))
                      .contains(
                          "VM - CPU ready summed over vCPUs (%)",
                          "VM - Share of the CPU used on its host (%)",
                          "Host - VMs waiting for CPU (count)",
                          "Cluster - CPU spread between hosts (%)",
                          "Cluster CPU headroom, one host down, from load (%)",
                          "Cluster memory headroom, one host down (%)"));
      assertThat(names(list(server, data, "state=failing,invalid&limit=100"))).isEmpty();
      await()
          .atMost(Duration.ofMinutes(4))
          .pollInterval(Duration.ofSeconds(2))
          .untilAsserted(() -> assertThat(thresholdsAreJudged(server, data)).isTrue());
      await()
          .atMost(Duration.ofMinutes(3))
          .pollInterval(Duration.ofSeconds(2))
          .untilAsserted(() -> assertThat(networksThatTalk(server, data)).contains("shop-web"));
      for (JsonNode one : list(server, data, "limit=100").path("items")) {
        HttpRequest delete =
            request(server, data, "/" + one.path("id").asString())
                .header("If-Match", "\"" + one.path("version").asInt() + "\"")
                .DELETE()
                .build();
        assertThat(http.send(delete, HttpResponse.BodyHandlers.ofString()).statusCode())
            .isEqualTo(204);
      }
    }
    ByteArrayOutputStream second = new ByteArrayOutputStream();
    try (StandaloneServer server = start(data, second, true)) {
      assertThat(second.toString(UTF_8)).doesNotContain("super metrics");
      assertThat(list(server, data, "limit=1").path("total").asInt()).isZero();
      assertThat(list(server, data, "state=deleted&limit=1").path("total").asInt()).isEqualTo(16);
    }
  }

  @Test
  void withoutTheSampleThereAreNoSuperMetrics() throws Exception {
    Path data = parent.resolve("empty");
    try (StandaloneServer server = start(data, new ByteArrayOutputStream(), false)) {
      assertThat(list(server, data, "limit=1").path("total").asInt()).isZero();
      assertThat(list(server, data, "state=deleted&limit=1").path("total").asInt()).isZero();
    }
  }

  private JsonNode list(StandaloneServer server, Path data, String query)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(
            request(server, data, "?" + query).GET().build(), HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  private boolean thresholdsAreJudged(StandaloneServer server, Path data)
      throws IOException, InterruptedException {
    JsonNode items = items(server, data, "/thresholds?pack=vm-basics");
    return items.size() == 14
        && items.valueStream().filter(it -> it.path("state").path("objects").asInt() > 0).count()
            >= 12;
  }

  private Set<String> networksThatTalk(StandaloneServer server, Path data)
      throws IOException, InterruptedException {
    Set<String> networks = new TreeSet<>();
    items(server, data, "/flows?limit=200")
        .forEach(flow -> networks.add(flow.path("from").path("network").asString("")));
    return networks;
  }

  private JsonNode items(StandaloneServer server, Path data, String path)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + "/api/v1" + path))
            .header(
                "Authorization", "Bearer " + Files.readString(data.resolve("admin-token")).strip())
            .build();
    return JSON.readTree(http.send(request, HttpResponse.BodyHandlers.ofString()).body())
        .path("items");
  }

  private static HttpRequest.Builder request(StandaloneServer server, Path data, String rest)
      throws IOException {
    return HttpRequest.newBuilder(URI.create(server.url() + "/api/v1/super-metrics" + rest))
        .header("Authorization", "Bearer " + Files.readString(data.resolve("admin-token")).strip());
  }

  private static Set<String> names(JsonNode page) {
    Set<String> names = new TreeSet<>();
    page.path("items").forEach(item -> names.add(item.path("name").asString()));
    return names;
  }

  private static StandaloneServer start(Path data, ByteArrayOutputStream out, boolean sample)
      throws IOException, InterruptedException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "start",
                "--data",
                data.toString(),
                "--port",
                Integer.toString(Ports.anyFree()),
                "--kafka-port",
                Integer.toString(Ports.anyFree())));
    if (!sample) {
      words.add("--no-sample");
    }
    return StandaloneServer.start(
        Options.parse(words), new Console(new PrintStream(out, true, UTF_8), false));
  }
}
