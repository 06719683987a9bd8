package io.peerlens.web;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Thresholds that a test of the pages stores, and what the evaluator makes of them. */
final class PagesRules {

  /** Builds share the machine; a tick may come late. */
  static final Duration EVALUATED = Duration.ofSeconds(90);

  private final Visitor visitor;
  private final List<String> made = new ArrayList<>();

  PagesRules(Visitor visitor) {
    this.visitor = visitor;
  }

  /** Stores a threshold on the CPU usage of a kind that opens with the first sample above it. */
  String threshold(String name, String kind, int limit, String severity) {
    String answer =
        visitor.api("POST", "/thresholds", rule(name, kind, limit, severity, true), null);
    String id = JsonMapper.shared().readTree(answer).get("id").asString();
    made.add(id);
    return id;
  }

  /** Counts this threshold, made elsewhere, among those to remove. */
  void remember(String id) {
    made.add(id);
  }

  /** Switches a threshold on or off. */
  void enable(String id, boolean on) {
    JsonNode stored = json("/thresholds/" + id);
    visitor.api(
        "PUT",
        "/thresholds/" + id,
        rule(
            stored.get("name").asString(),
            stored.at("/objectKind/objectKind").asString(),
            stored.at("/condition/levels/0/bound/value").asInt(),
            stored.at("/condition/levels/0/severity").asString(),
            on),
        "\"" + stored.get("version").asInt() + "\"");
  }

  static Map<String, Object> rule(
      String name, String kind, int limit, String severity, boolean enabled) {
    return Map.of(
        "name",
        name,
        // The silent VM is judged for a while only; without it the numbers are always the same.
        "scope",
        Map.of("exclude", List.of(Map.of("name", "shop-web-03"))),
        "enabled",
        enabled,
        "objectKind",
        Map.of("adapterKind", "VMWARE", "objectKind", kind),
        "condition",
        Map.of(
            "type",
            "metric",
            "key",
            "cpu|usage_average",
            "operator",
            "gt",
            "levels",
            List.of(
                Map.of("severity", severity, "bound", Map.of("type", "number", "value", limit)))),
        "alert",
        Map.of("impact", "health", "recommendations", List.of("Look at it.")),
        "interval",
        "5s");
  }

  /** Removes what was made. */
  void removeAll() {
    for (String id : made) {
      String etag = "\"" + json("/thresholds/" + id).get("version").asInt() + "\"";
      visitor.api("DELETE", "/thresholds/" + id, null, etag);
    }
    made.clear();
  }

  JsonNode json(String path) {
    return JsonMapper.shared().readTree(visitor.api("GET", path, null, null));
  }

  int count(String path) {
    return json(path).get("total").asInt();
  }

  void awaitOpen(int alerts) {
    Awaitility.await().atMost(EVALUATED).until(() -> count("/alerts?limit=1") == alerts);
  }
}
