package io.peerlens.alerttemplates;

import io.peerlens.alerttemplates.TemplateException.Mistake;
import io.peerlens.alerttemplates.TemplateNode.Choice;
import io.peerlens.alerttemplates.TemplateNode.Each;
import io.peerlens.alerttemplates.TemplateNode.If;
import io.peerlens.alerttemplates.TemplateNode.Items;
import io.peerlens.alerttemplates.TemplateNode.Literal;
import io.peerlens.alerttemplates.TemplateNode.Members;
import io.peerlens.alerttemplates.TemplateNode.Part;
import io.peerlens.alerttemplates.TemplateNode.Plain;
import io.peerlens.alerttemplates.TemplateNode.Sections;
import io.peerlens.alerttemplates.TemplateNode.Stringified;
import io.peerlens.alerttemplates.TemplateNode.Text;
import io.peerlens.alerttemplates.TemplateNode.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Parser of the parts of a document into {@link TemplateNode}s, so that rendering parses nothing.
 * Collects mistakes, and what the document needs, on the way.
 *
 * <pre>
 * text        = { characters | "$${" | placeholder | secret }
 * placeholder = "${" path { "|" filter } "}"
 * secret      = "${secret:" name "}"
 * path        = name { "." name | "[" quote characters quote "]" | "[" digits "]" }
 * filter      = name [ ":" argument ]        the argument goes on to the next "|" or "}"
 * </pre>
 */
final class TemplateParser {

  private static final Set<String> INSTRUCTIONS =
      Set.of(
          "$each",
          "$as",
          "$do",
          "$switch",
          "$default",
          "$if",
          "$then",
          "$else",
          "$json",
          "$text",
          "$escape",
          "$max");

  private static final int MAX_FILTERS = 20;
  private static final Pattern OF_RULE = Pattern.compile("vars\\." + Path.NAME);
  private static final Pattern ANY = Pattern.compile("(?s).*");

  private final List<Mistake> mistakes = new ArrayList<>();
  private final Set<String> names = new TreeSet<>();
  private final Set<String> secretVars = new TreeSet<>();
  private Needs needs = Needs.NONE;
  private boolean secretsAllowed = true;
  private Map<String, List<String>> locals = Map.of();
  private Leaf leaf = this::typed;
  private Pattern memberName = ANY;

  /** Leaf of a tree: the value that a text becomes. */
  private interface Leaf {
    TemplateNode of(String place, String text);
  }

  /** All mistakes so far. */
  List<Mistake> mistakes() {
    return mistakes;
  }

  /** What has been named so far. */
  Needs needs() {
    return needs;
  }

  /** Names of vars whose values name secrets. */
  Set<String> secretVars() {
    return secretVars;
  }

  void need(Needs more) {
    needs = needs.and(more);
  }

  /** Whether texts may name secrets from here on. */
  void secrets(boolean allowed) {
    secretsAllowed = allowed;
  }

  /** From here on conditions may name this member, which a step adds. */
  void name(String name) {
    names.add(name);
  }

  void mistake(String place, String message) {
    mistakes.add(new Mistake(place, message));
  }

  /** What a part of the document comes to; null = it holds mistakes, which have been noted. */
  <T> @Nullable T attempt(Supplier<T> part) {
    try {
      return part.get();
    } catch (TemplateException e) {
      mistakes.addAll(e.mistakes());
      return null;
    }
  }

  /** Reads a tree. Mistakes in it are noted; what stands in their places is of no use then. */
  TemplateNode node(String place, JsonNode node) {
    TemplateNode made = attempt(() -> node(place, node, 0));
    return made == null ? new Literal(Rendering.NULL) : made;
  }

  /** Reads a path whose value is used. */
  Path path(String place, String text) {
    Path path = Path.parse(place, text);
    use(path);
    return path;
  }

  private void use(Path path) {
    need(Needs.path(absolute(path)));
  }

  private List<String> absolute(Path path) {
    List<String> local = locals.get(path.first());
    if (local == null) {
      return path.names();
    }
    List<String> names = new ArrayList<>(local);
    names.addAll(path.names().subList(1, path.names().size()));
    return names;
  }

  /** Reads a condition. */
  Condition condition(String place, JsonNode text) {
    if (!text.isString() || text.stringValue().isBlank()) {
      throw new TemplateException(place, "must be a condition, such as event == \"NEW\"");
    }
    try {
      Condition condition = Condition.compile(text.stringValue(), names, locals);
      need(condition.needs());
      return condition;
    } catch (ConditionException e) {
      throw new TemplateException(
          place, e.getMessage() + " (character " + (e.offset() + 1) + ")", e);
    }
  }

  /** Reads an expression of any type. */
  Condition expression(String place, String text) {
    try {
      Condition expression = Condition.expression(text, names);
      need(expression.needs());
      return expression;
    } catch (ConditionException e) {
      throw new TemplateException(
          place, e.getMessage() + " (character " + (e.offset() + 1) + ")", e);
    }
  }

  /** Reads a text with sections. */
  MustacheText sections(String place, String text, String escape) {
    return MustacheText.parse(
        place,
        parts(place, text),
        Filters.escape(place, escape),
        escape.equals("none"),
        path -> need(Needs.path(absolute(new Path(path)))));
  }

  /** Reads a tree whose members become elements and attributes of XML. */
  TemplateNode xml(String place, JsonNode node) {
    memberName = XmlTree.NAME;
    try {
      return node(place, node);
    } finally {
      memberName = ANY;
    }
  }

  /**
   * Reads a text, or instructions that choose one.
   *
   * @param sections whether it is Mustache, too
   */
  TemplateNode text(String place, JsonNode node, String escape, boolean sections) {
    UnaryOperator<String> escaper = Filters.escape(place, escape);
    return leaves(
        place,
        node,
        sections
            ? (at, text) -> new Sections(sections(at, text, escape), Rendering.MAX_CHARACTERS)
            : (at, text) -> new TemplateNode.Escaped(parts(at, text), escaper));
  }

  /** Reads a path of a URL, or instructions that choose one. */
  TemplateNode urlPath(String place, JsonNode node) {
    return leaves(
        place,
        node,
        (at, text) -> {
          if (!text.isEmpty() && !text.startsWith("/") && !text.startsWith("?")) {
            throw new TemplateException(
                at,
                "'"
                    + text
                    + "' must start with / or ?, as it is appended to the target's URL; host and"
                    + " port belong to the target");
          }
          if (text.codePoints().anyMatch(c -> c <= ' ' || c == 0x7f || c == '#' || c == '\\')) {
            throw new TemplateException(
                at, "must not hold blanks, line breaks, # or \\; write %20 for a blank");
          }
          return new TemplateNode.UrlPath(at, parts(at, text));
        });
  }

  /** Reads one of some words, or instructions that choose one. */
  TemplateNode word(String place, JsonNode node, Set<String> words) {
    return leaves(
        place,
        node,
        (at, text) -> {
          if (!words.contains(text)) {
            throw new TemplateException(
                at, "'" + text + "' is not one of " + String.join(", ", new TreeSet<>(words)));
          }
          return new Literal(JsonNodeFactory.instance.stringNode(text));
        });
  }

  private TemplateNode leaves(String place, JsonNode node, Leaf made) {
    leaf = made;
    try {
      if (!node.isString() && !node.has("$switch") && !node.has("$if")) {
        throw new TemplateException(place, "must be a text, or $switch or $if that choose one");
      }
      return node(place, node);
    } finally {
      leaf = this::typed;
    }
  }

  private TemplateNode typed(String place, String text) {
    return typed(parts(place, text));
  }

  private TemplateNode node(String place, JsonNode node, int depth) {
    if (depth > Rendering.MAX_DEPTH) {
      throw new TemplateException(
          place, "stands more than " + Rendering.MAX_DEPTH + " levels deep");
    }
    if (node.isString()) {
      return leaf.of(place, node.stringValue());
    }
    if (node.isArray()) {
      List<TemplateNode> items = new ArrayList<>();
      for (int i = 0; i < node.size(); i++) {
        items.add(child(place + "/" + i, node.get(i), depth));
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
    if (node.has("$if")) {
      return condition(place, node, depth);
    }
    if (node.has("$json")) {
      refuseOthers(place, node, Set.of("$json"), false);
      return new Stringified(child(place + "/$json", node.path("$json"), depth));
    }
    if (node.has("$text")) {
      return sections(place, node);
    }
    refuseOthers(place, node, Set.of(), true);
    return new Members(members(place, node, depth));
  }

  /** A mistake below does not hide those beside it. */
  private TemplateNode child(String place, JsonNode node, int depth) {
    TemplateNode made = attempt(() -> node(place, node, depth + 1));
    return made == null ? new Literal(Rendering.NULL) : made;
  }

  private TemplateNode each(String place, JsonNode node, int depth) {
    refuseOthers(place, node, Set.of("$each", "$as", "$do"), false);
    String as = node.path("$as").stringValue("");
    if (node.size() != 3 || !Path.NAME.matcher(as).matches()) {
      throw new TemplateException(
          place, "$each needs $as (a name), $do (what to make of each element), and no other");
    }
    Path path = Path.parse(place + "/$each", node.path("$each").stringValue(""));
    if (!path.first().equals("group")) {
      use(path);
    }
    Map<String, List<String>> outer = locals;
    Map<String, List<String>> inner = new LinkedHashMap<>(outer);
    List<String> element = new ArrayList<>(absolute(path));
    element.add("*");
    inner.put(as, element);
    locals = inner;
    try {
      return new Each(place + "/$each", path, as, child(place + "/$do", node.path("$do"), depth));
    } finally {
      locals = outer;
    }
  }

  private Choice choice(String place, JsonNode node, int depth) {
    refuseOthers(place, node, Set.of("$switch", "$default"), true);
    JsonNode otherwise = node.get("$default");
    return new Choice(
        path(place + "/$switch", node.path("$switch").stringValue("")),
        members(place, node, depth),
        otherwise == null ? null : child(place + "/$default", otherwise, depth));
  }

  private If condition(String place, JsonNode node, int depth) {
    Condition condition = condition(place + "/$if", node.path("$if"));
    if (node.has("$then")) {
      refuseOthers(place, node, Set.of("$if", "$then", "$else"), false);
      JsonNode otherwise = node.get("$else");
      return new If(
          condition,
          child(place + "/$then", node.path("$then"), depth),
          otherwise == null ? null : child(place + "/$else", otherwise, depth));
    }
    refuseOthers(place, node, Set.of("$if"), true);
    return new If(condition, new Members(members(place, node, depth)), null);
  }

  private Sections sections(String place, JsonNode node) {
    refuseOthers(place, node, Set.of("$text", "$escape", "$max"), false);
    int max = node.path("$max").asInt(Rendering.MAX_CHARACTERS);
    if (max < 1 || max > Rendering.MAX_CHARACTERS) {
      throw new TemplateException(
          place + "/$max", "must be a number from 1 to " + Rendering.MAX_CHARACTERS);
    }
    if (!node.path("$text").isString()) {
      throw new TemplateException(place + "/$text", "must be a text");
    }
    return new Sections(
        sections(
            place + "/$text",
            node.path("$text").stringValue(),
            node.path("$escape").stringValue("none")),
        max);
  }

  private Map<String, TemplateNode> members(String place, JsonNode node, int depth) {
    Map<String, TemplateNode> members = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      String name = member.getKey();
      if (!INSTRUCTIONS.contains(name)) {
        String plain = name.startsWith("$$") ? name.substring(1) : name;
        if (!memberName.matcher(plain).matches() && !node.has("$switch")) {
          mistake(
              place + "/" + pointer(name),
              "is no name of XML; write letters, digits, - and _, @name for an attribute or #text");
        }
        members.put(plain, child(place + "/" + pointer(name), member.getValue(), depth));
      }
    }
    return java.util.Collections.unmodifiableMap(members);
  }

  static String pointer(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  /** Members that begin with $ are instructions, so a misspelt one must not reach a receiver. */
  private static void refuseOthers(
      String place, JsonNode node, Set<String> known, boolean members) {
    for (String name : node.propertyNames()) {
      boolean instruction = name.startsWith("$") && !name.startsWith("$$");
      if (instruction ? !known.contains(name) : !members) {
        throw new TemplateException(
            place,
            instruction
                ? name
                    + " is unknown here; there are $each with $as and $do, $switch with $default,"
                    + " $if with $then and $else, $text with $escape and $max, and $json; write $"
                    + name
                    + " for a member of that name"
                : name + " has no place beside " + String.join(", ", new TreeSet<>(known)));
      }
    }
  }

  private static TemplateNode typed(List<Part> parts) {
    if (parts.isEmpty()) {
      return new Literal(JsonNodeFactory.instance.stringNode(""));
    }
    if (parts.size() == 1) {
      return switch (parts.getFirst()) {
        case Placeholder only -> new Value(only);
        case Plain plain -> new Literal(JsonNodeFactory.instance.stringNode(plain.text()));
        case TemplateNode.SecretOf secret -> new Text(parts);
      };
    }
    return new Text(parts);
  }

  /** Reads the pieces of a text. */
  List<Part> parts(String place, String text) {
    return new TextReader(place, text).parts();
  }

  /** Reader of the placeholders of one text. */
  private final class TextReader {

    private final String place;
    private final String text;
    private int at;

    TextReader(String place, String text) {
      this.place = place;
      this.text = SecretMarks.clean(text);
    }

    List<Part> parts() {
      List<Part> parts = new ArrayList<>();
      StringBuilder plain = new StringBuilder();
      while (at < text.length()) {
        if (text.startsWith("$${", at)) {
          plain.append("${");
          at += 3;
        } else if (text.startsWith("${secret:", at)) {
          at += 9;
          Part secret = secret();
          if (secret instanceof Plain mark) {
            plain.append(mark.text());
          } else {
            if (!plain.isEmpty()) {
              parts.add(new Plain(plain.toString()));
              plain.setLength(0);
            }
            parts.add(secret);
          }
        } else if (text.startsWith("${", at)) {
          if (!plain.isEmpty()) {
            parts.add(new Plain(plain.toString()));
            plain.setLength(0);
          }
          at += 2;
          parts.add(placeholder());
        } else {
          plain.append(text.charAt(at++));
        }
      }
      if (!plain.isEmpty()) {
        parts.add(new Plain(plain.toString()));
      }
      return List.copyOf(parts);
    }

    private Part secret() {
      String name = section().strip();
      if (text.charAt(at++) == '|'
          || !(SecretMarks.NAME.matcher(name).matches() || OF_RULE.matcher(name).matches())) {
        throw new TemplateException(
            place,
            "'"
                + name
                + "' is no name of a secret; write ${secret:pd-key}, in small letters, digits,"
                + " dots, _ and -, without filters, or ${secret:vars.key} for a name that the rule"
                + " gives");
      }
      if (!secretsAllowed) {
        throw new TemplateException(
            place, "secrets may stand only in the body, the path and the headers of a request");
      }
      if (name.startsWith("vars.")) {
        secretVars.add(name.substring(5));
        return new TemplateNode.SecretOf(place, Path.parse(place, name));
      }
      need(Needs.secret(name));
      return new Plain(SecretMarks.mark(name));
    }

    private Placeholder placeholder() {
      Path path = path(place, section().strip());
      List<Filters.Filter> filters = new ArrayList<>();
      while (text.charAt(at++) == '|') {
        String filter = section().strip();
        int colon = filter.indexOf(':');
        filters.add(
            Filters.parse(
                place,
                colon < 0 ? filter : filter.substring(0, colon).strip(),
                colon < 0 ? null : filter.substring(colon + 1).strip()));
      }
      if (filters.size() > MAX_FILTERS) {
        throw new TemplateException(
            place, "${" + path + " | ...} has more than " + MAX_FILTERS + " filters");
      }
      return new Placeholder(place, path, List.copyOf(filters));
    }

    /** Up to the next | or } that is not in quotes, and there it stays. */
    private String section() {
      int start = at;
      boolean quoted = false;
      for (; at < text.length(); at++) {
        char c = text.charAt(at);
        if (quoted && c == '\\') {
          at++;
        } else if (c == '"') {
          quoted = !quoted;
        } else if (!quoted && (c == '|' || c == '}')) {
          return text.substring(start, at);
        }
      }
      throw new TemplateException(
          place,
          "'${"
              + Filters.cut(text.substring(start), 60)
              + "' is not closed; write $${ for the characters themselves");
    }
  }
}
