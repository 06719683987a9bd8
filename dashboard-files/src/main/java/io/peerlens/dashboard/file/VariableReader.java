package io.peerlens.dashboard.file;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reader of the variables of a dashboard. */
final class VariableReader {

  private VariableReader() {}

  static Variable variable(Node node) {
    Variable.Type type = node.word("type", Node.words(Variable.Type.class));
    if (type == null && !node.has("type")) {
      node.wrong(
          "has no type",
          "Write one of " + String.join(", ", Node.words(Variable.Type.class).keySet()) + ".");
    }
    Variable variable =
        new Variable(
            node.name("name"),
            node.optionalText("title", Node.LINE),
            type == null ? Variable.Type.TEXT : type,
            ObjectReader.kinds(node.get("kind")),
            SelectReader.scope(node.get("scope"), 1),
            node.optionalText("key", Node.LINE),
            node.list(
                "choices",
                200,
                one -> one.json().isNumber() ? one.json().asString() : one.asText(Node.LINE)),
            initial(node.get("default")));
    boolean object = type == Variable.Type.OBJECT || type == Variable.Type.OBJECTS;
    if (object && variable.kinds().isEmpty()) {
      node.wrong("has no kind", "Say which objects can be chosen, such as VMWARE/HostSystem.");
    }
    if (type == Variable.Type.TAG && variable.key() == null) {
      node.wrong("has no key", "Say the values of which tag can be chosen.");
    }
    if (variable.initial() instanceof Variable.Default.First && type != Variable.Type.OBJECT) {
      node.wrong("has a first object as default and is no object", "");
    }
    node.end();
    return variable;
  }

  private static Variable.@Nullable Default initial(@Nullable Node node) {
    if (node == null) {
      return null;
    }
    if (!node.json().isObject()) {
      if (node.json().isNumber()) {
        return new Variable.Default.Value(node.json().asString());
      }
      String text = node.asText(Node.LINE);
      return text == null ? null : new Variable.Default.Value(text);
    }
    if (node.has("first")) {
      Variable.Default first =
          node.object(
              "first",
              one -> {
                String by = one.optionalText("by", Node.KEY);
                String order = one.word("order", Map.of("asc", "asc", "desc", "desc"));
                one.end();
                return new Variable.Default.First(
                    by, order == null ? by != null : "desc".equals(order));
              });
      node.end();
      return first;
    }
    Select.Subject.Pinned pinned = ObjectReader.pinned(node);
    return pinned == null ? null : new Variable.Default.Pinned(pinned);
  }
}
