package io.peerlens.ingest;

import io.peerlens.ingest.key.GroupKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A metric group as the decoder knows it. Positions are only ever added. */
final class GroupState {

  final GroupKey key;
  private final Map<String, Integer> positions = new HashMap<>();

  /** Places of last values in {@link SetState}, by position of the metric. */
  private final Map<Integer, Integer> counters = new HashMap<>();

  private final Set<String> toldUnits = new HashSet<>();

  GroupState(GroupKey key) {
    this.key = key;
  }

  int width() {
    return positions.size();
  }

  /** Position of a metric, -1 when unknown. */
  int position(String metric) {
    return positions.getOrDefault(metric, -1);
  }

  /**
   * Place of a counter's last value in each {@link SetState} of this group. It is one of the
   * metric: several rules may fill the same set, each with counters of its own.
   */
  int counter(int position) {
    return counters.computeIfAbsent(position, p -> counters.size());
  }

  /** Whether nobody told the unit of a metric here yet; from now on somebody did. */
  boolean firstUnit(String metric) {
    return toldUnits.add(metric);
  }

  /** Takes over what the catalog answered; it may know more than before. */
  void learn(List<String> metrics) {
    for (int i = positions.size(); i < metrics.size(); i++) {
      positions.put(metrics.get(i), i);
    }
  }
}
