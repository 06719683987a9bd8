package io.peerlens.load;

/** Kinds of heavy requests; of each a node works at a limited number at once. */
public enum HeavyWork {
  /** Values of many series over a stretch of time. */
  SERIES("series queries"),
  /** Rankings and sums over many objects or flows. */
  RANKING("rankings"),
  /** What would be if a formula, rule or template were in force. */
  PREVIEW("previews"),
  /** Files with definitions. */
  EXPORT("exports"),
  /** Files that are read whole; one at a time, as each takes much memory. */
  IMPORT("imports"),
  /** Looks at other systems, which may take long to answer. They wait, and compute nothing. */
  PROBE("looks at sources");

  private final String plural;

  HeavyWork(String plural) {
    this.plural = plural;
  }

  /** Whether it takes no place of the others. */
  boolean isApart() {
    return this == IMPORT || this == PROBE;
  }

  /** For sentences. */
  String plural() {
    return plural;
  }
}
