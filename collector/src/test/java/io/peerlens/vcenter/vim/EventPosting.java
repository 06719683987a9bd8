package io.peerlens.vcenter.vim;

import java.time.Duration;

/** Posting of events to a vCenter, for tests alone: govc cannot, and a collector must not. */
public final class EventPosting {

  private EventPosting() {}

  /** Posts an event of an extension about an object. */
  public static void post(VimClient client, String eventTypeId, Moref object, String name)
      throws VimException {
    client.call(
        "PostEvent",
        client.content().eventManager(),
        Duration.ofSeconds(20),
        arguments ->
            arguments.element(
                "eventToPost",
                "EventEx",
                event ->
                    event
                        .number("key", 0)
                        .number("chainId", 0)
                        .text("createdTime", "2026-01-01T00:00:00Z")
                        .text("userName", "")
                        .text("eventTypeId", eventTypeId)
                        .text("severity", "error")
                        .text("objectId", object.value())
                        .text("objectType", object.type())
                        .text("objectName", name)),
        XmlValue::read);
  }
}
