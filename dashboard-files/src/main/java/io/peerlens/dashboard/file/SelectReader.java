package io.peerlens.dashboard.file;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reader of rules that select objects: where they begin, the ways they go, and what holds. */
final class SelectReader {

  private SelectReader() {}

  static Select select(Node node) {
    Node from = node.get("from");
    Select select =
        new Select(
            from == null ? null : from(from),
            node.list("paths", 10, SelectReader::path),
            scope(node.get("scope"), 1),
            node.list("where", 20, some -> some.asList(1, 20, ColumnReader::condition)),
            node.list("slices", 10, SelectReader::reference));
    node.end();
    return select;
  }

  private static Select.@Nullable From from(Node node) {
    if (node.json().isObject()) {
      Select.From from = new Select.From.Group(node.text("group", Node.LINE));
      node.end();
      return from;
    }
    return node.asWord(
        Map.of("all", new Select.From.All(), "subject", (Select.From) new Select.From.Subject()));
  }

  static List<Select.Step> path(Node node) {
    return node.asList(1, 6, SelectReader::step);
  }

  private static Select.@Nullable Step step(Node node) {
    Map<String, Select.Direction> directions = Node.words(Select.Direction.class);
    if (!node.json().isObject()) {
      Select.Direction to = node.asWord(directions);
      return to == null ? null : new Select.Step(to, List.of(), 0);
    }
    Select.Direction to = node.word("to", directions);
    Integer depth = node.integer("depth", 1, 20);
    Select.Step step =
        to == null
            ? null
            : new Select.Step(to, ObjectReader.kinds(node.get("kind")), depth == null ? 0 : depth);
    if (to == null && !node.has("to")) {
      node.wrong("goes nowhere", "Give to: one of " + String.join(", ", directions.keySet()) + ".");
    }
    node.get("kind");
    node.end();
    return step;
  }

  /**
   * Reads conditions that limit objects; all objects if there are none.
   *
   * @param depth 1; 2 for what is excluded, which excludes nothing in turn
   */
  static Select.Scope scope(@Nullable Node node, int depth) {
    if (node == null || !node.isObject()) {
      return Select.Scope.ALL;
    }
    Select.Scope scope =
        new Select.Scope(
            node.optionalText("name", Node.LINE),
            pairs(node, "tags"),
            pairs(node, "properties"),
            node.texts("groups", 50, Node.LINE),
            node.list("ancestors", 50, ObjectReader::subject),
            depth == 1 ? node.list("exclude", 20, one -> excluded(one, depth)) : List.of());
    node.end();
    return scope;
  }

  private static Select.Scope excluded(Node node, int depth) {
    Select.Scope scope = scope(node, depth + 1);
    if (scope.equals(Select.Scope.ALL)) {
      node.wrong(
          "has no condition, so it would leave out every object", "Give it one, or leave it out.");
    }
    return scope;
  }

  private static List<String> pairs(Node node, String member) {
    return node.list(
        member,
        50,
        one -> {
          String text = one.asText(Node.LINE);
          if (text != null && text.startsWith("=")) {
            one.wrong("has no key", "Write key=value, or key for any value.");
          }
          return text;
        });
  }

  private static @Nullable String reference(Node node) {
    String text = node.asText(Node.LINE);
    if (text != null
        && (!text.startsWith("$") || !Node.NAME.matcher(text.substring(1)).matches())) {
      node.wrong("is \"" + text + "\", which is no variable", "Write for instance $slice.");
      return null;
    }
    return text == null ? null : text.substring(1);
  }
}
