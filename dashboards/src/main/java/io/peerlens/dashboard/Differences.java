package io.peerlens.dashboard;

import io.peerlens.definition.Definitions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Differences between two definitions of a dashboard or view, in words. */
final class Differences {

  private static final int MOST = 100;
  private static final int MOST_TEXT = 80;

  private final List<String> words = new ArrayList<>();

  private Differences() {}

  /** Between two dashboards; empty = they say the same. */
  static List<String> ofDashboards(JsonNode before, JsonNode after) {
    Differences differences = new Differences();
    differences.texts(before, after, "name", "folder");
    differences.others(before, after, "description", "time", "refresh");
    differences.named("variable", list(before.path("variables")), list(after.path("variables")));
    differences.named("panel", map(before.path("panels")), map(after.path("panels")));
    differences.others(before, after, "layout");
    differences.rest(
        before,
        after,
        List.of(
            "name", "folder", "description", "time", "refresh", "variables", "panels", "layout"));
    return differences.words();
  }

  /** Between two views; empty = they say the same. */
  static List<String> ofViews(JsonNode before, JsonNode after) {
    Differences differences = new Differences();
    differences.texts(before, after, "name", "folder", "show");
    differences.others(before, after, "description", "kind", "select", "window");
    differences.named("column", list(before.path("columns")), list(after.path("columns")));
    differences.rest(
        before,
        after,
        List.of("name", "folder", "show", "description", "kind", "select", "window", "columns"));
    return differences.words();
  }

  private List<String> words() {
    return words.size() <= MOST ? List.copyOf(words) : List.copyOf(words.subList(0, MOST));
  }

  private void texts(JsonNode before, JsonNode after, String... members) {
    for (String member : members) {
      String was = before.path(member).asString("");
      String is = after.path(member).asString("");
      if (!was.equals(is)) {
        words.add(
            is.isEmpty()
                ? "The %s is gone; it was \"%s\".".formatted(member, shown(was))
                : was.isEmpty()
                    ? "The %s is \"%s\".".formatted(member, shown(is))
                    : "The %s is \"%s\" instead of \"%s\"."
                        .formatted(member, shown(is), shown(was)));
      }
    }
  }

  private static String shown(String text) {
    return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT) + "…";
  }

  private void others(JsonNode before, JsonNode after, String... members) {
    for (String member : members) {
      if (differ(before.path(member), after.path(member))) {
        words.add("The %s is another one.".formatted(member));
      }
    }
  }

  private void named(String what, Map<String, JsonNode> before, Map<String, JsonNode> after) {
    after.forEach(
        (name, now) -> {
          JsonNode was = before.get(name);
          if (was == null) {
            words.add("The %s %s is new.".formatted(what, name));
          } else {
            TreeSet<String> members = new TreeSet<>(was.propertyNames());
            members.addAll(now.propertyNames());
            List<String> changed =
                members.stream()
                    .filter(member -> differ(was.path(member), now.path(member)))
                    .toList();
            if (!changed.isEmpty()) {
              words.add(
                  "The %s %s has another %s."
                      .formatted(what, name, String.join(", another ", changed)));
            }
          }
        });
    before
        .keySet()
        .forEach(
            name -> {
              if (!after.containsKey(name)) {
                words.add("The %s %s is gone.".formatted(what, name));
              }
            });
    if (after.keySet().containsAll(before.keySet())
        && before.keySet().containsAll(after.keySet())
        && !what.equals("panel")
        && !List.copyOf(before.keySet()).equals(List.copyOf(after.keySet()))) {
      words.add("The %ss have another order.".formatted(what));
    }
  }

  private void rest(JsonNode before, JsonNode after, List<String> told) {
    TreeSet<String> members = new TreeSet<>(before.propertyNames());
    members.addAll(after.propertyNames());
    members.removeAll(told);
    members.remove("id");
    others(before, after, members.toArray(String[]::new));
  }

  private static boolean differ(JsonNode before, JsonNode after) {
    return !Definitions.changes(wrapped(before), wrapped(after)).isEmpty();
  }

  private static JsonNode wrapped(JsonNode node) {
    return Json.MAPPER.createObjectNode().set("it", node.isMissingNode() ? null : node);
  }

  private static Map<String, JsonNode> map(JsonNode node) {
    Map<String, JsonNode> map = new LinkedHashMap<>();
    node.forEachEntry(map::put);
    return map;
  }

  /** Items by their names. */
  private static Map<String, JsonNode> list(JsonNode node) {
    Map<String, JsonNode> map = new LinkedHashMap<>();
    node.forEach(one -> map.put(one.path("name").asString(""), one));
    return map;
  }
}
