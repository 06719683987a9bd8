package io.peerlens.flow;

import io.peerlens.ingest.flow.FlowPart;
import java.util.Map;

/** Parts of traffic that somebody wants metrics of, beyond those that every object has. */
@FunctionalInterface
public interface FlowDemand {

  /** Parts with services, and the internal ids of the objects of which each of them is wanted. */
  Map<FlowPart, int[]> parts();
}
