package io.peerlens.standalone;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Client of the published API for the launcher, as the administrator of the data directory. */
final class ApiClient {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Of what makes the server ask others. */
  private static final Duration LONG_TIMEOUT = Duration.ofSeconds(40);

  /** Of a file of some hundred megabytes over a slow line. */
  private static final Duration FILE_TIMEOUT = Duration.ofMinutes(30);

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private final URI base;
  private final @Nullable String token;

  /** An answer that is not a success. */
  static final class ApiFailure extends IOException {
    private static final long serialVersionUID = 1;

    private final int status;

    ApiFailure(String message) {
      this(message, 0);
    }

    ApiFailure(String message, int status) {
      super(message);
      this.status = status;
    }

    /** The status of the answer; 0 = it was a success that made no sense. */
    int status() {
      return status;
    }
  }

  /**
   * A client of the server at {@code base}.
   *
   * @param token null = without one
   */
  ApiClient(URI base, @Nullable String token) {
    this.base = base;
    this.token = token;
  }

  /** The token to use: PEERLENS_TOKEN, else the one that the data directory keeps. */
  static @Nullable String token(DataDirectory data) {
    String environment = System.getenv("PEERLENS_TOKEN");
    if (environment != null && !environment.isBlank()) {
      return environment.strip();
    }
    try {
      return Files.readString(data.adminTokenFile()).strip();
    } catch (IOException e) {
      return null;
    }
  }

  /** Waits until the server answers requests for pages, at most a minute. */
  static void awaitPages(URI base) throws InterruptedException {
    long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    try (HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
      HttpRequest request = HttpRequest.newBuilder(base.resolve("/")).timeout(TIMEOUT).build();
      while (true) {
        try {
          if (http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() < 500) {
            return;
          }
        } catch (IOException e) {
          // Not yet.
        }
        if (System.nanoTime() > deadline) {
          throw new Refusal("The pages at " + base + " do not answer; see the log.");
        }
        Thread.sleep(100);
      }
    }
  }

  /** The whole state of ingest. */
  JsonNode ingestStatus() throws IOException, InterruptedException {
    return send(request("/api/v1/ingest/status").GET().build(), 200);
  }

  /** The offset up to which a partition is stored; empty when nothing of it is stored yet. */
  static OptionalLong committedOffset(JsonNode ingestStatus, String topic, int partition) {
    JsonNode flows = ingestStatus.path("flows");
    boolean ofFlows = flows.path("topic").asString("").equals(topic);
    for (JsonNode node : (ofFlows ? flows : ingestStatus).path("partitions")) {
      if (node.path("topic").asString("").equals(topic)
          && node.path("partition").asInt(-1) == partition
          && node.path("committedOffset").isNumber()) {
        return OptionalLong.of(node.path("committedOffset").asLong());
      }
    }
    return OptionalLong.empty();
  }

  /** A new token's secret. */
  String createToken(String name, String role) throws IOException, InterruptedException {
    String body = JSON.writeValueAsString(Map.of("name", name, "role", role));
    JsonNode answer =
        send(
            request("/api/v1/tokens")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(),
            201);
    String secret = answer.path("secret").asString("");
    if (secret.isEmpty()) {
      throw new ApiFailure(base + " answered without a token");
    }
    return secret;
  }

  /** One page of the objects that a query of {@code /objects/query} finds. */
  JsonNode objects(Map<String, Object> query) throws IOException, InterruptedException {
    return send(
        request("/api/v1/objects/query")
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(query)))
            .build(),
        200);
  }

  /** How many super metrics a query finds. */
  long superMetrics(String query) throws IOException, InterruptedException {
    return send(request("/api/v1/super-metrics?" + query).GET().build(), 200)
        .path("total")
        .asLong();
  }

  /**
   * Installs a pack of super metrics.
   *
   * @return how many were created
   */
  int installPack(String name) throws IOException, InterruptedException {
    return send(
            request("/api/v1/super-metrics/packs/" + name + "/install")
                .POST(HttpRequest.BodyPublishers.noBody())
                .build(),
            200)
        .path("counts")
        .path("created")
        .asInt();
  }

  /**
   * Installs a pack of thresholds and alert definitions.
   *
   * @return how many rules were created
   */
  int installRulePack(String name) throws IOException, InterruptedException {
    return send(
            request("/api/v1/rules/packs/" + name + "/install")
                .POST(HttpRequest.BodyPublishers.noBody())
                .build(),
            200)
        .path("created")
        .asInt();
  }

  /**
   * Installs a pack of dashboards.
   *
   * @return how many dashboards and views were created
   */
  int installDashboardPack(String name) throws IOException, InterruptedException {
    return send(
            request("/api/v1/dashboards/packs/" + name + "/install")
                .POST(HttpRequest.BodyPublishers.noBody())
                .build(),
            200)
        .path("figures")
        .path("created")
        .asInt(0);
  }

  /**
   * Imports a rules file.
   *
   * @return how many rules were created
   */
  int importRules(byte[] file) throws IOException, InterruptedException {
    return send(
            request("/api/v1/rules/import")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(file))
                .build(),
            200)
        .path("created")
        .asInt();
  }

  /**
   * Defines networks where none were defined before.
   *
   * @param file YAML
   */
  void defineNetworks(byte[] file) throws IOException, InterruptedException {
    send(
        request("/api/v1/networks")
            .header("Content-Type", "application/yaml")
            .PUT(HttpRequest.BodyPublishers.ofByteArray(file))
            .build(),
        200);
  }

  /** What became of the secrets: {@code rotated}, {@code keyId}, {@code unopenable}. */
  JsonNode rotateSecrets() throws IOException, InterruptedException {
    return send(
        request("/api/v1/secrets/rotate-key").POST(HttpRequest.BodyPublishers.noBody()).build(),
        200);
  }

  /**
   * Gets something.
   *
   * @param path below {@code /api/v1}
   */
  JsonNode get(String path) throws IOException, InterruptedException {
    return send(request("/api/v1" + path).GET().build(), 200);
  }

  /**
   * Posts something.
   *
   * @param path below {@code /api/v1}
   * @param body null = none
   * @param wanted status of a success
   */
  JsonNode post(String path, @Nullable Object body, int wanted)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = request("/api/v1" + path).timeout(LONG_TIMEOUT);
    return send(
        body == null
            ? request.POST(HttpRequest.BodyPublishers.noBody()).build()
            : request
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build(),
        wanted);
  }

  /**
   * Posts a file.
   *
   * @param path below {@code /api/v1}
   * @param wanted status of a success
   */
  JsonNode postFile(String path, Path file, int wanted) throws IOException, InterruptedException {
    return send(
        request("/api/v1" + path)
            .timeout(FILE_TIMEOUT)
            .header("Content-Type", "application/octet-stream")
            .POST(HttpRequest.BodyPublishers.ofFile(file))
            .build(),
        wanted);
  }

  /**
   * Deletes a version of something.
   *
   * @param path below {@code /api/v1}
   */
  void delete(String path, long version) throws IOException, InterruptedException {
    send(request("/api/v1" + path).header("If-Match", "\"" + version + "\"").DELETE().build(), 204);
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(TIMEOUT)
            .header("User-Agent", "peerlens")
            .header("Accept", "application/json, application/problem+json");
    if (token != null) {
      builder.header("Authorization", "Bearer " + token);
    }
    return builder;
  }

  private JsonNode send(HttpRequest request, int wanted) throws IOException, InterruptedException {
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() == 401 || response.statusCode() == 403) {
      throw new ApiFailure(
          base
              + " refused the token ("
              + response.statusCode()
              + "). Give a valid one in PEERLENS_TOKEN.",
          response.statusCode());
    }
    if (response.statusCode() != wanted) {
      throw new ApiFailure(
          request.method()
              + " "
              + request.uri()
              + " answered "
              + response.statusCode()
              + detail(response.body()),
          response.statusCode());
    }
    try {
      return response.body().isEmpty() ? JSON.missingNode() : JSON.readTree(response.body());
    } catch (tools.jackson.core.JacksonException e) {
      throw new ApiFailure(request.uri() + " did not answer with JSON: " + e.getOriginalMessage());
    }
  }

  private static String detail(String body) {
    try {
      JsonNode problem = JSON.readTree(body);
      StringBuilder words = new StringBuilder();
      String detail = problem.path("detail").asString("");
      if (!detail.isEmpty()) {
        words.append(": ").append(detail);
      }
      String hint = problem.path("hint").asString("");
      if (!hint.isEmpty()) {
        words.append(' ').append(hint);
      }
      return words.toString();
    } catch (tools.jackson.core.JacksonException e) {
      return "";
    }
  }
}
