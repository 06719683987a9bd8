package io.peerlens.assistant;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Arguments of a call, checked against the parameters of its tool. Models write numbers as texts
 * and a list of one as a text; both are understood.
 */
final class Arguments {

  private static final int LONGEST = 8_000;

  private final Map<String, Object> values = new HashMap<>();

  /**
   * Checks arguments.
   *
   * @throws ToolProblem when one is unknown, missing or none of its form
   */
  Arguments(Tool tool, @Nullable Map<String, ?> given) {
    Map<String, Parameter> known =
        tool.parameters().stream().collect(Collectors.toMap(Parameter::name, one -> one));
    if (given != null) {
      given.forEach(
          (name, value) -> {
            Parameter parameter = known.get(name);
            if (parameter == null) {
              throw ToolProblem.argument(
                  PlainText.of(name, 60),
                  "the tool " + tool.name() + " has no such argument",
                  "It has " + names(tool) + ".");
            }
            if (value != null && !(value instanceof String text && text.isBlank())) {
              values.put(name, read(parameter, value));
            }
          });
    }
    for (Parameter parameter : tool.parameters()) {
      if (parameter.required() && !values.containsKey(parameter.name())) {
        throw ToolProblem.argument(parameter.name(), "is missing", "It is: " + parameter.meaning());
      }
    }
  }

  private static String names(Tool tool) {
    return tool.parameters().isEmpty()
        ? "none"
        : tool.parameters().stream().map(Parameter::name).collect(Collectors.joining(", "));
  }

  private static Object read(Parameter parameter, Object value) {
    return switch (parameter.form()) {
      case TEXT -> oneOf(parameter, text(parameter, value));
      case NUMBER -> number(parameter, value);
      case TEXTS -> texts(parameter, value);
    };
  }

  private static String text(Parameter parameter, Object value) {
    if (!(value instanceof String || value instanceof Number || value instanceof Boolean)) {
      throw ToolProblem.argument(parameter.name(), "is no text", "Give a text.");
    }
    String text = String.valueOf(value).strip();
    if (text.length() > LONGEST) {
      throw ToolProblem.argument(
          parameter.name(), "is longer than " + LONGEST + " characters", "Give a shorter one.");
    }
    if (text.codePoints()
        .anyMatch(c -> c == 0 || c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
      throw ToolProblem.argument(
          parameter.name(), "has a NUL or half a character", "Leave that out.");
    }
    return text;
  }

  private static String oneOf(Parameter parameter, String text) {
    if (parameter.values().isEmpty()) {
      return text;
    }
    String lower = text.toLowerCase(Locale.ROOT);
    if (!parameter.values().contains(lower)) {
      throw ToolProblem.argument(
          parameter.name(),
          "\"" + PlainText.of(text, 60) + "\" is none of its values",
          "Give one of " + String.join(", ", parameter.values()) + ".");
    }
    return lower;
  }

  private static Integer number(Parameter parameter, Object value) {
    String text = String.valueOf(value).strip();
    long number;
    try {
      number = Long.parseLong(text.endsWith(".0") ? text.substring(0, text.length() - 2) : text);
    } catch (NumberFormatException e) {
      throw ToolProblem.argument(
          parameter.name(),
          "is no whole number",
          "Give one from " + parameter.least() + " to " + parameter.most() + ".");
    }
    if (number < parameter.least() || number > parameter.most()) {
      throw ToolProblem.argument(
          parameter.name(),
          number + " is out of range",
          "Give one from " + parameter.least() + " to " + parameter.most() + ".");
    }
    return (int) number;
  }

  private static List<String> texts(Parameter parameter, Object value) {
    List<?> given = value instanceof List<?> list ? list : List.of(value);
    LinkedHashSet<String> texts = new LinkedHashSet<>();
    for (Object one : given) {
      String text = one == null ? "" : text(parameter, one);
      if (text.isEmpty()) {
        throw ToolProblem.argument(parameter.name(), "has an empty entry", "Leave it out.");
      }
      texts.add(text);
    }
    if (texts.isEmpty() || texts.size() > parameter.most()) {
      throw ToolProblem.argument(
          parameter.name(),
          "has " + texts.size() + " entries",
          "Give 1 to " + parameter.most() + ", and call again for more.");
    }
    return new ArrayList<>(texts);
  }

  @Nullable String text(String name) {
    return values.get(name) instanceof String text ? text : null;
  }

  String text(String name, String otherwise) {
    return values.get(name) instanceof String text ? text : otherwise;
  }

  int number(String name, int otherwise) {
    return values.get(name) instanceof Integer number ? number : otherwise;
  }

  /** Empty when it was left out. */
  List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    if (values.get(name) instanceof List<?> list) {
      list.forEach(one -> texts.add((String) one));
    }
    return texts;
  }
}
