package io.peerlens.dashboard;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelQuery;
import io.peerlens.api.model.PanelRow;
import io.peerlens.panel.PanelRequests;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Values of the variables of dashboards for who has no page that chooses them, such as walls and
 * readers of links: what is given, else what the defaults say. A default is found by the question
 * that the page of the dashboard would ask. Thread-safe.
 */
final class DashboardValues {

  private static final Pattern ID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  /** Walls that ask at once share what is found. */
  private static final String MAX_AGE = "30s";

  private static final int MOST_OF_A_NAME = 1_000;

  private final PanelRequests panels;
  private final KeyQueries objects;

  DashboardValues(PanelRequests panels, KeyQueries objects) {
    this.panels = panels;
    this.objects = objects;
  }

  /**
   * A value, and what people call it.
   *
   * @param text of an object its id, of several their ids with commas
   */
  record Value(String text, String label) {}

  /**
   * Values by name, in the order of the dashboard; variables that have none are left out. A default
   * sees the values of the variables before its own, and all that are given.
   *
   * @param definition of the dashboard
   * @param given by name
   */
  Map<String, Value> of(JsonNode definition, Map<String, String> given) {
    Map<String, Value> known = new LinkedHashMap<>();
    given.forEach((name, text) -> known.put(name, new Value(text, text)));
    Map<String, Value> values = new LinkedHashMap<>();
    for (JsonNode variable : definition.path("variables")) {
      String name = variable.path("name").asString();
      Value value = known.get(name);
      if (value == null) {
        value = byDefault(variable, known);
      }
      if (value != null) {
        known.put(name, value);
        values.put(name, value);
      }
    }
    return labelled(definition, values);
  }

  private @Nullable Value byDefault(JsonNode variable, Map<String, Value> known) {
    JsonNode usual = variable.path("default");
    if (usual.isMissingNode() || usual.isNull()) {
      return null;
    }
    String text = usual.isObject() ? null : text(usual);
    if (!isObject(variable) || (text != null && isId(text))) {
      return text == null ? null : new Value(text, text);
    }
    List<ObjectRef> found;
    if (text != null) {
      found = objects(variable, variable.path("kind"), text, null, false, 1, known);
    } else if (usual.has("first")) {
      JsonNode first = usual.path("first");
      String by = first.path("by").isString() ? first.path("by").asString() : null;
      boolean descending =
          first.path("order").isString()
              ? first.path("order").asString().equals("desc")
              : by != null;
      found = objects(variable, variable.path("kind"), null, by, descending, 1, known);
      if (found.isEmpty() && by != null) { // nothing has that metric
        found = objects(variable, variable.path("kind"), null, null, false, 1, known);
      }
    } else {
      JsonNode kind = usual.has("kind") ? usual.path("kind") : variable.path("kind");
      found = objects(variable, kind, usual.path("name").asString(), null, false, 1, known);
    }
    return found.isEmpty()
        ? null
        : new Value(found.getFirst().getId().toString(), found.getFirst().getName());
  }

  /**
   * What a variable can be: its choices, or the objects of its kinds and scope by name.
   *
   * @param known values of other variables
   */
  List<Value> choices(JsonNode variable, int most, Map<String, Value> known) {
    JsonNode choices = variable.path("choices");
    if (!choices.isEmpty()) {
      return choices
          .valueStream()
          .limit(most)
          .map(DashboardValues::text)
          .map(text -> new Value(text, text))
          .toList();
    }
    return isObject(variable)
        ? objects(variable, variable.path("kind"), null, null, false, most, known).stream()
            .map(one -> new Value(one.getId().toString(), one.getName()))
            .toList()
        : List.of();
  }

  /** Whether objects are among those that a variable is about. */
  boolean canBe(JsonNode variable, List<UUID> ids, Map<String, Value> known) {
    Map<UUID, String> names = objects.names(ids);
    return ids.stream()
        .allMatch(
            id -> {
              String name = names.get(id);
              return name != null
                  && objects(
                          variable, variable.path("kind"), name, null, false, MOST_OF_A_NAME, known)
                      .stream()
                      .anyMatch(one -> one.getId().equals(id));
            });
  }

  private List<ObjectRef> objects(
      JsonNode variable,
      JsonNode kind,
      @Nullable String name,
      @Nullable String by,
      boolean descending,
      int most,
      Map<String, Value> known) {
    ObjectNode panel = Json.MAPPER.createObjectNode();
    panel.put("type", "table");
    if (!kind.isMissingNode()) {
      panel.set("kind", kind);
    }
    JsonNode scope = variable.path("scope");
    if (!scope.isMissingNode() || name != null) {
      ObjectNode select = panel.putObject("select");
      if (!scope.isMissingNode()) {
        select.set("scope", scope);
      }
      if (name != null) {
        select
            .putArray("where")
            .addArray()
            .addObject()
            .put("attribute", "name")
            .put("op", "=")
            .put("value", name);
      }
    }
    ArrayNode columns = panel.putArray("columns");
    columns.addObject().put("name", "name").put("attribute", "name");
    if (by != null) {
      ObjectNode column = columns.addObject().put("name", "by").put("transform", "current");
      column.putObject("metric").putArray("any").add(by);
    }
    panel
        .putArray("sort")
        .addObject()
        .put("column", by == null ? "name" : "by")
        .put("order", descending ? "desc" : "asc");
    panel.put("limit", most);
    PanelQuery query = new PanelQuery(Json.map(panel));
    query.setVariables(texts(known));
    query.setTime(Map.of("last", "1h"));
    query.setMaxAge(MAX_AGE);
    PanelAnswer answer = panels.answer(query);
    return requireNonNullElse(answer.getRows(), List.<PanelRow>of()).stream()
        .map(PanelRow::getObject)
        .toList();
  }

  static Map<String, String> texts(Map<String, Value> values) {
    Map<String, String> texts = new LinkedHashMap<>();
    values.forEach((name, value) -> texts.put(name, value.text()));
    return texts;
  }

  /** The same values, objects with their names. */
  private Map<String, Value> labelled(JsonNode definition, Map<String, Value> values) {
    List<UUID> ids = new ArrayList<>();
    for (JsonNode variable : definition.path("variables")) {
      Value value = values.get(variable.path("name").asString());
      if (value != null && isObject(variable)) {
        ids.addAll(ids(value.text()));
      }
    }
    if (ids.isEmpty()) {
      return values;
    }
    Map<UUID, String> names = objects.names(ids);
    for (JsonNode variable : definition.path("variables")) {
      if (isObject(variable)) {
        values.computeIfPresent(
            variable.path("name").asString(),
            (name, value) -> new Value(value.text(), label(value, names)));
      }
    }
    return values;
  }

  private static String label(Value value, Map<UUID, String> names) {
    String label =
        ids(value.text()).stream()
            .map(id -> names.getOrDefault(id, "an object that is gone"))
            .collect(Collectors.joining(", "));
    return label.isEmpty() ? value.label() : label;
  }

  /** The ids in a text, without what is none. */
  static List<UUID> ids(String text) {
    List<UUID> ids = new ArrayList<>();
    for (String one : text.split(",", -1)) {
      if (isId(one)) {
        ids.add(UUID.fromString(one));
      }
    }
    return ids;
  }

  /** A choice with the name of its object. */
  Map<String, String> names(List<String> texts) {
    List<UUID> ids = texts.stream().flatMap(text -> ids(text).stream()).distinct().toList();
    Map<String, String> names = new LinkedHashMap<>();
    if (!ids.isEmpty()) {
      objects.names(ids).forEach((id, name) -> names.put(id.toString(), name));
    }
    return names;
  }

  static boolean isObject(JsonNode variable) {
    String type = variable.path("type").asString();
    return type.equals("object") || type.equals("objects");
  }

  private static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  private static String text(JsonNode scalar) {
    return scalar.isString() ? scalar.asString() : scalar.toString();
  }
}
