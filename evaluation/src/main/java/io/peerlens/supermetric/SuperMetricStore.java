package io.peerlens.supermetric;

import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.StoredRule;
import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.FormulaLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stored super metrics. Thread-safe. */
public final class SuperMetricStore extends DefinitionStore<StoredSuperMetric, SuperMetricRule> {

  private final SuperMetricProperties properties;

  /** Formulas by super metric, so that those that did not change need not be read again. */
  private final Map<UUID, Formula> formulas = new ConcurrentHashMap<>();

  private volatile Look look = new Look(Map.of(), Catalogue.of(Map.of()));

  SuperMetricStore(
      JdbcClient jdbc, SuperMetricVersionStore number, SuperMetricProperties properties) {
    super(jdbc, number, new SuperMetricRows(), properties.history());
    this.properties = properties;
  }

  private record Look(
      Map<UUID, StoredRule<StoredSuperMetric, SuperMetricRule>> stored, Catalogue catalogue) {}

  @Override
  protected SuperMetricRule read(UUID id, long version, StoredSuperMetric edit) {
    SuperMetric it = edit.definition();
    return new SuperMetricRule(
        id,
        it.name(),
        Objects.requireNonNull(
            formulas.compute(
                id,
                (key, known) ->
                    known != null && known.text().equals(it.formula())
                        ? known
                        : Formula.parse(it.formula(), options(id)))),
        StoredSuperMetric.kinds(it),
        Duration.ofSeconds(edit.intervalSeconds()),
        Units.text(it.unit()),
        edit.policy());
  }

  @Override
  protected String name(SuperMetricRule rule) {
    return rule.name();
  }

  @Override
  protected boolean isEnabled(SuperMetricRule rule) {
    return rule.isComputed();
  }

  /** What the last tick found says nothing of another formula, or of other kinds. */
  @Override
  protected void replaced(JdbcClient jdbc, List<Replaced<SuperMetricRule>> rules) {
    jdbc.sql("delete from super_metric_state where super_metric_id = any (:ids)")
        .param(
            "ids",
            rules.stream()
                .filter(one -> !isComputedAlike(one))
                .map(Replaced::id)
                .toArray(UUID[]::new))
        .update();
  }

  private static boolean isComputedAlike(Replaced<SuperMetricRule> rule) {
    SuperMetricRule before = rule.before();
    SuperMetricRule now = rule.now();
    return before != null
        && now != null
        && before.formula().text().equals(now.formula().text())
        && before.kinds().equals(now.kinds());
  }

  /** How formulas are read here, without asking which kinds and keys exist. */
  public Formula.Options options() {
    return new Formula.Options(
        FormulaLimits.DEFAULT, properties.strictWhere(), null, null, List.of());
  }

  private Formula.Options options(UUID self) {
    return new Formula.Options(
        FormulaLimits.DEFAULT, properties.strictWhere(), null, self, List.of());
  }

  /** All that are stored now. */
  Catalogue catalogue() {
    Map<UUID, StoredRule<StoredSuperMetric, SuperMetricRule>> stored = byId();
    Look known = look;
    if (known.stored() != stored) {
      known = new Look(stored, Catalogue.of(stored));
      look = known;
      formulas.keySet().retainAll(stored.keySet());
    }
    return known.catalogue();
  }
}
