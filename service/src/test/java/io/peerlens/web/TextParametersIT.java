package io.peerlens.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.ObjectsApi;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/**
 * Characters that the database cannot hold, in every text that an operation of the contract takes.
 */
class TextParametersIT {

  private static final PeerlensServer SERVER = PeerlensServer.shared();
  private static final ApiClient API = SERVER.admin();
  private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

  /** An operation with a parameter. */
  record Parameter(String method, String path, String in, String name) {}

  static List<Parameter> queryParameters() {
    return parameters().stream().filter(p -> p.in().equals("query")).toList();
  }

  static List<Parameter> pathParameters() {
    return parameters().stream().filter(p -> p.in().equals("path")).toList();
  }

  @ParameterizedTest
  @MethodSource("queryParameters")
  void aNulInAQueryIsAClientError(Parameter parameter) {
    String path = parameter.path().replaceAll("\\{[^}]+}", new UUID(0, 7).toString());
    Answer answer = send(parameter, path + "?" + parameter.name() + "=a%00b");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().path("code").asString()).isEqualTo("invalid-parameter");
    assertThat(answer.json().at("/errors/0/field").asString()).isEqualTo(parameter.name());
    assertThat(answer.json().at("/errors/0/reason").asString()).contains("NUL");
    assertThat(send(parameter, path + "?" + parameter.name() + "=%ED%A0%80").status())
        .as("no UTF-8")
        .isEqualTo(400);
  }

  @ParameterizedTest
  @MethodSource("pathParameters")
  void aNulInAPathIsAClientError(Parameter parameter) {
    String path =
        parameter
            .path()
            .replace("{" + parameter.name() + "}", "a%00b")
            .replaceAll("\\{[^}]+}", new UUID(0, 7).toString());
    assertThat(send(parameter, path).status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"If-Match", "X-CSRF-Token", "Last-Event-ID", "Authorization"})
  void aNulInAHeaderIsAClientError(String header) throws IOException {
    URI uri = URI.create(SERVER.url());
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write(
              ("GET /api/v1/objects HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                      + header
                      + ": a\0b\r\n\r\n")
                  .getBytes(StandardCharsets.ISO_8859_1));
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
          .startsWith("HTTP/1.1 400");
    }
  }

  @Test
  void aNulInABodyIsAClientError() {
    Answer answer = API.post("/tokens", "{\"name\":\"a\\u0000b\",\"role\":\"viewer\"}");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().path("code").asString()).isEqualTo("invalid-body");
    assertThat(API.post("/objects/query", "{\"q\":\"a\\u0000b\"}").status()).isEqualTo(400);
    assertThat(API.post("/objects/query", "{\"q\":\"a\\ud800b\"}").status()).isLessThan(500);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "multipart/form-data",
        "multipart/form-data; boundary=b",
        "multipart/mixed",
        "application/x-www-form-urlencoded",
        "text/plain",
        "nonsense"
      })
  void anUnknownContentTypeIsAClientError(String type) {
    ApiClient client = API.with("Content-Type", type);
    assertThat(client.post("/objects/query", "{}").status()).isEqualTo(415);
    assertThat(client.put("/settings/retention", "{}").status()).isEqualTo(415);
    // Of a request without a body it says nothing.
    assertThat(client.get("/networks").status()).isEqualTo(200);
  }

  private static Answer send(Parameter parameter, String path) {
    String method = parameter.method().toUpperCase(Locale.ROOT);
    boolean hasBody = !Set.of("GET", "DELETE").contains(method);
    return API.send(method, path, hasBody ? "{}" : null);
  }

  private static List<Parameter> parameters() {
    Map<String, Object> contract;
    try (InputStream in = ObjectsApi.class.getResourceAsStream("openapi.yaml")) {
      contract = new Yaml().load(Objects.requireNonNull(in));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    List<Parameter> found = new ArrayList<>();
    map(contract.get("paths"))
        .forEach(
            (path, item) ->
                map(item)
                    .forEach(
                        (method, operation) -> {
                          if (METHODS.contains(method)
                              && map(operation).get("parameters") instanceof List<?> list) {
                            list.stream()
                                .map(one -> resolve(contract, map(one)))
                                .map(
                                    one ->
                                        new Parameter(
                                            method,
                                            path,
                                            String.valueOf(one.get("in")),
                                            String.valueOf(one.get("name"))))
                                .forEach(found::add);
                          }
                        }));
    assertThat(found).hasSizeGreaterThan(100);
    return found;
  }

  private static Map<String, Object> resolve(
      Map<String, Object> contract, Map<String, Object> one) {
    if (!(one.get("$ref") instanceof String reference)) {
      return one;
    }
    Object node = contract;
    for (String step : reference.substring(2).split("/")) {
      node = Objects.requireNonNull(map(node).get(step));
    }
    return map(node);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object yaml) {
    return (Map<String, Object>) yaml;
  }
}
