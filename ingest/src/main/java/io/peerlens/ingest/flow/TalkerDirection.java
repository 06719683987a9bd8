package io.peerlens.ingest.flow;

/** Which traffic of a talker counts. */
public enum TalkerDirection {
  /** What it sends. Sessions: those that it began. */
  SENT,
  /** What it receives. Sessions: those that it accepted. */
  RECEIVED,
  /**
   * What it sends or receives; once when it does both. Traffic between two talkers counts for each
   * of them.
   */
  BOTH
}
