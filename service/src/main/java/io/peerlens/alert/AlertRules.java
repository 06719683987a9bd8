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
 * @param elsewhere ids of what raises alerts in other shards
 * @param orphans whether the shard also looks after alerts that nothing raises any more
 */
public record AlertRules(
    Map<UUID, Threshold> thresholds,
    List<AlertDefinition> definitions,
    Set<UUID> elsewhere,
    boolean orphans) {

  /** Rules of one shard. */
  public static AlertRules of(
      Collection<Threshold> thresholds,
      Collection<AlertDefinition> definitions,
      Collection<UUID> all,
      boolean orphans) {
    Map<UUID, Threshold> byId = new HashMap<>();
    thresholds.forEach(threshold -> byId.put(threshold.id(), threshold));
    List<AlertDefinition> complete =
        definitions.stream()
            .filter(definition -> byId.keySet().containsAll(definition.condition().thresholds()))
            .toList();
    AlertRules rules = new AlertRules(Map.copyOf(byId), complete, Set.of(), orphans);
    Set<UUID> elsewhere = new HashSet<>(all);
    elsewhere.removeAll(rules.raised().keySet());
    return new AlertRules(rules.thresholds(), complete, Set.copyOf(elsewhere), orphans);
  }

  /** What raises alerts in this shard, by id. */
  Map<UUID, Raised> raised() {
    Map<UUID, Raised> raised = new HashMap<>();
    for (Threshold threshold : thresholds.values()) {
      if (threshold.alert() != null) {
        raised.put(threshold.id(), Raised.by(threshold, threshold.alert()));
      }
    }
    definitions.forEach(definition -> raised.put(definition.id(), Raised.by(definition)));
    return raised;
  }
}
