package io.peerlens.panel;

import io.peerlens.supermetric.Policies;
import io.peerlens.supermetric.SuperMetricRule;
import io.peerlens.supermetric.SuperMetricStore;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Whether super metrics are there, and on for objects of a kind. */
final class SuperMetricStates {

  private final SuperMetricStore store;
  private final Policies policies;

  SuperMetricStates(SuperMetricStore store, Policies policies) {
    this.store = store;
    this.policies = policies;
  }

  /** Its name; empty = there is none of this id. */
  Optional<String> name(UUID id) {
    return store.find(id).map(SuperMetricRule::name);
  }

  /** Whether it is computed for any object of a kind. */
  boolean isOn(UUID id, ObjectKind kind, ObjectGraph graph) {
    return store
        .find(id)
        .filter(rule -> rule.kinds().contains(kind) && rule.policy().enabled())
        .map(
            rule -> {
              boolean[] flags = policies.enabled(List.of(rule), graph).of(id, kind);
              if (flags == null) {
                return true;
              }
              for (boolean flag : flags) {
                if (flag) {
                  return true;
                }
              }
              return false;
            })
        .orElse(false);
  }
}
