package io.peerlens.notify.flow;

/**
 * What is to be decided on.
 *
 * @param change what happened, for instance {@code severity}
 */
public record Arrival(Kind kind, String change) {

  /** Kinds of arrivals. */
  public enum Kind {
    NEW,
    UPDATE,
    CANCEL,
    /** Nothing happened; it was time to look. */
    LOOK
  }
}
