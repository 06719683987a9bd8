package io.peerlens.dashboard.vrops;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Conditions on objects, out of filters of views and of widgets. */
final class Conditions {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int ALTERNATIVES = 20;

  private static final Map<String, String> OPERATORS =
      Map.ofEntries(
          Map.entry("GREATER_THAN", ">"),
          Map.entry("GREATER_THAN_OR_EQUAL", ">="),
          Map.entry("GREATER_OR_EQUAL", ">="),
          Map.entry("GREATER_THAN_EQUALS", ">="),
          Map.entry("GREATER_THAN_OR_EQUALS", ">="),
          Map.entry("LESS_THAN", "<"),
          Map.entry("LESS_THAN_OR_EQUAL", "<="),
          Map.entry("LESS_OR_EQUAL", "<="),
          Map.entry("LESS_THAN_EQUALS", "<="),
          Map.entry("LESS_THAN_OR_EQUALS", "<="),
          Map.entry("EQUALS", "="),
          Map.entry("EQ", "="),
          Map.entry("IS", "="),
          Map.entry("NOT_EQUALS", "!="),
          Map.entry("NE", "!="),
          Map.entry("IS_NOT", "!="),
          Map.entry("NOT_EQUAL", "!="),
          Map.entry("CONTAINS", "contains"),
          Map.entry("NOT_CONTAINS", "notContains"),
          Map.entry("DOES_NOT_CONTAIN", "notContains"),
          Map.entry("STARTS_WITH", "startsWith"),
          Map.entry("NOT_STARTS_WITH", ""),
          Map.entry("ENDS_WITH", "endsWith"),
          Map.entry("REGEX", "matches"),
          Map.entry("MATCHES", "matches"),
          Map.entry("EXISTS", "exists"),
          Map.entry("NOT_EXISTS", "notExists"),
          Map.entry("NOT_EXIST", "notExists"),
          Map.entry("DOES_NOT_EXIST", "notExists"));

  private static final JsonMapper MAPPER = Documents.MAPPER;

  private final Columns columns;

  Conditions(Columns columns) {
    this.columns = columns;
  }

  /**
   * Alternatives of the filter of a view's subject.
   *
   * @param filter JSON text: a list of lists of conditions
   * @param left gets a word for each condition that is not taken over
   */
  ArrayNode ofView(String filter, List<String> kinds, List<String> left) {
    if (filter.isBlank()) {
      return JSON.arrayNode();
    }
    try {
      List<List<JsonNode>> groups = new ArrayList<>();
      JsonNode root = MAPPER.readTree(filter);
      if (root.isArray()) {
        for (JsonNode group : root) {
          List<JsonNode> conditions = new ArrayList<>();
          if (group.isArray()) {
            group.forEach(conditions::add);
          } else {
            conditions.add(group);
          }
          groups.add(conditions);
        }
      }
      return alternatives(groups, kinds, left);
    } catch (JacksonException e) {
      left.add("a filter that cannot be read");
      return JSON.arrayNode();
    }
  }

  /**
   * Alternatives of a widget's filter; those for other kinds than the ones shown are passed over.
   */
  ArrayNode ofWidget(JsonNode customFilter, List<String> kinds, List<String> left) {
    List<List<JsonNode>> groups = new ArrayList<>();
    for (JsonNode filter : Members.objects(customFilter, "filter")) {
      String kind = Kinds.ofId(Members.text(filter, "resourceKind"));
      if (kind.isEmpty() || kinds.isEmpty() || kinds.contains(kind)) {
        groups.add(Members.objects(filter, "filterTypes"));
      }
    }
    return alternatives(groups, kinds, left);
  }

  private ArrayNode alternatives(
      List<List<JsonNode>> groups, List<String> kinds, List<String> left) {
    ArrayNode alternatives = JSON.arrayNode();
    for (List<JsonNode> group : groups) {
      ArrayNode all = JSON.arrayNode();
      for (JsonNode condition : group) {
        ObjectNode made = condition(condition, kinds, left);
        if (made != null && all.size() < ALTERNATIVES) {
          all.add(made);
        }
      }
      if (all.isEmpty() && !group.isEmpty()) {
        // One alternative that lets everything through: then the others do not matter.
        return JSON.arrayNode();
      }
      if (!all.isEmpty() && alternatives.size() < ALTERNATIVES) {
        alternatives.add(all);
      }
    }
    return alternatives;
  }

  private @Nullable ObjectNode condition(
      JsonNode condition, List<String> kinds, List<String> left) {
    if (!condition.isObject()) {
      return null;
    }
    String word = Members.text(condition, "condition").toUpperCase(Locale.ROOT);
    String type = Members.text(condition, "filterType").toLowerCase(Locale.ROOT);
    String operator = OPERATORS.getOrDefault(word, "");
    if (operator.isEmpty()) {
      left.add("a condition " + Names.cut(word.isEmpty() ? "without operator" : word, 40));
      return null;
    }
    ObjectNode made = JSON.objectNode();
    JsonNode metricValue = condition.path("metricValue");
    boolean isText = Members.flag(metricValue, "isStringMetric");
    String value = Members.text(metricValue.isObject() ? metricValue.path("value") : metricValue);
    if (type.contains("name")) {
      made.put("attribute", "name");
      isText = true;
      value = Members.text(condition, "resourceName");
    } else if (type.equals("metrics") || type.equals("properties")) {
      String written = Members.text(condition, "metricKey");
      if (written.isEmpty()) {
        left.add("a condition without key");
        return null;
      }
      MetricKey key = MetricKey.of(written);
      String transform = Members.text(condition, "transform").toUpperCase(Locale.ROOT);
      if (key.isHealth()) {
        made.put("attribute", "health");
      } else if (key.superMetric() == null
          && columns.isProperty(kinds, key.plain(), type.equals("properties"), isText)) {
        made.put("property", key.property());
      } else {
        ObjectNode metric = made.putObject("metric");
        metric.putArray("any").add(key.stored());
        if (!key.isAggregate() && key.instance() != null) {
          metric.putObject("instance").put("name", Names.cut(key.instance(), 400));
        }
        String statistic = Transforms.ofCondition(transform);
        if (!statistic.isEmpty()) {
          made.put("transform", statistic);
        }
      }
    } else {
      left.add("a condition on " + (type.isEmpty() ? "something unknown" : Names.cut(type, 40)));
      return null;
    }
    made.put("op", operator);
    if (operator.equals("exists") || operator.equals("notExists")) {
      return made;
    }
    Double number = isText ? null : Members.number(value);
    if (number != null) {
      made.set("value", Colours.number(number));
    } else {
      made.put("value", Names.cut(value, 400));
    }
    return made;
  }
}
