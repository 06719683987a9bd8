package io.peerlens.flow.rank;

/** Receiver of the traffic of one bucket, key by key, before the tail is folded. */
@FunctionalInterface
public interface FlowTraffic {

  /**
   * Takes the traffic of one key.
   *
   * @param sums holds it, and is valid during the call only
   * @param byMinute bytes of each minute of the bucket, from {@code firstMinute} on
   */
  void add(FlowSums sums, int row, long[] byMinute, int firstMinute);
}
