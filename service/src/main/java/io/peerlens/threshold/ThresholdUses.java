package io.peerlens.threshold;

import io.peerlens.api.model.UseKind;
import io.peerlens.rule.StoredRule;
import io.peerlens.supermetric.SuperMetricUser;
import io.peerlens.supermetrics.formula.Keys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** Thresholds that read super metrics: as what they judge, or as a bound. */
final class ThresholdUses implements SuperMetricUser {

  private final ThresholdStore store;

  ThresholdUses(ThresholdStore store) {
    this.store = store;
  }

  @Override
  public UseKind kind() {
    return UseKind.THRESHOLD;
  }

  @Override
  public List<Use> uses(UUID superMetric) {
    String key = Keys.superMetric(superMetric);
    return store.byId().values().stream()
        .map(StoredRule::rule)
        .filter(threshold -> keys(threshold).contains(key))
        .sorted(Comparator.comparing(Threshold::name))
        .map(threshold -> new Use(threshold.id(), threshold.name(), threshold.enabled()))
        .toList();
  }

  private static List<String> keys(Threshold threshold) {
    List<String> keys = new ArrayList<>(List.of(threshold.condition().key()));
    List<Level> levels = new ArrayList<>(threshold.condition().levels());
    threshold.special().stream()
        .map(Threshold.Special::levels)
        .filter(Objects::nonNull)
        .forEach(levels::addAll);
    levels.stream()
        .flatMap(
            level ->
                Arrays.asList(level.bound(), level.upper(), level.clear(), level.clearUpper())
                    .stream())
        .forEach(
            bound -> {
              if (bound instanceof Bound.OfKey ofKey) {
                keys.add(ofKey.key());
              }
            });
    return keys;
  }
}
