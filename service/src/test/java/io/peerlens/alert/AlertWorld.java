package io.peerlens.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.evaluation.Ticks;
import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A small datacentre in a database, and the service that watches it with ticks of 5 s: by its
 * scheduler, or when it is told to.
 */
final class AlertWorld implements AutoCloseable {

  private static final String ADAPTER = "VMWARE";
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration TICK = Duration.ofSeconds(5);

  /** So many ticks without what is expected, and it will not come any more. */
  private static final int MOST_TICKS = 20;

  final SampleData data = SampleData.create();
  final ApiClient api;
  private final String token;
  private final boolean scheduled;
  private final String[] settings;
  private final Map<String, Integer> objects = new HashMap<>();
  private final Map<String, Integer> sets = new HashMap<>();
  private final Map<String, Integer> groups = new HashMap<>();
  private PeerlensServer server;
  private @Nullable Ticks ticks;

  /** The last tick, and how many samples came since, where ticks are told. */
  private Instant now = Instant.now().truncatedTo(ChronoUnit.MINUTES).minus(Duration.ofMinutes(5));

  private int samples;

  /** A world that evaluates when it is told to; its time is its own, from five minutes ago on. */
  AlertWorld(String... settings) {
    this(false, settings);
  }

  /** A world with the scheduler as in production. */
  static AlertWorld scheduled(String... settings) {
    return new AlertWorld(true, settings);
  }

  private AlertWorld(boolean scheduled, String... settings) {
    this.scheduled = scheduled;
    List<String> all = new ArrayList<>(List.of(settings));
    all.addAll(
        scheduled
            ? List.of("peerlens.evaluation.lag=1s")
            : List.of("peerlens.evaluation.lag=0s", "peerlens.scopes.age=1ms"));
    this.settings = all.toArray(String[]::new);
    server = start();
    token = Objects.requireNonNull(server.adminToken());
    api = server.admin();
    if (ticks != null) {
      data.sql("delete from evaluation_shard"); // the scheduler may have been at the present minute
      ticks.at(now);
    }
  }

  private PeerlensServer start() {
    PeerlensServer started =
        PeerlensServer.start(data.database(), Set.of(Role.EVALUATOR, Role.API), settings);
    if (!scheduled) {
      Ticks.stopScheduler(started);
      ticks = new Ticks(started, now);
    }
    return started;
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
    if (!scheduled) { // nor does its scheduler evaluate anything before it is stopped
      data.sql("update scheduled_tasks set execution_time = now() + interval '1 day'");
    }
    server = start();
    return new ApiClient(server.url(), token);
  }

  /** Another node on the same database, beside the first one; ticks are told to either. */
  Neighbour neighbour() {
    data.sql("update scheduled_tasks set execution_time = now() + interval '1 day'");
    return new Neighbour();
  }

  /** A node beside that of the world. */
  final class Neighbour implements AutoCloseable {
    private final PeerlensServer node =
        PeerlensServer.start(data.database(), Set.of(Role.EVALUATOR, Role.API), settings);
    private final Ticks own;

    private Neighbour() {
      Ticks.stopScheduler(node);
      own = new Ticks(node, now);
    }

    /** Evaluates 5 s later, on this node. */
    void tick() {
      now = now.plus(TICK);
      samples = 0;
      own.at(now);
    }

    ApiClient api() {
      return new ApiClient(node.url(), token);
    }

    @Override
    public void close() {
      node.close();
    }
  }

  /** The last tick, or the present moment where the scheduler decides about ticks. */
  Instant now() {
    return scheduled ? Instant.now() : now;
  }

  /** Evaluates 5 s later. */
  void tick() {
    now = now.plus(TICK);
    samples = 0;
    Objects.requireNonNull(ticks, "the scheduler decides about ticks").at(now);
  }

  /** Ticks go on until a condition holds. */
  void soon(ThrowingRunnable condition) {
    if (scheduled) {
      await()
          .atMost(Duration.ofSeconds(90))
          .pollInterval(Duration.ofMillis(250))
          .untilAsserted(condition);
      return;
    }
    for (int i = 0; i < MOST_TICKS; i++) {
      try {
        condition.run();
        return;
      } catch (AssertionError notYet) {
        tick();
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }
    try {
      condition.run();
    } catch (Throwable e) {
      throw new AssertionError("Not within " + MOST_TICKS + " ticks: " + e.getMessage(), e);
    }
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

  /** The CPU of an object as of now; returns the first tick that knows it. */
  Instant cpu(String object, double value) {
    Instant at = scheduled ? Instant.now() : now.plusSeconds(1).plusMillis(samples++);
    data.sample(at, Objects.requireNonNull(sets.get(object)), value);
    return Instant.ofEpochSecond(Math.ceilDiv(at.toEpochMilli(), 5000L) * 5);
  }

  /** A threshold that warns above 80 and is critical above 95. */
  String threshold(String name, String kind, String alert) {
    ApiClient.Answer made =
        api.post(
            "/thresholds",
            """
            {"name": "%s", "objectKind": {"adapterKind": "VMWARE", "objectKind": "%s"}, "interval": "5s",
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
      , "alert": {"impact": "health", "recommendations": ["Look at it."], "type": "Virtualization/Hypervisor", "subType": "Performance"}""";

  /** An alert definition of impact health that is evaluated every 5 s; returns its id. */
  String define(String name, String kind, String condition, String more) {
    ApiClient.Answer made =
        api.post(
            "/alert-definitions",
            """
            {"name": "%s", "objectKind": {"adapterKind": "VMWARE", "objectKind": "%s"}, "impact": "health",
             "interval": "5s", "condition": %s%s}
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

  @Override
  public void close() {
    server.close();
    data.close();
  }
}
