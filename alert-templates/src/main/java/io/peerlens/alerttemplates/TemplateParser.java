package io.peerlens.alerttemplates;

import io.peerlens.alerttemplates.Placeholder.Filter;
import io.peerlens.alerttemplates.TemplateNode.Choice;
import io.peerlens.alerttemplates.TemplateNode.Each;
import io.peerlens.alerttemplates.TemplateNode.Items;
import io.peerlens.alerttemplates.TemplateNode.Literal;
import io.peerlens.alerttemplates.TemplateNode.Members;
import io.peerlens.alerttemplates.TemplateNode.Path;
import io.peerlens.alerttemplates.TemplateNode.Text;
import io.peerlens.alerttemplates.TemplateNode.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Makes a tree of {@link TemplateNode}s of a body, so that rendering parses nothing.
 *
 * <pre>
 * text        = { characters | "$${" | placeholder }
 * placeholder = "${" path { "|" filter } "}"
 * path        = name { "." name | "[" quote characters quote "]" }
 * filter      = name [ ":" argument ]        the argument goes on to the next "|" or "}"
 * </pre>
 */
final class TemplateParser {

  private static final int MAX_DEPTH = 32;
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern STEP = Pattern.compile("\\.(" + NAME + ")|\\[\"([^\"]+)\"]");

  private TemplateParser() {}

  /**
   * Reads a body.
   *
   * @param place where it stands in its file, as a JSON pointer
   * @throws TemplateException naming the place of the first mistake
   */
  static TemplateNode parse(String place, JsonNode body) {
    return node(place, body, 0);
  }

  private static TemplateNode node(String place, JsonNode node, int depth) {
    if (depth > MAX_DEPTH) {
      throw new TemplateException(place + ": more than " + MAX_DEPTH + " levels deep");
    }
    if (node.isString()) {
      return new TextReader(place, node.stringValue()).read();
    }
    if (node.isArray()) {
      List<TemplateNode> items = new ArrayList<>();
      for (int i = 0; i < node.size(); i++) {
        items.add(node(place + "/" + i, node.get(i), depth + 1));
      }
      return new Items(List.copyOf(items));
    }
    if (!node.isObject()) {
      return new Literal(node);
    }
    if (node.has("$each")) {
      return each(place, node, depth);
    }
    if (node.has("$switch")) {
      return choice(place, node, depth);
    }
    refuseOthers(place, node, Set.of());
    return new Members(members(place, node, depth));
  }

  private static Each each(String place, JsonNode node, int depth) {
    refuseOthers(place, node, Set.of("$each", "$as", "$do"));
    String as = node.path("$as").stringValue("");
    if (node.size() != 3 || !NAME.matcher(as).matches()) {
      throw new TemplateException(
          place + ": $each needs $as (a name), $do (what to make of each element), and no other");
    }
    TemplateNode body = node(place + "/$do", node.path("$do"), depth + 1);
    return new Each(path(place + "/$each", node.path("$each").stringValue("")), as, body);
  }

  private static Choice choice(String place, JsonNode node, int depth) {
    refuseOthers(place, node, Set.of("$switch", "$default"));
    JsonNode otherwise = node.get("$default");
    return new Choice(
        path(place + "/$switch", node.path("$switch").stringValue("")),
        members(place, node, depth),
        otherwise == null ? null : node(place + "/$default", otherwise, depth + 1));
  }

  private static Map<String, TemplateNode> members(String place, JsonNode node, int depth) {
    Map<String, TemplateNode> members = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      if (!member.getKey().startsWith("$")) {
        members.put(
            member.getKey(), node(place + "/" + member.getKey(), member.getValue(), depth + 1));
      }
    }
    return members;
  }

  /** Members that begin with $ are instructions, so a misspelt one must not reach a receiver. */
  private static void refuseOthers(String place, JsonNode node, Set<String> known) {
    for (String name : node.propertyNames()) {
      if (name.startsWith("$") && !known.contains(name)) {
        throw new TemplateException(
            place
                + ": "
                + name
                + " is unknown here; there are $each with $as and $do, and $switch with $default");
      }
    }
  }

  private static Path path(String place, String text) {
    Path path = pathOrNull(text);
    if (path == null) {
      throw new TemplateException(
          place
              + ": '"
              + text
              + "' is no path; write names with dots, such as alert.name, or object.tags[\"cost centre\"]");
    }
    return path;
  }

  private static @Nullable Path pathOrNull(String text) {
    Matcher first = NAME.matcher(text);
    if (!first.lookingAt()) {
      return null;
    }
    List<String> names = new ArrayList<>(List.of(first.group()));
    Matcher step = STEP.matcher(text);
    int at = first.end();
    for (; step.find(at) && step.start() == at; at = step.end()) {
      names.add(step.group(1) == null ? step.group(2) : step.group(1));
    }
    return at == text.length() ? new Path(List.copyOf(names)) : null;
  }

  /** Reads the placeholders of one text. */
  private static final class TextReader {

    private final String place;
    private final String text;
    private int at;

    TextReader(String place, String text) {
      this.place = place;
      this.text = text;
    }

    TemplateNode read() {
      List<Object> parts = new ArrayList<>();
      StringBuilder plain = new StringBuilder();
      while (at < text.length()) {
        if (text.startsWith("$${", at)) {
          plain.append("${");
          at += 3;
        } else if (text.startsWith("${", at)) {
          if (!plain.isEmpty()) {
            parts.add(plain.toString());
            plain.setLength(0);
          }
          at += 2;
          parts.add(placeholder());
        } else {
          plain.append(text.charAt(at++));
        }
      }
      if (parts.isEmpty()) {
        return new Literal(JsonNodeFactory.instance.stringNode(plain.toString()));
      }
      if (!plain.isEmpty()) {
        parts.add(plain.toString());
      }
      return parts.size() == 1 && parts.getFirst() instanceof Placeholder only
          ? new Value(only)
          : new Text(List.copyOf(parts));
    }

    private Placeholder placeholder() {
      Path path = path(place, section().strip());
      List<Filter> filters = new ArrayList<>();
      while (text.charAt(at++) == '|') {
        filters.add(filter(section().strip()));
      }
      return new Placeholder(path, List.copyOf(filters));
    }

    /** Up to the next | or } that is not in quotes, and there it stays. */
    private String section() {
      int start = at;
      boolean quoted = false;
      for (; at < text.length(); at++) {
        char c = text.charAt(at);
        if (c == '"') {
          quoted = !quoted;
        } else if (!quoted && (c == '|' || c == '}')) {
          return text.substring(start, at);
        }
      }
      throw new TemplateException(
          place
              + ": '${"
              + text.substring(start)
              + "' is not closed; write $${ for the characters themselves");
    }

    private Filter filter(String filter) {
      int colon = filter.indexOf(':');
      String name = colon < 0 ? filter : filter.substring(0, colon).strip();
      String argument = colon < 0 ? null : filter.substring(colon + 1).strip();
      return switch (name) {
        case "iso8601" -> without(argument, name, new Filter.Iso8601());
        case "lower" -> without(argument, name, new Filter.Case(false));
        case "upper" -> without(argument, name, new Filter.Case(true));
        case "default" -> {
          if (argument == null) {
            throw new TemplateException(place + ": default needs a text, such as default: none");
          }
          yield new Filter.Default(argument);
        }
        case "truncate" -> {
          if (argument == null || !argument.matches("[1-9][0-9]{0,5}")) {
            throw new TemplateException(
                place + ": truncate needs a number of characters, such as truncate: 40");
          }
          yield new Filter.Truncate(Integer.parseInt(argument));
        }
        default ->
            throw new TemplateException(
                place
                    + ": filter '"
                    + name
                    + "' is unknown; there are iso8601, lower, upper, truncate and default");
      };
    }

    private Filter without(@Nullable String argument, String name, Filter filter) {
      if (argument != null) {
        throw new TemplateException(place + ": " + name + " takes no argument");
      }
      return filter;
    }
  }
}
