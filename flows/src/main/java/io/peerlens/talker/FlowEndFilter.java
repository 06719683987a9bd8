package io.peerlens.talker;

import java.util.List;
import java.util.UUID;

/**
 * Filter on the source or destination of a flow. All conditions that are given must hold; an empty
 * list is none.
 *
 * @param objects ids of objects, with all below them, or of groups, with all below their members;
 *     any of them, or any of {@code ends}
 * @param ends single ends, as pairs of talkers number them
 * @param networks names or prefixes; any of them
 * @param tiers application tiers; any of them
 */
public record FlowEndFilter(
    List<UUID> objects, List<Integer> ends, List<String> networks, List<String> tiers) {

  /** Any end. */
  public static final FlowEndFilter ANY =
      new FlowEndFilter(List.of(), List.of(), List.of(), List.of());

  public FlowEndFilter {
    objects = List.copyOf(objects);
    ends = List.copyOf(ends);
    networks = List.copyOf(networks);
    tiers = List.copyOf(tiers);
  }

  boolean hasScope() {
    return !objects.isEmpty() || !ends.isEmpty();
  }

  boolean isAny() {
    return !hasScope() && networks.isEmpty() && tiers.isEmpty();
  }
}
