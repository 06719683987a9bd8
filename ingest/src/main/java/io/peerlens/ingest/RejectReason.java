package io.peerlens.ingest;

import java.util.Locale;

/**
 * Reason why a line or record went to the dead letters. The code is shown in the API and in
 * metrics.
 */
public enum RejectReason {
  /** Not line protocol: where, and what was expected there, is in the detail. */
  SYNTAX,
  /** Not JSON, or JSON of another shape. */
  JSON,
  /** Not a protobuf message of the form that is read here, or cut off. */
  PROTOBUF,
  /** An IP address that is missing or cannot be read. */
  ADDRESS,
  /** A field value that is neither number, integer, boolean nor string, or out of range. */
  NUMBER,
  /** A timestamp that is not a whole number in range. */
  TIMESTAMP,
  /** Older than anything that is kept; mostly a wrong precision setting. */
  TOO_OLD,
  /** Further in the future than the guard allows; mostly a wrong clock or precision. */
  FUTURE,
  /** Nothing to store: no field is a number. */
  NO_VALUE,
  /** Bytes that are not UTF-8 text, or a NUL character, in a name or tag. */
  TEXT,
  /** A name, tag or key longer than the guard allows. */
  TOO_LONG,
  /** More new objects this minute than the guard allows. */
  NEW_OBJECTS,
  /** More new metric names this minute than the guard allows. */
  NEW_METRICS,
  /**
   * More new metric sets this minute than the guard allows; mostly a tag that changes all the time.
   */
  NEW_SETS,
  /** An event that does not say what happened, when, or to which object. */
  EVENT,
  /** An event of an object that was not known for a day, or of one too many of those. */
  UNKNOWN_OBJECT,
  /** More changes this minute than the guard allows. */
  TOO_MANY,
  /** A record larger than the guard allows. */
  OVERSIZED,
  /**
   * Reading the record failed by a mistake of ours; the exception and its place are in the detail.
   */
  DECODER,
  /** The database refused this record alone; its message is in the detail. */
  STORE;

  /** Stable text for API, metrics and the dead-letter topic: {@code too-old}. */
  public String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
