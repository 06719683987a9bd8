package io.peerlens.ingest.flow;

/** Type of traffic by where it goes, seen from the user's own networks. */
public enum TrafficType {
  /** Both ends are internal. */
  EAST_WEST,
  /** Exactly one end is internal. */
  NORTH_SOUTH,
  /** No end is internal: traffic that only passes through. */
  EXTERNAL;

  /** The type of traffic between two ends. */
  public static TrafficType of(boolean sourceInternal, boolean destinationInternal) {
    if (sourceInternal != destinationInternal) {
      return NORTH_SOUTH;
    }
    return sourceInternal ? EAST_WEST : EXTERNAL;
  }
}
