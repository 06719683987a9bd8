package io.peerlens.source.vcenter;

import io.peerlens.source.Outlet;
import io.peerlens.source.Part;
import io.peerlens.source.RoundReport;
import io.peerlens.source.SourceJournal;
import io.peerlens.source.Topic;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a collector told, put together as ingest does it; in the place of Kafka and the database.
 */
final class Told implements Outlet, SourceJournal {

  /** An object as it is known after all records. */
  record Known(
      String kind,
      String id,
      String name,
      String locator,
      Map<String, String> properties,
      Map<String, String> tags,
      Map<String, Set<String>> parents,
      Map<String, Set<String>> children,
      Map<String, Double> metrics) {}

  private final Map<String, Known> objects = new TreeMap<>();
  private final Set<String> gone = new HashSet<>();
  private final List<String> lines = new ArrayList<>();
  private final List<String> history = new ArrayList<>();
  private final List<JsonNode> events = new ArrayList<>();
  private final Map<String, String> positions = new ConcurrentHashMap<>();
  final List<RoundReport> reports = new CopyOnWriteArrayList<>();
  volatile boolean held = true;
  volatile String about = "";

  @Override
  public synchronized void send(Topic topic, String key, byte[] value) {
    if (topic == Topic.EVENTS) {
      events.add(JsonMapper.shared().readTree(value));
      return;
    }
    String text = new String(value, StandardCharsets.UTF_8);
    if (!text.startsWith("{")) {
      lines.addAll(text.lines().toList());
      return;
    }
    JsonNode record = JsonMapper.shared().readTree(value);
    String id = record.path("id").stringValue();
    if (record.path("gone").asBoolean(false)) {
      objects.remove(id);
      gone.add(id);
      history.add("gone " + id);
      return;
    }
    gone.remove(id);
    Known before =
        objects.getOrDefault(
            id,
            new Known(
                record.path("objectKind").stringValue(),
                id,
                id,
                "",
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of()));
    Map<String, Double> metrics = new TreeMap<>(before.metrics);
    record
        .path("metrics")
        .properties()
        .forEach(m -> metrics.put(m.getKey(), m.getValue().asDouble()));
    Known now =
        new Known(
            before.kind,
            id,
            record.path("name").asString(before.name),
            record.path("locator").asString(before.locator),
            texts(before.properties, record.path("properties")),
            texts(before.tags, record.path("tags")),
            relatives(before.parents, record.path("parents")),
            relatives(before.children, record.path("children")),
            metrics);
    objects.put(id, now);
    history.add(now.name + " " + record);
  }

  private static Map<String, String> texts(Map<String, String> before, JsonNode told) {
    Map<String, String> texts = new TreeMap<>(before);
    told.properties()
        .forEach(
            entry -> {
              if (entry.getValue().isNull()) {
                texts.remove(entry.getKey());
              } else {
                texts.put(entry.getKey(), entry.getValue().asString());
              }
            });
    return texts;
  }

  private static Map<String, Set<String>> relatives(
      Map<String, Set<String>> before, JsonNode told) {
    Map<String, Set<String>> now = new HashMap<>(before);
    told.forEach(relative -> now.put(relative.path("objectKind").stringValue(), new TreeSet<>()));
    told.forEach(
        relative -> {
          if (!relative.path("id").isNull()) {
            now.get(relative.path("objectKind").stringValue())
                .add(relative.path("id").stringValue());
          }
        });
    now.values().removeIf(Collection::isEmpty);
    return now;
  }

  @Override
  public void flush() {}

  @Override
  public Optional<String> position(String part) {
    return Optional.ofNullable(positions.get(part));
  }

  @Override
  public void position(String part, String value) {
    positions.put(part, value);
  }

  @Override
  public void about(String text) {
    about = text;
  }

  @Override
  public void report(RoundReport report) {
    reports.add(report);
  }

  @Override
  public boolean held() {
    return held;
  }

  synchronized List<Known> ofKind(String kind) {
    return objects.values().stream().filter(object -> object.kind.equals(kind)).toList();
  }

  synchronized Optional<Known> named(String kind, String name) {
    return objects.values().stream()
        .filter(object -> object.kind.equals(kind) && object.name.equals(name))
        .findFirst();
  }

  synchronized Optional<Known> object(String id) {
    return Optional.ofNullable(objects.get(id));
  }

  synchronized boolean isGone(String id) {
    return gone.contains(id);
  }

  synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  synchronized List<String> history() {
    return List.copyOf(history);
  }

  /** CloudEvents whose type has this class, in the order in which they were told. */
  synchronized List<JsonNode> events(String type) {
    return events.stream()
        .filter(e -> e.path("type").stringValue().equals("com.vmware.vsphere." + type + ".v0"))
        .toList();
  }

  synchronized List<JsonNode> events() {
    return List.copyOf(events);
  }

  /** The newest report of a part. */
  Optional<RoundReport> last(Part part) {
    return reports.stream().filter(report -> report.part() == part).reduce((a, b) -> b);
  }
}
