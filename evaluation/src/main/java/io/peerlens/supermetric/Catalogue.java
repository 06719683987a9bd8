package io.peerlens.supermetric;

import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.program.Definition;
import io.peerlens.supermetrics.program.Dependencies;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All super metrics at one moment, with their formulas read. Immutable.
 *
 * @param version of the store; -1 = never read
 * @param byId in the order of the ids
 * @param enabled those that are to be computed
 * @param dependencies between all whose formula has no errors, whether enabled or not
 */
record Catalogue(
    long version,
    Map<UUID, Entry> byId,
    List<EnabledDefinition> enabled,
    Dependencies dependencies) {

  static final Catalogue EMPTY = new Catalogue(-1, Map.of(), List.of(), Dependencies.of(List.of()));

  /**
   * A super metric.
   *
   * @param formula read without asking which kinds and keys exist
   */
  record Entry(StoredSuperMetric stored, Formula formula) {

    boolean isComputed() {
      return formula.isValid() && !stored.kinds().isEmpty() && stored.policy().enabled();
    }
  }

  /**
   * @param before formulas that did not change since are taken from it
   */
  static Catalogue of(
      long version,
      Collection<StoredSuperMetric> stored,
      Catalogue before,
      Formula.Options options) {
    Map<UUID, Entry> byId = new LinkedHashMap<>();
    List<EnabledDefinition> enabled = new ArrayList<>();
    List<Definition> valid = new ArrayList<>();
    stored.stream()
        .sorted(Comparator.comparing(one -> one.definition().id()))
        .forEach(
            one -> {
              UUID id = one.definition().id();
              Entry known = before.byId().get(id);
              Formula formula =
                  known != null && known.formula().text().equals(one.definition().formula())
                      ? known.formula()
                      : Formula.parse(one.definition().formula(), options(options, id));
              Entry entry = new Entry(one, formula);
              byId.put(id, entry);
              if (formula.isValid()) {
                valid.add(new Definition(id, formula, one.kinds()));
              }
              if (entry.isComputed()) {
                enabled.add(
                    new EnabledDefinition(
                        id,
                        one.definition().name(),
                        formula,
                        one.kinds(),
                        SuperMetricStore.interval(one),
                        Units.text(one.definition().unit()),
                        one.policy()));
              }
            });
    return new Catalogue(version, byId, List.copyOf(enabled), Dependencies.of(valid));
  }

  /** How the formula of one super metric is read. */
  static Formula.Options options(Formula.Options options, UUID self) {
    return new Formula.Options(options.limits(), options.strict(), null, self, List.of());
  }

  @Nullable Entry find(UUID id) {
    return byId.get(id);
  }

  /** Name of a super metric; null = it is not stored. */
  @Nullable String name(UUID id) {
    Entry entry = byId.get(id);
    return entry == null ? null : entry.stored().definition().name();
  }
}
