package io.peerlens.alert;

import io.peerlens.threshold.Threshold;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The rules that a shard finds alerts by.
 *
 * @param thresholds those of the shard, by id, with and without an alert of their own
 * @param definitions those of the shard whose thresholds are all there
 * @param others what else raises alerts in the shard
 * @param orphans whether the shard also looks after alerts that nothing raises any more
 * @param elsewhere ids of what raises alerts in other shards, or cannot be evaluated now; empty
 *     where that does not matter
 */
public record AlertRules(
    Map<UUID, Threshold> thresholds,
    List<AlertDefinition> definitions,
    List<Raised> others,
    boolean orphans,
    Set<UUID> elsewhere) {

  static final AlertRules NONE = new AlertRules(Map.of(), List.of(), List.of(), false, Set.of());

  /** Rules of a shard. */
  public static AlertRules of(
      Collection<Threshold> thresholds,
      Collection<AlertDefinition> definitions,
      Collection<Raised> others) {
    Map<UUID, Threshold> byId = new HashMap<>();
    thresholds.forEach(threshold -> byId.put(threshold.id(), threshold));
    List<AlertDefinition> complete =
        definitions.stream()
            .filter(definition -> byId.keySet().containsAll(definition.thresholds()))
            .toList();
    return new AlertRules(Map.copyOf(byId), complete, List.copyOf(others), false, Set.of());
  }

  /**
   * The same for the shard that looks after alerts that nothing raises any more.
   *
   * @param all rules of all shards
   * @param held ids of rules that cannot be evaluated now; their alerts stay as they are
   */
  public AlertRules withOrphans(AlertRules all, Set<UUID> held) {
    Set<UUID> elsewhere = new HashSet<>(all.raised().keySet());
    elsewhere.addAll(held);
    elsewhere.removeAll(raised().keySet());
    return new AlertRules(thresholds, definitions, others, true, Set.copyOf(elsewhere));
  }

  /** What raises alerts in this shard, by id. */
  Map<UUID, Raised> raised() {
    Map<UUID, Raised> raised = new HashMap<>();
    for (Threshold threshold : thresholds.values()) {
      if (threshold.alert() != null) {
        raised.put(threshold.id(), Raised.by(threshold, threshold.alert()));
      }
    }
    others.forEach(other -> raised.put(other.id(), other));
    definitions.forEach(definition -> raised.put(definition.id(), Raised.by(definition)));
    return raised;
  }
}
