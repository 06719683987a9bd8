package io.peerlens.dashboard.file;

import io.peerlens.dashboard.file.Bundle.Example;
import io.peerlens.dashboard.file.Bundle.ExampleObject;
import io.peerlens.dashboard.file.Bundle.Expected;
import io.peerlens.dashboard.file.Bundle.ExpectedRow;
import io.peerlens.dashboard.file.Bundle.Sample;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reader of the tests of a file. */
final class ExampleReader {

  private ExampleReader() {}

  static @Nullable Example read(Node node) {
    if (!node.isObject()) {
      return null;
    }
    List<ExampleObject> objects = node.list("objects", 1000, ExampleReader::object);
    Set<String> names = new HashSet<>();
    objects.forEach(object -> names.add(object.name()));
    for (ExampleObject object : objects) {
      for (String parent : object.parents()) {
        if (!names.contains(parent)) {
          node.wrong(
              "has %s below %s, which there is not".formatted(object.name(), parent),
              "Add it to objects.");
        }
      }
    }
    Example example =
        new Example(
            node.text("name", Node.LINE),
            TimeReader.instant(node, "at"),
            objects,
            node.map("variables", 30, (name, value) -> scalar(value)),
            node.list("expect", 200, ExampleReader::expected));
    if (!node.has("objects")) {
      node.wrong("has no objects", "Give \"objects\": [], if there are to be none.");
    }
    if (example.expected().isEmpty()) {
      node.wrong("expects nothing", "Say in expect what a panel shows.");
    }
    node.end();
    return example;
  }

  private static @Nullable String scalar(Node node) {
    return node.json().isNumber() || node.json().isBoolean()
        ? node.json().asString()
        : node.asText(Node.LINE);
  }

  private static @Nullable ExampleObject object(Node node) {
    if (!node.isObject()) {
      return null;
    }
    Node kind = node.get("kind");
    ObjectKind of = kind == null ? null : ObjectReader.kind(kind);
    if (kind == null) {
      node.wrong("has no kind", "Write for instance VMWARE/HostSystem.");
    }
    ExampleObject object =
        new ExampleObject(
            node.text("name", Node.LINE),
            of == null ? new ObjectKind("?", "?") : of,
            node.texts("parents", 50, Node.LINE),
            node.map("tags", 100, (key, value) -> value.asText(Node.LINE)),
            node.map("properties", 500, (key, value) -> scalar(value)),
            node.map("metrics", 500, (key, value) -> samples(value)));
    node.end();
    return object;
  }

  private static List<Sample> samples(Node node) {
    return node.json().isNumber()
        ? List.of(new Sample(null, node.number()))
        : node.asList(1, 10_000, ExampleReader::sample);
  }

  private static @Nullable Sample sample(Node node) {
    JsonNode pair = node.json();
    if (!pair.isArray() || pair.size() != 2 || !pair.get(1).isNumber()) {
      node.wrong("is no pair", "Write for instance [\"5m\", 12.5].");
      return null;
    }
    if (pair.get(0).asString("").equals("0s")) {
      return new Sample(Duration.ZERO, pair.get(1).doubleValue());
    }
    Duration before = new Node(pair.get(0), node.path() + "[0]", node.mistakes()).asDuration();
    return before == null ? null : new Sample(before, pair.get(1).doubleValue());
  }

  private static @Nullable Expected expected(Node node) {
    if (!node.isObject()) {
      return null;
    }
    Node rows = node.get("rows");
    Expected expected =
        new Expected(
            node.optionalText("dashboard", Node.LINE),
            node.optionalName("panel"),
            node.optionalText("view", Node.LINE),
            rows == null ? null : rows.asList(0, 10_000, ExampleReader::row),
            node.word(
                "empty",
                Node.words(
                    "choose",
                    "no-kind",
                    "no-match",
                    "not-allowed",
                    "not-enabled",
                    "never-reported",
                    "stopped")));
    if ((expected.view() == null) == (expected.panel() == null)) {
      node.wrong("is about nothing", "Give either view, or dashboard and panel.");
    }
    if ((expected.rows() == null) == (expected.empty() == null)) {
      node.wrong("expects nothing", "Give either rows or empty.");
    }
    node.end();
    return expected;
  }

  private static @Nullable ExpectedRow row(Node node) {
    if (!node.isObject()) {
      return null;
    }
    Map<String, @Nullable Object> cells = new HashMap<>();
    Node given = node.get("cells");
    if (given != null) {
      given.asMap(
          100,
          (column, value) -> {
            if (value.json().isNull()) {
              cells.put(column, null);
            } else {
              cells.put(
                  column,
                  value.json().isNumber() ? (Object) value.number() : value.asText(Node.LINE));
            }
            return value;
          });
    }
    ExpectedRow row =
        new ExpectedRow(
            node.text("object", Node.LINE), node.optionalText("instance", Node.LINE), cells);
    node.end();
    return row;
  }
}
