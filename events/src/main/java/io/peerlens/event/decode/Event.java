package io.peerlens.event.decode;

import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/**
 * Something that happened at a vCenter, in one form whatever form it came in.
 *
 * @param source the vCenter as the sender names it; empty = it does not
 * @param key what the vCenter calls it; empty = it has no key
 * @param name class of the event, such as {@code VmMigratedEvent}; {@code EventEx} and {@code
 *     ExtendedEvent} have their event type id; empty = it does not say
 * @param time when it happened
 * @param data members of the event, whose names begin with a small letter
 * @param line number of the event within its record, from 1
 * @param payload bytes of this event alone, which say the same when they are sent again
 */
public record Event(
    String source,
    String key,
    String name,
    Instant time,
    ObjectNode data,
    int line,
    byte[] payload) {

  /** A task of a vCenter rather than an event. */
  public static final String TASK = "TaskInfo";

  /** The state of an alarm, as our collector tells it. */
  public static final String ALARM = "AlarmState";
}
