package io.peerlens.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.role.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.awaitility.core.ThrowingRunnable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A small datacentre in a database, and the service that watches it with ticks of 5 s. */
final class AlertWorld implements AutoCloseable {

  private static final String ADAPTER = "VMWARE";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  final SampleData data = SampleData.create();
  final ApiClient api;
  private final String token;
  private final String[] settings;
  private final Map<String, Integer> objects = new HashMap<>();
  private final Map<String, Integer> sets = new HashMap<>();
  private final Map<String, Integer> groups = new HashMap<>();
  private PeerlensServer server;

  AlertWorld(String... settings) {
    List<String> all = new ArrayList<>(List.of("peerlens.evaluation.lag=1s"));
    all.addAll(List.of(settings));
    this.settings = all.toArray(String[]::new);
    server = start();
    token = Objects.requireNonNull(server.adminToken());
    api = server.admin();
  }

  private PeerlensServer start() {
    return PeerlensServer.start(data.database(), Set.of(Role.EVALUATOR, Role.API), settings);
  }

  String url() {
    return server.url();
  }

  String token() {
    return token;
  }

  PeerlensServer server() {
    return server;
  }

  /** Another process takes over. */
  ApiClient restart() {
    server.close();
    server = start();
    return new ApiClient(server.url(), token);
  }

  /** Makes an object with a CPU below another; an empty parent is none. */
  UUID object(String kind, String name, String parent) {
    int id = data.object(ADAPTER, kind, name);
    int group =
        groups.computeIfAbsent(kind, k -> data.group(ADAPTER, k, "cpu", List.of("usage_average")));
    objects.put(name, id);
    sets.put(name, data.set(id, group, ""));
    data.jdbc()
        .sql("insert into object_liveness (object_id, last_seen) values (?, now())")
        .param(id)
        .update();
    if (!parent.isEmpty()) {
      data.jdbc()
          .sql("insert into relation (parent_id, child_id) values (?, ?)")
          .params(Objects.requireNonNull(objects.get(parent)), id)
          .update();
    }
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
    return SampleData.uuid(kind, name);
  }

  /** The CPU of an object as of now. */
  Instant cpu(String object, double value) {
    Instant now = Instant.now();
    data.sample(now, Objects.requireNonNull(sets.get(object)), value);
    return now;
  }

  /** A threshold that warns above 80 and is critical above 95. */
  String threshold(String name, String kind, String alert) {
    ApiClient.Answer made =
        api.post(
            "/thresholds",
            """
            {"name": "%s", "objectKind": {"adapterKind": "VMWARE", "objectKind": "%s"}, "intervalSeconds": 5,
             "condition": {"type": "metric", "key": "cpu|usage_average", "operator": "gt", "levels": [
               {"severity": "warning", "bound": {"type": "number", "value": 80}},
               {"severity": "critical", "bound": {"type": "number", "value": 95}}]}%s}
            """
                .formatted(name, kind, alert));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    return made.json().get("id").asString();
  }

  static final String HEALTH =
      """
      , "alert": {"impact": "health", "recommendations": ["Look at it."]}""";

  /** An alert definition of impact health that is evaluated every 5 s; returns its id. */
  String define(String name, String kind, String condition, String more) {
    ApiClient.Answer made =
        api.post(
            "/alert-definitions",
            """
            {"name": "%s", "objectKind": {"adapterKind": "VMWARE", "objectKind": "%s"}, "impact": "health",
             "intervalSeconds": 5, "condition": %s%s}
            """
                .formatted(name, kind, condition, more));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    return made.json().get("id").asString();
  }

  /** Changes one field of the newest version in the history of a rule. */
  void edit(String path, String value, String field) {
    ApiClient.Answer stored = api.get(path);
    ObjectNode edit =
        (ObjectNode) api.get(path + "/history").json().get("items").get(0).get("definition");
    edit.set(field, JSON.readTree(value));
    ApiClient.Answer changed =
        api.with("If-Match", stored.header("ETag")).put(path, edit.toString());
    assertThat(changed.status()).as(changed.body()).isEqualTo(200);
  }

  void delete(String path) {
    String etag = api.get(path).header("ETag");
    assertThat(api.with("If-Match", etag).delete(path).status()).isEqualTo(204);
  }

  /** The one alert of a list. */
  JsonNode one(String query) {
    JsonNode page = api.get("/alerts?" + query).json();
    assertThat(page.get("total").asInt()).as(page.toString()).isEqualTo(1);
    return page.get("items").get(0);
  }

  List<String> events(String id) {
    List<String> events = new ArrayList<>();
    for (JsonNode step : api.get("/alerts/" + id + "/history").json().get("items")) {
      events.add(step.get("event").asString());
    }
    return events.reversed();
  }

  void act(String id, String action, String more) {
    ApiClient.Answer answer =
        api.post(
            "/alerts/actions",
            "{\"ids\": [\"" + id + "\"], \"action\": \"" + action + "\"" + more + "}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.json().get("items").get(0).get("done").asBoolean())
        .as(answer.body())
        .isTrue();
  }

  static void soon(ThrowingRunnable condition) {
    await()
        .atMost(Duration.ofSeconds(90))
        .pollInterval(Duration.ofMillis(250))
        .untilAsserted(condition);
  }

  @Override
  public void close() {
    server.close();
    data.close();
  }
}
