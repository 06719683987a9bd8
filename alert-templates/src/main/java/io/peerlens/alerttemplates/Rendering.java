package io.peerlens.alerttemplates;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * One rendering: what names mean at this place, and how much may still be made. Not thread-safe.
 */
final class Rendering {

  /** Far above any sensible notification, far below what hurts. */
  private static final int MAX_VALUES = 20_000;

  private final JsonNode context;
  private @Nullable Local locals;
  private int values;

  Rendering(JsonNode context) {
    this.context = context;
  }

  private record Local(String name, JsonNode value, @Nullable Local outer) {}

  /** The value that a name stands for; the missing node if there is none. */
  JsonNode lookup(String name) {
    for (Local local = locals; local != null; local = local.outer()) {
      if (local.name().equals(name)) {
        return local.value();
      }
    }
    return context.isObject() ? context.path(name) : MissingNode.getInstance();
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

  /** Counts a value of the result. */
  void count() {
    if (++values > MAX_VALUES) {
      throw new TemplateException(
          "the result has more than " + MAX_VALUES + " values; does one $each stand in another?");
    }
  }
}
