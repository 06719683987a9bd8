package io.peerlens.supermetric;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.Dependency;
import io.peerlens.api.model.DependencyCycle;
import io.peerlens.api.model.DependencyList;
import io.peerlens.api.model.SuperMetricUse;
import io.peerlens.api.model.SuperMetricUses;
import io.peerlens.api.model.UseKind;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.program.Dependencies;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** References between super metrics, and from rules to them. Thread-safe. */
final class SuperMetricReferences {

  private final SuperMetricStore store;
  private final List<SuperMetricUser> others;

  /**
   * @param others what else reads super metrics
   */
  SuperMetricReferences(SuperMetricStore store, List<SuperMetricUser> others) {
    this.store = store;
    this.others = List.copyOf(others);
  }

  /** All of them in the order in which they are computed, and the circles among them. */
  DependencyList all() {
    Catalogue catalogue = store.catalogue();
    Dependencies dependencies = catalogue.dependencies();
    Set<Set<UUID>> cycles = new LinkedHashSet<>();
    List<Dependency> order = new ArrayList<>();
    for (UUID id : dependencies.order()) {
      Set<UUID> cycle = dependencies.cycle(id);
      if (!cycle.isEmpty()) {
        cycles.add(cycle);
      }
      order.add(
          new Dependency(
              id,
              requireNonNullElse(catalogue.name(id), ""),
              List.copyOf(reads(catalogue, id)),
              !cycle.isEmpty()));
    }
    return new DependencyList(
        order,
        cycles.stream()
            .map(
                cycle ->
                    new DependencyCycle(SuperMetricAnswers.references(sorted(cycle), catalogue)))
            .toList());
  }

  /** Who reads one, and what it reads itself. */
  SuperMetricUses of(UUID id) {
    Catalogue catalogue = store.catalogue();
    String key = Keys.superMetric(id);
    // An invalid formula has no tree worth walking; its text still names what it reads.
    Stream<SuperMetricRule> users =
        catalogue.byId().values().stream()
            .filter(
                rule ->
                    rule.formula().isValid()
                        ? Dependencies.superMetrics(rule.formula().tree()).contains(id)
                        : rule.formula().text().contains(key));
    List<SuperMetricUse> usedBy =
        new ArrayList<>(
            users
                .sorted(SuperMetricAnswers.byName())
                .map(
                    rule ->
                        new SuperMetricUse(
                            UseKind.SUPER_METRIC, rule.id(), rule.name(), rule.isComputed()))
                .toList());
    for (SuperMetricUser other : others) {
      other.uses(id).stream()
          .map(use -> new SuperMetricUse(other.kind(), use.id(), use.name(), use.active()))
          .forEach(usedBy::add);
    }
    return new SuperMetricUses(
        usedBy,
        SuperMetricAnswers.references(reads(catalogue, id), catalogue),
        SuperMetricAnswers.references(sorted(catalogue.dependencies().cycle(id)), catalogue));
  }

  private static List<UUID> sorted(Collection<UUID> ids) {
    return ids.stream().sorted().toList();
  }

  private static Set<UUID> reads(Catalogue catalogue, UUID id) {
    SuperMetricRule rule = catalogue.find(id);
    return rule == null ? Set.of() : Dependencies.superMetrics(rule.formula().tree());
  }
}
