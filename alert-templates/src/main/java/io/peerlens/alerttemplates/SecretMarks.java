package io.peerlens.alerttemplates;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Names of secrets within rendered text.
 *
 * <p>A template says <code>${secret:pd-key}</code>. What is rendered, kept and shown holds a mark
 * in its place: the name between two characters for private use. The value takes the mark's place
 * at the moment of sending, and nowhere else. Values that come from outside lose these characters
 * while they are rendered, so no alert can name a secret.
 */
public final class SecretMarks {

  /** Begins and ends a mark. */
  static final char BEGIN = '\uE000';

  static final char END = '\uE001';

  /** What a secret may be called; names that begin with vars. are taken for those of rules. */
  static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  private static final Pattern MARK = Pattern.compile(BEGIN + "([^" + BEGIN + END + "]*)" + END);

  /** Escaping of a secret's value in its surroundings. */
  public enum Escape {
    /** Within a string of JSON. */
    JSON,
    /** Within text or an attribute of XML or HTML. */
    XML,
    /** Within a value of application/x-www-form-urlencoded, a path or a query. */
    FORM,
    /** As it is; line breaks and other control characters become blanks. */
    NONE
  }

  private SecretMarks() {}

  /** The mark that stands for a secret. */
  public static String mark(String name) {
    return BEGIN + name + END;
  }

  /** Names of the secrets that a text needs, in the order of their first use. */
  public static Set<String> names(String text) {
    Set<String> names = new LinkedHashSet<>();
    MARK.matcher(text).results().forEach(r -> names.add(r.group(1)));
    return names;
  }

  /** The text for people: {@code secret pd-key} where the secret goes. */
  public static String show(String text) {
    return clean(
        MARK.matcher(text).replaceAll(r -> Matcher.quoteReplacement("secret " + r.group(1))));
  }

  /**
   * The text to send.
   *
   * @param secrets value of the secret of a name; throws if there is none
   */
  public static String resolve(String text, Escape escape, Function<String, String> secrets) {
    return MARK.matcher(text)
        .replaceAll(r -> Matcher.quoteReplacement(escape(secrets.apply(r.group(1)), escape)));
  }

  /** The text without the characters that begin and end marks. */
  static String clean(String text) {
    if (text.indexOf(BEGIN) < 0 && text.indexOf(END) < 0) {
      return text;
    }
    return text.replace(String.valueOf(BEGIN), "").replace(String.valueOf(END), "");
  }

  /** A copy of a value from outside without those characters. */
  static JsonNode clean(JsonNode value) {
    JsonNodeFactory make = JsonNodeFactory.instance;
    if (value.isString()) {
      String clean = clean(value.stringValue());
      return clean.equals(value.stringValue()) ? value : make.stringNode(clean);
    }
    if (value.isArray()) {
      ArrayNode array = make.arrayNode();
      value.forEach(element -> array.add(clean(element)));
      return array;
    }
    if (value.isObject()) {
      ObjectNode object = make.objectNode();
      value.properties().forEach(e -> object.set(clean(e.getKey()), clean(e.getValue())));
      return object;
    }
    return value;
  }

  private static String escape(String value, Escape escape) {
    return switch (escape) {
      case JSON -> new String(JsonStringEncoder.getInstance().quoteAsCharArray(value));
      case XML -> XmlText.escape(value);
      case FORM -> URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
      case NONE -> value.replaceAll("\\p{Cntrl}", " ");
    };
  }
}
