package io.peerlens.notify.dispatch;

import io.peerlens.notify.render.EventType;

/**
 * Event that is to be decided on.
 *
 * @param change what happened, for instance {@code severity}
 */
public record Arrival(Kind kind, String change) {

  /** A step in the history of an alert. */
  public static Arrival ofStep(String step) {
    return new Arrival(Kind.valueOf(EventType.ofStep(step).name()), step);
  }

  /** Kinds of arrivals. */
  public enum Kind {
    NEW,
    UPDATE,
    CANCEL,
    /** Nothing happened; it was time to look. */
    LOOK
  }
}
