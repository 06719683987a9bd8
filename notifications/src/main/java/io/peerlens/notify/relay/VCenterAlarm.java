package io.peerlens.notify.relay;

import io.peerlens.notify.relay.ForeignAlertStore.Report;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Alarm of a vCenter on one of its objects, as its events and our collector tell of it: yellow is a
 * warning, red is critical, green and gray are its end.
 *
 * @param vcenter which vCenter, as people name it
 * @param entity the vCenter's id of the object
 * @param object the object as it is known here; null = it is not
 * @param name of the object; here where it is known, else at the vCenter
 * @param kind of the object, likewise
 * @param alarm the vCenter's id of the alarm's definition
 * @param title name of the alarm
 * @param acknowledgedBy null = nobody is named
 * @param at when it became so
 */
public record VCenterAlarm(
    String vcenter,
    String entity,
    @Nullable UUID object,
    String name,
    String kind,
    String alarm,
    String title,
    Status status,
    boolean acknowledged,
    @Nullable String acknowledgedBy,
    Instant at) {

  /** Source of these alerts, which rules name; no relay has this name. */
  public static final String SOURCE = "vcenter-alarms";

  /** Colour of an alarm. */
  public enum Status {
    GREEN,
    YELLOW,
    RED,
    /** It says nothing, for instance because it was switched off. */
    GRAY;

    /** Whether the alert goes on. */
    public boolean isOpen() {
      return this == YELLOW || this == RED;
    }
  }

  /** What the alert is known by: vCenter, object and alarm. */
  public String key() {
    return vcenter + "/" + entity + "/" + alarm;
  }

  /**
   * What is said of the alert.
   *
   * @param began when it opened; null = now
   */
  public Report report(@Nullable Instant began) {
    Instant since = began == null ? at : began;
    ObjectNode context = ForeignContext.blank();
    ObjectNode alert = (ObjectNode) context.path("alert");
    String clean = ForeignContext.clean(title, ForeignContext.SHORT);
    alert.put("name", clean.isEmpty() ? "Alarm of a vCenter" : clean);
    alert.put("definitionId", alarm);
    alert.put("criticality", status == Status.RED ? "CRITICAL" : "WARNING");
    alert.put("type", kind.equals("Datastore") ? "STORAGE" : "VIRTUALIZATION");
    alert.putNull("subType");
    alert.put("impact", "HEALTH");
    String info = "%s on %s of %s".formatted(alert.path("name").asString(""), name, vcenter);
    alert.put("info", info);
    alert.put("explanation", info);
    alert.putNull("url");
    if (acknowledged) {
      alert.put("controlState", "ASSIGNED"); // as acknowledged alerts of our own
      alert.put("owner", acknowledgedBy);
    }
    ((ArrayNode) alert.path("symptoms")).addObject().put("message", info);
    ForeignContext.object(
        context,
        object == null ? null : object.toString(),
        name,
        kind,
        "VMWARE",
        Map.of(),
        Map.of());
    String digest = ForeignContext.digest(context);
    alert.put("startTime", since.toEpochMilli());
    // Later than what it acknowledges, which is told of the same moment.
    Instant moment = acknowledged ? at.plus(1, ChronoUnit.MICROS) : at;
    return new Report(key(), status.isOpen(), digest, since, moment, null, context);
  }
}
