package io.peerlens.notify.dispatch;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** Path into a context, such as {@code object.tags["cost centre"]}. */
final class ContextPath {

  private static final Pattern STEP =
      Pattern.compile("\\.?([A-Za-z_][A-Za-z0-9_-]*)|\\[\"([^\"]*)\"]");

  private ContextPath() {}

  /** The value; a path that leads nowhere gives a missing node. */
  static JsonNode read(JsonNode context, String path) {
    Matcher step = STEP.matcher(path);
    JsonNode at = context;
    int from = 0;
    while (from < path.length()) {
      if (!step.find(from) || step.start() != from) {
        return MissingNode.getInstance();
      }
      at = at.path(step.group(1) == null ? step.group(2) : step.group(1));
      from = step.end();
    }
    return at;
  }
}
