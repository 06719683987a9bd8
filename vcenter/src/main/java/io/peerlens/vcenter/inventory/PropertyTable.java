package io.peerlens.vcenter.inventory;

import io.peerlens.vcenter.vim.XmlValue;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Table of the properties that are read, from {@code vcenter/properties.yaml}, where its form is
 * described.
 */
public final class PropertyTable {

  private final Map<String, TypeTable> types = new LinkedHashMap<>();

  private PropertyTable() {}

  /** Reads a value, and tells what it means. */
  @FunctionalInterface
  interface Rule {
    void read(XmlValue value, Facts facts);
  }

  /**
   * What is read of one type of vim25.
   *
   * @param kind vROps' object kind; empty = read for joins alone, no object of ours
   * @param watched rules by path
   * @param polled rules by path
   */
  record TypeTable(String kind, Map<String, List<Rule>> watched, Map<String, List<Rule>> polled) {

    /** Paths that are told when they change. */
    Set<String> watchedPaths() {
      return watched.keySet();
    }

    /** Paths that are read from time to time. */
    Set<String> polledPaths() {
      return polled.keySet();
    }

    List<Rule> rules(String path) {
      List<Rule> rules = watched.get(path);
      return rules != null ? rules : polled.getOrDefault(path, List.of());
    }
  }

  /** The table that is shipped. */
  public static PropertyTable shipped() {
    try (InputStream in = PropertyTable.class.getResourceAsStream("/vcenter/properties.yaml")) {
      return of(new YAMLMapper().readTree(Objects.requireNonNull(in)));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static PropertyTable of(JsonNode root) {
    PropertyTable table = new PropertyTable();
    for (Map.Entry<String, JsonNode> type : root.properties()) {
      String like = type.getValue().path("like").asString("");
      JsonNode of = like.isEmpty() ? type.getValue() : root.path(like);
      table.types.put(
          type.getKey(),
          new TypeTable(
              of.path("kind").asString(""),
              paths(type.getKey(), of.path("watch")),
              paths(type.getKey(), of.path("poll"))));
    }
    return table;
  }

  private static Map<String, List<Rule>> paths(String type, JsonNode paths) {
    Map<String, List<Rule>> byPath = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> path : paths.properties()) {
      List<Rule> rules = new ArrayList<>();
      for (JsonNode rule : path.getValue()) {
        rules.add(rule(type + "." + path.getKey(), rule));
      }
      byPath.put(path.getKey(), rules);
    }
    return byPath;
  }

  private static Rule rule(String place, JsonNode rule) {
    if (rule.isString()) {
      String key = rule.stringValue();
      return (value, facts) -> facts.property(key, value.text());
    }
    if (rule.has("reader")) {
      return Readers.named(rule.path("reader").stringValue());
    }
    String at = rule.path("at").asString("");
    Map<String, String> words = new LinkedHashMap<>();
    rule.path("words")
        .properties()
        .forEach(word -> words.put(word.getKey(), word.getValue().asString("")));
    BigDecimal multiply = decimal(rule.path("multiply"));
    BigDecimal divide = decimal(rule.path("divide"));
    if (rule.has("property")) {
      String key = rule.path("property").stringValue();
      return (value, facts) -> {
        XmlValue found = at.isEmpty() ? value : value.at(at);
        if (found != null) {
          String text = words.getOrDefault(found.text(), found.text());
          facts.property(
              key, multiply == null && divide == null ? text : scaled(text, multiply, divide));
        }
      };
    }
    if (!rule.has("metric")) {
      throw new IllegalArgumentException(place + " has neither property, metric nor reader");
    }
    String key = rule.path("metric").stringValue();
    String unit = rule.path("unit").asString("");
    return (value, facts) -> {
      XmlValue found = at.isEmpty() ? value : value.at(at);
      if (found != null && (words.isEmpty() || words.containsKey(found.text()))) {
        String text = words.getOrDefault(found.text(), found.text());
        try {
          facts.metric(key, Double.parseDouble(scaled(text, multiply, divide)), unit);
        } catch (NumberFormatException e) {
          // Not told then.
        }
      }
    };
  }

  private static @Nullable BigDecimal decimal(JsonNode number) {
    return number.isMissingNode() ? null : new BigDecimal(number.asString());
  }

  /** -1 means that there is no limit, in whatever unit. */
  private static String scaled(
      String text, @Nullable BigDecimal multiply, @Nullable BigDecimal divide) {
    if (text.isEmpty() || text.equals("-1") || (multiply == null && divide == null)) {
      return text;
    }
    try {
      BigDecimal number = new BigDecimal(text);
      if (multiply != null) {
        number = number.multiply(multiply);
      }
      if (divide != null) {
        number = number.divide(divide, java.math.MathContext.DECIMAL64);
      }
      return number.stripTrailingZeros().toPlainString();
    } catch (NumberFormatException e) {
      return "";
    }
  }

  /** The types of vim25 that are read. */
  Set<String> types() {
    return types.keySet();
  }

  /** What is read of a type; null when nothing is. */
  @Nullable TypeTable of(String type) {
    return types.get(type);
  }

  /** vROps' kind of a type of vim25; empty = it is told as no object. */
  public String kind(String type) {
    TypeTable table = types.get(type);
    return table == null ? "" : table.kind();
  }

  /** vROps' kinds that objects are told as. */
  public Set<String> kinds() {
    Set<String> kinds = new LinkedHashSet<>();
    types.values().stream().map(TypeTable::kind).filter(k -> !k.isEmpty()).forEach(kinds::add);
    kinds.addAll(VirtualSan.KINDS);
    return kinds;
  }
}
