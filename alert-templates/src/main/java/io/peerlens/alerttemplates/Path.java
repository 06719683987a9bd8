package io.peerlens.alerttemplates;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Path of names from the outside in, such as alert, name.
 *
 * @param names at least one; a position in an array is a name of digits
 */
record Path(List<String> names) {

  static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private static final Pattern STEP =
      Pattern.compile("\\.(" + NAME + ")|\\[\"([^\"]+)\"]|\\[([0-9]{1,6})]");

  /**
   * Reads a path.
   *
   * @param place where it stands in the document
   */
  static Path parse(String place, String text) {
    Path path = parseOrNull(text);
    if (path == null) {
      throw new TemplateException(
          place,
          "'"
              + text
              + "' is no path; write names with dots, such as alert.name, or object.tags[\"cost"
              + " centre\"]");
    }
    return path;
  }

  private static @Nullable Path parseOrNull(String text) {
    Matcher first = NAME.matcher(text);
    if (!first.lookingAt()) {
      return null;
    }
    List<String> names = new ArrayList<>(List.of(first.group()));
    Matcher step = STEP.matcher(text);
    int at = first.end();
    for (; step.find(at) && step.start() == at; at = step.end()) {
      String name = step.group(1) != null ? step.group(1) : step.group(2);
      names.add(name != null ? name : step.group(3));
    }
    return at == text.length() ? new Path(List.copyOf(names)) : null;
  }

  String first() {
    return names.getFirst();
  }

  String last() {
    return names.getLast();
  }

  /** The value below a value that the first name stands for; the missing node if there is none. */
  JsonNode below(JsonNode first) {
    JsonNode value = first;
    for (String name : names.subList(1, names.size())) {
      value = member(value, name);
    }
    return value;
  }

  /** A member of an object, or an element of an array. */
  static JsonNode member(JsonNode value, String name) {
    return value.isArray() && digits(name) ? value.path(Integer.parseInt(name)) : value.path(name);
  }

  private static boolean digits(String name) {
    return name.length() <= 6 && name.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /** The path as people would say it: tag owner, metric cpu|usage_average of its host. */
  String words() {
    int size = names.size();
    if (!first().equals("object") || size < 2) {
      return toString();
    }
    String of = "";
    int at = 1;
    if (names.get(1).equals("ancestors") && size > 3) {
      of = " of its " + names.get(2);
      at = 3;
    }
    if (at + 2 != size) {
      return toString();
    }
    return switch (names.get(at)) {
      case "tags" -> "tag " + last() + of;
      case "properties" -> "property " + last() + of;
      case "metrics" -> "metric " + last() + of;
      case "superMetrics" -> "super metric " + last() + of;
      default -> toString();
    };
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(first());
    for (String name : names.subList(1, names.size())) {
      if (NAME.matcher(name).matches()) {
        text.append('.').append(name);
      } else if (digits(name)) {
        text.append('[').append(name).append(']');
      } else {
        text.append("[\"").append(name).append("\"]");
      }
    }
    return text.toString();
  }
}
