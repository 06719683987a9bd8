package io.peerlens.alerttemplates;

import com.google.re2j.Pattern;
import io.peerlens.alerttemplates.Step.Failed;
import io.peerlens.alerttemplates.Step.Instead;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Arguments of a step, read and checked by their names.
 *
 * @param place of the step, as a JSON pointer
 */
record StepArguments(TemplateParser parser, String place, JsonNode step) {

  /** How a number is formatted: one conversion, text around it. */
  private static final java.util.regex.Pattern FORMAT =
      java.util.regex.Pattern.compile(
          "[^%]*(%%[^%]*)*%[-,+ 0]{0,3}[0-9]{0,2}(\\.[0-9]{1,2})?[dfeg][^%]*(%%[^%]*)*");

  String at(String name) {
    return place + "/" + name;
  }

  /** Refuses arguments of other names. */
  void only(String... known) {
    if (!step.isObject()) {
      throw new TemplateException(place, "must be an object with " + String.join(", ", known));
    }
    TemplateReader.only(parser, place, step, known);
  }

  JsonNode needed(String name) {
    JsonNode value = step.get(name);
    if (value == null) {
      throw new TemplateException(place, "needs " + name);
    }
    return value;
  }

  String text(String name) {
    return text(at(name), needed(name));
  }

  static String text(String place, JsonNode value) {
    if (!value.isString() || value.stringValue().isEmpty()) {
      throw new TemplateException(place, "must be a text");
    }
    return value.stringValue();
  }

  /** A path that is read. */
  Path path(String name) {
    return parser.path(at(name), text(name));
  }

  /** One path that is read, or a list of them. */
  List<Path> paths(String name) {
    JsonNode texts = needed(name);
    if (texts.isString()) {
      return List.of(parser.path(at(name), texts.stringValue()));
    }
    List<Path> paths = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      String at = at(name) + "/" + i;
      paths.add(parser.path(at, text(at, texts.path(i))));
    }
    if (paths.isEmpty()) {
      throw new TemplateException(at(name), "must be a path, or a list of paths");
    }
    return List.copyOf(paths);
  }

  /** A path that is written. */
  Path field(String name) {
    return written(at(name), text(name));
  }

  static Path written(String place, String text) {
    Path path = Path.parse(place, text);
    if (path.names().size() > 8) {
      throw new TemplateException(place, "is more than 8 names deep");
    }
    if (path.toString().equals("event")) {
      throw new TemplateException(
          place, "is what happened to the alert and stays so; write into a field of another name");
    }
    return path;
  }

  /** The default of the step; null = it has none. */
  @Nullable JsonNode otherwise() {
    return step.get("default");
  }

  /** Puts the default of the step into a field; null = it has none. */
  @Nullable Instead instead(Path field) {
    JsonNode otherwise = otherwise();
    return otherwise == null ? null : run -> run.set(field, otherwise, "default");
  }

  Pattern pattern(String name) {
    return pattern(at(name), needed(name));
  }

  static Pattern pattern(String place, JsonNode text) {
    try {
      return UserPattern.compile(text(place, text));
    } catch (UserPattern.InvalidPatternException e) {
      throw new TemplateException(place, e.reason(), e);
    }
  }

  /** A format of one number; null = none is given. */
  @Nullable String format(String name) {
    JsonNode format = step.get(name);
    if (format == null) {
      return null;
    }
    String text = format.asString("");
    if (text.length() > 60 || !FORMAT.matcher(text).matches()) {
      throw new TemplateException(
          at(name), "'" + text + "' is no format of one number, such as %.1f, %,d or %.0f %%");
    }
    try {
      formatted(text, JsonNodeFactory.instance.numberNode(1));
    } catch (Failed e) {
      throw new TemplateException(at(name), String.valueOf(e.getMessage()));
    }
    return text;
  }

  static JsonNode formatted(String format, JsonNode value) {
    if (!value.isNumber() || !Double.isFinite(value.asDouble(Double.NaN))) {
      throw new Failed(
          Filters.cut(value.toString(), 60) + " is no number, so " + format + " does not fit");
    }
    double number = value.asDouble(0);
    boolean whole = format.replace("%%", "").matches("(?s).*%[-,+ 0]*[0-9]*d.*");
    try {
      return JsonNodeFactory.instance.stringNode(
          whole
              ? String.format(Locale.ROOT, format, Math.round(number))
              : String.format(Locale.ROOT, format, number));
    } catch (java.util.IllegalFormatException e) {
      throw new Failed("the format " + format + " does not fit: " + e.getMessage());
    }
  }

  static boolean isNothing(JsonNode value) {
    return value.isMissingNode() || value.isNull() || Placeholder.text(value).isEmpty();
  }

  /** A value as the sentence of a step shows it. */
  static String quoted(JsonNode value) {
    return value.isString()
        ? "\"" + Filters.cut(value.stringValue(), 120) + "\""
        : Filters.cut(value.toString(), 120);
  }
}
