package io.peerlens.vcenter.events;

import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.XmlValue;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writer of CloudEvents 1.0 in the structured form, as VMware's event source for Knative names
 * them: {@code com.vmware.vsphere.VmMigratedEvent.v0}. An id holds the time besides the key of
 * vCenter, since a vCenter that was restored from a backup counts some keys once more.
 */
public final class CloudEvents {

  private static final JsonMapper JSON = JsonMapper.shared();

  /** What may be left out of an event that is too long, the longest first. */
  private static final List<String> LONG = List.of("configSpec", "arguments", "configChanges");

  private final String vcenter;
  private final int maxBytes;

  /**
   * @param vcenter what the vCenter is called in ids of objects
   * @param maxBytes longest value of a record
   */
  public CloudEvents(String vcenter, int maxBytes) {
    this.vcenter = vcenter;
    this.maxBytes = maxBytes;
  }

  /** When an event was made; empty for what is no event. */
  public static Optional<Instant> time(XmlValue event) {
    XmlValue created = event.at("createdTime");
    return created == null ? Optional.empty() : created.time();
  }

  /** When a task ended; empty when it did not say. */
  public static Optional<Instant> ended(XmlValue task) {
    XmlValue complete = task.at("completeTime");
    return complete == null ? Optional.empty() : complete.time();
  }

  /** Key of an event or a task together with its time. */
  public static String id(XmlValue of, Instant at) {
    return of.text("key") + "/" + at.toEpochMilli();
  }

  /**
   * Whether an event tells that this account signed in or out, as a collector does all the time.
   */
  public static boolean isOwnSession(XmlValue event, String account) {
    return (event.type().equals("UserLoginSessionEvent")
            || event.type().equals("UserLogoutSessionEvent"))
        && plain(event.text("userName")).equals(plain(account));
  }

  /** {@code VSPHERE.LOCAL\reader} and {@code reader@vsphere.local} are one account. */
  public static String plain(String account) {
    String name = account.toLowerCase(Locale.ROOT);
    int at = name.lastIndexOf('@');
    return at < 0 ? name : name.substring(at + 1) + "\\" + name.substring(0, at);
  }

  /** An event of vCenter. */
  public byte[] event(XmlValue event, Instant at) {
    ObjectNode data = ViJson.object(event);
    data.put("key", number(event.text("key")));
    data.put("chainId", number(event.text("chainId")));
    byte[] value = write(event.type(), id(event, at), at, data);
    for (String member : LONG) {
      if (value.length > maxBytes) {
        data.remove(member);
        value = write(event.type(), id(event, at), at, data);
      }
    }
    return value;
  }

  /**
   * A sign-in of somebody who changed an object.
   *
   * @param event of the sign-in
   */
  public byte[] signIn(XmlValue event, Instant at, Moref object) {
    ObjectNode data = ViJson.object(event);
    data.put("_typeName", "SignInOfChanger");
    data.put("key", event.text("key") + "/" + object.value());
    data.put("chainId", number(event.text("chainId")));
    data.set("entity", ViJson.reference(object));
    return write("SignInOfChanger", id(event, at) + "/" + object.value(), at, data);
  }

  private static long number(String text) {
    return text.matches("-?[0-9]{1,18}") ? Long.parseLong(text) : 0;
  }

  /** A task that has ended. */
  public byte[] task(XmlValue task, Instant ended) {
    ObjectNode data = ViJson.object(task);
    data.remove("result");
    data.remove("progress");
    if (data.has("eventChainId")) {
      data.put("eventChainId", number(task.text("eventChainId")));
    }
    return write("TaskInfo", id(task, ended), ended, data);
  }

  /** How an alarm stands. */
  public byte[] alarm(Alarm alarm) {
    ObjectNode data = JSON.createObjectNode();
    data.set("entity", ViJson.reference(alarm.entity()));
    data.put("entityName", alarm.entityName());
    data.set("alarm", ViJson.reference(alarm.alarm()));
    data.put("alarmName", alarm.name());
    data.put("alarmDescription", alarm.description());
    data.put("overallStatus", alarm.status());
    data.put("time", alarm.at().toString());
    data.put("acknowledged", alarm.acknowledged());
    data.put("acknowledgedByUser", alarm.acknowledgedBy());
    String id =
        "%s/%s/%d/%s/%s"
            .formatted(
                alarm.entity().value(),
                alarm.alarm().value(),
                alarm.at().toEpochMilli(),
                alarm.status(),
                alarm.acknowledged());
    return write("AlarmState", id, alarm.at(), data);
  }

  private byte[] write(String type, String id, Instant at, ObjectNode data) {
    ObjectNode event = JSON.createObjectNode();
    event.put("specversion", "1.0");
    event.put("type", "com.vmware.vsphere." + type + ".v0");
    event.put("source", vcenter);
    event.put("id", id);
    event.put("time", at.toString());
    event.put("datacontenttype", "application/json");
    event.set("data", data);
    return JSON.writeValueAsBytes(event);
  }
}
