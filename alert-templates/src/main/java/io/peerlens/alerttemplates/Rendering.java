package io.peerlens.alerttemplates;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Rendering of one message: what names mean at this place, and how much may still be made. Not
 * thread-safe.
 *
 * <p>Work is bounded by counting, so that a busy machine does not turn a good template into a bad
 * one; time is only looked at once a rendering has done far more than is usual.
 */
final class Rendering {

  /** Far above any sensible notification, far below what hurts. */
  static final int MAX_VALUES = 10_000;

  /** What receivers take at most is far below this, too. */
  static final int MAX_CHARACTERS = 256 * 1024;

  static final int MAX_DEPTH = 32;

  static final JsonNode NULL = JsonNodeFactory.instance.nullNode();

  private @Nullable Effort effort;
  private final JsonNode context;
  private @Nullable Local locals;
  private int values;
  private long characters;

  Rendering(JsonNode context) {
    this.context = context;
  }

  private record Local(String name, JsonNode value, @Nullable Local outer) {}

  /** The context as a whole, for conditions. */
  JsonNode context() {
    if (locals == null) {
      return context;
    }
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    context.properties().forEach(e -> all.set(e.getKey(), e.getValue()));
    locals(locals, all);
    return all;
  }

  private static void locals(@Nullable Local local, ObjectNode into) {
    if (local != null) {
      locals(local.outer(), into);
      into.set(local.name(), local.value());
    }
  }

  /** The value at a path; the missing node if there is none. */
  JsonNode value(Path path) {
    JsonNode value = path.below(lookup(path.first()));
    count(0);
    return value;
  }

  private JsonNode lookup(String name) {
    for (Local local = locals; local != null; local = local.outer()) {
      if (local.name().equals(name)) {
        return local.value();
      }
    }
    JsonNode member = context.get(name);
    if (member != null) {
      return member;
    }
    JsonNode alias = Aliases.resolve(name, context);
    return alias == null ? MissingNode.getInstance() : alias;
  }

  /** From here on a name stands for a value. */
  void let(String name, JsonNode value) {
    locals = new Local(name, value, locals);
  }

  /** Renders a node while a name stands for a value. */
  @Nullable JsonNode with(String name, JsonNode value, TemplateNode node) {
    Local outer = locals;
    locals = new Local(name, value, outer);
    try {
      return node.render(this);
    } finally {
      locals = outer;
    }
  }

  /** Counts a value of the result and its characters. */
  void count(int length) {
    characters += length;
    if (++values > MAX_VALUES) {
      throw new TemplateException(
          "",
          "the result takes more than "
              + MAX_VALUES
              + " values; is one $each or section inside another?");
    }
    if (characters > MAX_CHARACTERS) {
      throw new TemplateException(
          "",
          "the result is larger than "
              + MAX_CHARACTERS / 1024
              + " KB; truncate its texts, or take fewer elements of its lists");
    }
    if (values % 1000 == 0) {
      effort = effort == null ? new Effort() : effort;
      if (effort.exceeded()) {
        throw new TemplateException("", "rendering takes more than 250 ms");
      }
    }
  }

  /** A copy of a value that comes from outside, without the characters that mark secrets. */
  JsonNode outside(JsonNode value) {
    if (value.isString()) {
      String text = value.stringValue();
      count(text.length());
      String clean = SecretMarks.clean(text);
      return clean.equals(text) ? value : JsonNodeFactory.instance.stringNode(clean);
    }
    if (value.isArray()) {
      ArrayNode array = JsonNodeFactory.instance.arrayNode();
      for (JsonNode element : value) {
        array.add(outside(element));
      }
      return array;
    }
    if (value.isObject()) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      for (Map.Entry<String, JsonNode> member : value.properties()) {
        count(member.getKey().length());
        object.set(SecretMarks.clean(member.getKey()), outside(member.getValue()));
      }
      return object;
    }
    count(8);
    // JSON has no word for what is no number.
    return value.isFloatingPointNumber() && !Double.isFinite(value.asDouble(Double.NaN))
        ? NULL
        : value;
  }
}
