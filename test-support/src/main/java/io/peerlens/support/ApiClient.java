package io.peerlens.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls the API as any program would; every answer below /api/v1 is held against the contract. */
public final class ApiClient {

  /** Base path of the API. */
  public static final String BASE = "/api/v1";

  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final String url;
  private final Map<String, String> headers;

  /** A client of the server at a URL; without a token its requests are anonymous. */
  public ApiClient(String url, @Nullable String token) {
    this(url, token == null ? Map.of() : Map.of("Authorization", "Bearer " + token));
  }

  private ApiClient(String url, Map<String, String> headers) {
    this.url = url;
    this.headers = headers;
  }

  /**
   * An answer of the server.
   *
   * @param body as text; empty when there is none
   */
  public record Answer(int status, HttpResponse<byte[]> response, String body) {

    /** The body as JSON. */
    public JsonNode json() {
      return JSON.readTree(body);
    }

    /** The first value of a header, or an empty text. */
    public String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }
  }

  /** The same client that also sends a header; an empty value takes the header away. */
  public ApiClient with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    if (value.isEmpty()) {
      more.remove(header);
    } else {
      more.put(header, value);
    }
    return new ApiClient(url, more);
  }

  /**
   * GET of a path; paths that begin with {@code /api/} or that are meant as such: see {@link
   * #BASE}.
   */
  public Answer get(String path) {
    return send("GET", path, null);
  }

  /** POST of a JSON text. */
  public Answer post(String path, String json) {
    return send("POST", path, json);
  }

  /** PUT of a JSON text. */
  public Answer put(String path, String json) {
    return send("PUT", path, json);
  }

  /** DELETE of a path. */
  public Answer delete(String path) {
    return send("DELETE", path, null);
  }

  /**
   * Any request.
   *
   * @param path below /api/v1, for instance {@code /objects?limit=5}; or, with a leading {@code
   *     //}, below the root, for instance {@code //health}
   * @param json the body; null = none
   */
  public Answer send(String method, String path, @Nullable String json) {
    return send(
        method,
        path,
        "application/json",
        json == null ? null : json.getBytes(StandardCharsets.UTF_8));
  }

  /** POST of a file. */
  public Answer upload(String path, String contentType, byte[] file) {
    return send("POST", path, contentType, file);
  }

  /** Any request with a file. */
  public Answer sendFile(String method, String path, String contentType, byte[] file) {
    return send(method, path, contentType, file);
  }

  private Answer send(String method, String path, String contentType, byte @Nullable [] body) {
    String full = path.startsWith("//") ? path.substring(1) : BASE + path;
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + full)).timeout(Duration.ofSeconds(60));
    if (body == null) {
      request.method(method, BodyPublishers.noBody());
    } else {
      request.method(method, BodyPublishers.ofByteArray(body));
      request.header("Content-Type", contentType);
    }
    headers.forEach(request::setHeader);
    try {
      HttpResponse<byte[]> response = HTTP.send(request.build(), ApiClient::body);
      String text = new String(response.body(), StandardCharsets.UTF_8);
      if (full.startsWith(BASE + "/") && !method.equals("HEAD")) {
        OpenApiResponses.verify(
            method,
            full.substring(BASE.length()),
            response.statusCode(),
            response.headers().firstValue("Content-Type").orElse(""),
            text);
      }
      return new Answer(response.statusCode(), response, text);
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + full, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * The whole body; of a stream of events, which has no end, nothing: it stays open until the
   * server ends.
   */
  private static BodySubscriber<byte[]> body(ResponseInfo info) {
    boolean stream =
        info.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
    return stream
        ? BodySubscribers.mapping(BodySubscribers.ofInputStream(), events -> new byte[0])
        : BodySubscribers.ofByteArray();
  }
}
