package io.peerlens.ingest.otlp;

/** Kind of the points of a metric. */
public enum PointKind {
  GAUGE("gauge", 5),
  SUM("sum", 7),
  HISTOGRAM("histogram", 9),
  EXPONENTIAL("exponentialHistogram", 10),
  SUMMARY("summary", 11);

  /** Name of its member in JSON. */
  final String member;

  /** Number of its field in a metric. */
  final int field;

  PointKind(String member, int field) {
    this.member = member;
    this.field = field;
  }
}
