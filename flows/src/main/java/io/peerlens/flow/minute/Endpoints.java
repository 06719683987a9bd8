package io.peerlens.flow.minute;

import io.peerlens.flow.decode.Observer;

/**
 * Source of ids for the ends of flows and their observers. Asked only about what {@link
 * FlowMinutes} meets for the first time, once for a whole batch.
 */
public interface Endpoints {

  /**
   * Answers every row of a request. The same address with the same object must always get the same
   * id, on every node; several may share one id, which is how the tail of the Internet is folded. A
   * request that is asked twice changes nothing.
   *
   * <p>What it throws is passed on; nothing of the batch has been added then.
   */
  void find(EndpointRequest request);

  /** The id of an observer, always the same one. */
  int observer(Observer observer);
}
