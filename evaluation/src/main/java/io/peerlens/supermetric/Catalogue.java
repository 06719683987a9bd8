package io.peerlens.supermetric;

import io.peerlens.definition.StoredRule;
import io.peerlens.supermetrics.program.Dependencies;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All super metrics at one moment, and which of them read which. Immutable.
 *
 * @param byId in the order of the ids
 * @param dependencies between all whose formula has no errors, whether enabled or not
 */
record Catalogue(Map<UUID, SuperMetricRule> byId, Dependencies dependencies) {

  static Catalogue of(Map<UUID, StoredRule<StoredSuperMetric, SuperMetricRule>> stored) {
    Map<UUID, SuperMetricRule> byId = new LinkedHashMap<>();
    stored.values().stream()
        .map(StoredRule::rule)
        .sorted(Comparator.comparing(SuperMetricRule::id))
        .forEach(one -> byId.put(one.id(), one));
    return new Catalogue(
        byId,
        Dependencies.of(
            byId.values().stream()
                .filter(one -> one.formula().isValid())
                .map(SuperMetricRule::definition)
                .toList()));
  }

  @Nullable SuperMetricRule find(UUID id) {
    return byId.get(id);
  }

  /** Name of a super metric; null = it is not stored. */
  @Nullable String name(UUID id) {
    SuperMetricRule rule = byId.get(id);
    return rule == null ? null : rule.name();
  }
}
