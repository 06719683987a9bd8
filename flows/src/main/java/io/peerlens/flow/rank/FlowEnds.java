package io.peerlens.flow.rank;

import io.peerlens.flow.network.Networks;

/**
 * Placement of the ends of flows in one bucket of time. Asked for every row, so it should look up
 * an array.
 */
public interface FlowEnds {

  /** Answer of {@link #talker} when there is none. */
  int NO_TALKER = -1;

  /** Whether an endpoint belongs to the user's own networks, see {@link Networks#internal}. */
  boolean internal(int endpoint);

  /**
   * To which talker the traffic of an endpoint counts.
   *
   * @param dimension one of which {@link TalkerDimension#ofEnds} is true, or {@link
   *     TalkerDimension#PAIR}: the talker by which the two ends of a pair are told
   * @return an id that is unique in the dimension, 0 or more; or {@link #NO_TALKER}, which is never
   *     the answer for a pair
   */
  int talker(TalkerDimension dimension, int endpoint);
}
