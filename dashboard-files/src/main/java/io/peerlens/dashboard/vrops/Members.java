package io.peerlens.dashboard.vrops;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Members of JSON that strangers wrote. Whatever stands there, an accessor gives something of its
 * own type or nothing: texts where numbers should be, lists where one thing should be, and values
 * that lie in an object under their own name, as vROps writes {@code "selfProvider":
 * {"selfProvider": true}}.
 */
final class Members {

  private Members() {}

  /** A text; empty = there is none. */
  static String text(@Nullable JsonNode node, String member) {
    return node == null ? "" : text(inner(node, member));
  }

  /** The text of a value; empty = it has none. */
  static String text(JsonNode value) {
    if (value.isString()) {
      return value.stringValue().strip();
    }
    return value.isNumber() || value.isBoolean() ? value.asString("") : "";
  }

  /** Whether a flag is set; texts and numbers count, too. */
  static boolean flag(@Nullable JsonNode node, String member) {
    if (node == null) {
      return false;
    }
    JsonNode value = inner(node, member);
    return value.isBoolean() ? value.booleanValue() : text(value).equalsIgnoreCase("true");
  }

  /** A number; null = there is none. */
  static @Nullable Double number(@Nullable JsonNode node, String member) {
    return node == null ? null : number(text(inner(node, member)));
  }

  /** The number that a text is; null = it is none. */
  static @Nullable Double number(String text) {
    if (text.isEmpty() || text.length() > 40 || !"+-.0123456789".contains(text.substring(0, 1))) {
      return null;
    }
    try {
      double value = Double.parseDouble(text.replace(',', '.'));
      return Double.isFinite(value) ? value : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** A whole number within bounds, or the fallback. */
  static int whole(@Nullable JsonNode node, String member, int fallback, int least, int most) {
    Double value = number(node, member);
    return value == null ? fallback : (int) Math.max(least, Math.min(most, value));
  }

  /** The elements of a list; a value that is no list is its only element. */
  static List<JsonNode> list(@Nullable JsonNode node, String member) {
    if (node == null) {
      return List.of();
    }
    JsonNode value = inner(node, member);
    List<JsonNode> elements = new ArrayList<>();
    if (value.isArray()) {
      value.forEach(elements::add);
    } else if (!value.isMissingNode() && !value.isNull() && !text(value).isEmpty()
        || value.isObject()) {
      elements.add(value);
    }
    return elements;
  }

  /** The elements of a list that are objects. */
  static List<JsonNode> objects(@Nullable JsonNode node, String member) {
    return list(node, member).stream().filter(JsonNode::isObject).toList();
  }

  /** A member that is an object; else an empty one that has no members. */
  static JsonNode object(@Nullable JsonNode node, String member) {
    return node == null ? tools.jackson.databind.node.MissingNode.getInstance() : node.path(member);
  }

  private static JsonNode inner(JsonNode node, String member) {
    JsonNode value = node.path(member);
    return value.isObject() && value.has(member) ? value.path(member) : value;
  }
}
