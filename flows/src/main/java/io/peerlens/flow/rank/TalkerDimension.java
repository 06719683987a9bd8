package io.peerlens.flow.rank;

/** Dimension of a ranking: by what traffic is grouped. */
public enum TalkerDimension {
  /** The virtual machine at an end. */
  VM(true),
  /** The host at an end, or on which its virtual machine runs. */
  HOST(true),
  /** The cluster of that host. */
  CLUSTER(true),
  /** The application tier of an end. */
  TIER(true),
  /** The named network of an end. */
  NETWORK(true),
  /** Service port and protocol: protocol * 65536 + port. */
  PORT(false),
  /** IANA's number of the protocol. */
  PROTOCOL(false),
  /** Sender and receiver: sender * 2^32 + receiver. */
  PAIR(false);

  private final boolean ofEnds;

  TalkerDimension(boolean ofEnds) {
    this.ofEnds = ofEnds;
  }

  /**
   * Whether a talker is an end of traffic, so that it sends and receives. Otherwise it is a quality
   * of the traffic itself, and has no direction.
   */
  public boolean ofEnds() {
    return ofEnds;
  }
}
