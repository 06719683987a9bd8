package io.peerlens.suiteapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.PeerlensServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Client of {@code /suite-api} with a token, for tests that ask for many things. */
public final class SuiteClient implements AutoCloseable {

  private final HttpClient http = HttpClient.newHttpClient();
  private final String url;
  private final @Nullable String authorization;

  public SuiteClient(String url, @Nullable String authorization) {
    this.url = url;
    this.authorization = authorization;
  }

  static SuiteClient admin(PeerlensServer server) {
    return new SuiteClient(
        server.url(), "vRealizeOpsToken " + Objects.requireNonNull(server.adminToken()));
  }

  /** An answer. */
  public record Got(int status, String body, HttpResponse<String> response) {
    public JsonNode json() {
      return JsonMapper.shared().readTree(body);
    }

    /** The answer, which has to have a status. */
    public Got is(int expected) {
      assertThat(status).as(body).isEqualTo(expected);
      return this;
    }

    /** The paths of the members that are wrong; the answer has to be a 400 in the vendor's form. */
    public List<String> violations() {
      is(400);
      assertThat(json().get("httpStatusCode").intValue()).isEqualTo(400);
      return json()
          .get("validationFailures")
          .valueStream()
          .map(one -> one.get("violationPath").stringValue())
          .toList();
    }
  }

  public Got get(String path) {
    return send("GET", path, null);
  }

  public Got post(String path, String body) {
    return send("POST", path, body);
  }

  public Got put(String path, @Nullable String body) {
    return send("PUT", path, body);
  }

  public Got delete(String path) {
    return send("DELETE", path, null);
  }

  private Got send(String method, String path, @Nullable String body) {
    return send(method, path, body, authorization);
  }

  /** An answer to somebody else. */
  Got send(String method, String path, @Nullable String body, @Nullable String by) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + "/suite-api" + path))
            .timeout(Duration.ofSeconds(30))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (by != null) {
      request.header("Authorization", by);
    }
    try {
      HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
      return new Got(response.statusCode(), response.body(), response);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
