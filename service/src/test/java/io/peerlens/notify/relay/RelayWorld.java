package io.peerlens.notify.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.WebhookReceiver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An installation with relays: each has a rule of its own that sends to a path of a receiver. */
final class RelayWorld implements AutoCloseable {

  final SampleData data = SampleData.create();
  final WebhookReceiver receiver = WebhookReceiver.start();
  final PeerlensServer server = start(Set.of(Role.NOTIFIER, Role.API));
  final ApiClient api = server.admin();
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();

  PeerlensServer start(Set<Role> roles, String... settings) {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) 7);
    return PeerlensServer.start(
        data.database(),
        roles,
        Stream.concat(
                Stream.of(
                    "peerlens.secrets.key=" + Base64.getEncoder().encodeToString(key),
                    "peerlens.notify.egress.allow=127.0.0.1",
                    "peerlens.notify.delivery.poll=100ms"),
                Stream.of(settings))
            .toArray(String[]::new));
  }

  /** Makes a relay, and a rule that sends what comes through it to the path of its name. */
  String relay(String name, String auth, String more) {
    String id =
        made(
            "/notification-relays",
            "{'name': '%s', 'auth': %s%s}"
                .formatted(name, auth, more.isEmpty() ? "" : ", " + more));
    String target =
        made(
            "/notification-targets",
            "{'name': 'receiver of %s', 'type': 'webhook', 'webhook': {'url': '%s'}}"
                .formatted(name, receiver.url("/" + name)));
    made(
        "/notification-rules",
        "{'name': 'from %s', 'template': 'generic-json', 'targets': ['%s'], 'sources': ['%s']}"
            .formatted(name, target, name));
    return id;
  }

  String made(String path, String body) {
    Answer answer = api.post(path, body.replace('\'', '"'));
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return answer.json().path("id").asString("");
  }

  /** What was received of a relay, in order, as event and severity. */
  List<String> told(String relay) {
    return messages(relay).stream()
        .map(
            one -> one.path("event").asString("") + " " + one.at("/alert/criticality").asString(""))
        .toList();
  }

  List<JsonNode> messages(String relay) {
    return receiver.received().stream()
        .filter(one -> one.target().equals("/" + relay))
        .map(one -> JsonMapper.shared().readTree(one.text()))
        .toList();
  }

  void awaitTold(String relay, String... told) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(told(relay)).containsExactly(told));
  }

  JsonNode state(String id) {
    for (JsonNode state : api.get("/notification-relays/states").json().path("items")) {
      if (state.path("relay").asString("").equals(id)) {
        return state;
      }
    }
    throw new AssertionError("No state of " + id);
  }

  HttpResponse<String> send(String method, String path, Map<String, String> headers, String body) {
    return send(
        http,
        server.url(),
        method,
        path,
        headers,
        body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
  }

  HttpResponse<String> stream(String path, Map<String, String> headers, byte[] body) {
    return send(
        http,
        server.url(),
        "POST",
        path,
        headers,
        BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(body)));
  }

  static HttpResponse<String> send(
      HttpClient http,
      String url,
      String method,
      String path,
      Map<String, String> headers,
      BodyPublisher body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(Duration.ofSeconds(30))
            .method(method, body);
    headers.forEach(request::header);
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  static Map<String, String> basic(String user, String password) {
    return Map.of(
        "Authorization",
        "Basic "
            + Base64.getEncoder()
                .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8)));
  }

  static Map<String, String> bearer(String token) {
    return Map.of("Authorization", "Bearer " + token);
  }

  @Override
  public void close() {
    http.close();
    server.close();
    receiver.close();
    data.close();
  }
}
