package io.peerlens.flow.rank;

/** Direction of the traffic of a talker that counts. */
public enum TalkerDirection {
  /** Sent. Sessions: those that the talker opened. */
  SENT,
  /** Received. Sessions: those that the talker accepted. */
  RECEIVED,
  /**
   * What it sends or receives; once when it does both. Traffic between two talkers counts for each
   * of them.
   */
  BOTH
}
