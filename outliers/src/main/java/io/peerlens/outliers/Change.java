package io.peerlens.outliers;

/** Change of an event in a bucket, and the event as it is now. */
public record Change(Kind kind, Event event) {

  /** Kind of a change. */
  public enum Kind {
    /** It is new. */
    OPENED,
    /** It goes on: its score or its last bucket changed, or its member has values again. */
    UPDATED,
    /** Its member has had no values for a while. */
    UNKNOWN,
    /** It is over, or its member left the group or was marked as expected. */
    CLOSED,
    /** It had been closed for less than the cool-down and is open again. */
    REOPENED
  }
}
