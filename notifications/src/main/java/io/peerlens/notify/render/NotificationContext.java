package io.peerlens.notify.render;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.threshold.Severity;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Context of a notification: the document that templates, rules and conditions see, read by name
 * and type. What a document does not have, which may come from elsewhere, is an empty text.
 *
 * @param tree the document itself; nobody changes it while it is matched
 */
public record NotificationContext(ObjectNode tree) {

  /** {@code NEW}, {@code UPDATE} or {@code CANCEL}. */
  public String event() {
    return text(tree, "event");
  }

  /** What happened, for instance {@code severity}. */
  public String change() {
    return text(tree, "change");
  }

  /** Where the alert comes from: {@code peerlens}, or the name of a relay. */
  public String source() {
    return text(tree, "source");
  }

  /** Whether the alert is one of this installation. */
  public boolean isOurs() {
    return source().equals("peerlens");
  }

  /** The part on the alert; missing = there is none. */
  public JsonNode alert() {
    return tree.path("alert");
  }

  /** A member of the alert as text. */
  public String alert(String member) {
    return text(alert(), member);
  }

  /** Level of its severity, 1 to 4; 0 = not known. */
  public int severity() {
    return Severity.level(alert("criticality"));
  }

  /** {@code OPEN}, {@code ASSIGNED}, {@code SUSPENDED} or {@code SUPPRESSED}. */
  public String controlState() {
    return alert("controlState");
  }

  /** When the alert opened, in milliseconds; what is given if it does not say. */
  public long startTime(long otherwise) {
    return alert().path("startTime").asLong(otherwise);
  }

  /** The part on the object; missing or null = the alert has none. */
  public JsonNode object() {
    return tree.path("object");
  }

  /** Whether the alert is about an object. */
  public boolean hasObject() {
    return object().isObject();
  }

  /** Its id in the inventory; null = it has none, or one that its sender made up. */
  public @Nullable UUID objectId() {
    return uuid(text(object(), "id"));
  }

  public String objectName() {
    return text(object(), "name");
  }

  /** Its kind; adapter and kind may be empty. */
  public ObjectKind objectKind() {
    return new ObjectKind(text(object(), "adapterKind"), text(object(), "kind"));
  }

  /** Name of the incident that the alert is in, such as {@code I-12}; empty = it is in none. */
  public String incident() {
    return text(tree.path("incident"), "name");
  }

  private static String text(JsonNode node, String member) {
    return node.path(member).asString("");
  }

  private static @Nullable UUID uuid(String text) {
    try {
      return text.isEmpty() ? null : UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
