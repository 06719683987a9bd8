package io.peerlens.dashboard.file;

import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reader of what says which objects are meant: kinds, single objects and variables. */
final class ObjectReader {

  private ObjectReader() {}

  /** Reads one kind or a list of them; empty if there is none. */
  static List<ObjectKind> kinds(@Nullable Node node) {
    if (node == null) {
      return List.of();
    }
    if (node.json().isArray()) {
      return node.asList(1, 20, ObjectReader::kind);
    }
    ObjectKind kind = kind(node);
    return kind == null ? List.of() : List.of(kind);
  }

  static @Nullable ObjectKind kind(Node node) {
    String text = node.asText(Node.LINE + 1);
    if (text == null) {
      return null;
    }
    int slash = text.indexOf('/');
    if (slash < 1 || slash == text.length() - 1 || text.indexOf('/', slash + 1) >= 0) {
      node.wrong(
          "is \"" + text + "\", which is no kind",
          "Write adapter kind and object kind, such as VMWARE/VirtualMachine.");
      return null;
    }
    return new ObjectKind(text.substring(0, slash), text.substring(slash + 1));
  }

  /** Reads an object, or the variable that holds some. */
  static Select.@Nullable Subject subject(@Nullable Node node) {
    if (node == null) {
      return null;
    }
    if (node.json().isObject()) {
      return pinned(node);
    }
    String text = node.asText(Node.LINE);
    if (text == null) {
      return null;
    }
    if (!text.startsWith("$") || !Node.NAME.matcher(text.substring(1)).matches()) {
      node.wrong(
          "is \"" + text + "\", which is no variable",
          "Write for instance $cluster, or an object as {\"name\": …, \"kind\": …}.");
      return null;
    }
    return new Select.Subject.Variable(text.substring(1));
  }

  /** Reads an object that the file names itself. */
  static Select.Subject.@Nullable Pinned pinned(Node node) {
    String name = node.text("name", Node.LINE);
    Node kind = node.get("kind");
    if (kind == null) {
      node.wrong("has no kind", "Write for instance VMWARE/HostSystem.");
      return null;
    }
    ObjectKind of = kind(kind);
    Map<String, String> identifiers =
        node.map("identifiers", 50, (key, value) -> value.asText(Node.LINE));
    node.end();
    return of == null ? null : new Select.Subject.Pinned(name, of, identifiers);
  }
}
