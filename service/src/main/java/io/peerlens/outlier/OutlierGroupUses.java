package io.peerlens.outlier;

import io.peerlens.api.model.UseKind;
import io.peerlens.rule.StoredRule;
import io.peerlens.supermetric.SuperMetricUser;
import io.peerlens.supermetrics.formula.Keys;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/** Groups of peers that are compared in super metrics. */
final class OutlierGroupUses implements SuperMetricUser {

  private final OutlierGroupStore store;

  OutlierGroupUses(OutlierGroupStore store) {
    this.store = store;
  }

  @Override
  public UseKind kind() {
    return UseKind.OUTLIER_GROUP;
  }

  @Override
  public List<Use> uses(UUID superMetric) {
    String key = Keys.superMetric(superMetric);
    return store.byId().values().stream()
        .map(StoredRule::rule)
        .filter(group -> group.keys().contains(key))
        .sorted(Comparator.comparing(OutlierGroup::name))
        .map(group -> new Use(group.id(), group.name(), group.enabled()))
        .toList();
  }
}
