package io.peerlens.threshold;

import io.peerlens.api.model.ThresholdEdit;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.StoredForms;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stored thresholds. Thread-safe. */
public final class ThresholdStore extends DefinitionStore<ThresholdEdit, Threshold> {

  ThresholdStore(JdbcClient jdbc, RuleStore rules, ThresholdProperties properties) {
    super(jdbc, rules, StoredForms.THRESHOLD, properties.history());
  }

  @Override
  protected Threshold read(UUID id, long version, ThresholdEdit edit) {
    return ThresholdReader.read(id, version, "", edit);
  }

  @Override
  protected String name(Threshold threshold) {
    return threshold.name();
  }

  @Override
  protected boolean isEnabled(Threshold threshold) {
    return threshold.enabled();
  }

  /**
   * Symptoms go with what they were judged by. When a definition could not be read before, nobody
   * knows whether it judged something else, and they stay.
   */
  @Override
  protected void replaced(JdbcClient jdbc, List<Replaced<Threshold>> rules) {
    UUID[] ids =
        rules.stream()
            .filter(ThresholdStore::judgesSomethingElse)
            .map(Replaced::id)
            .toArray(UUID[]::new);
    jdbc.sql("delete from symptom where threshold_id = any (:ids)").param("ids", ids).update();
    jdbc.sql("delete from threshold_state where threshold_id = any (:ids)")
        .param("ids", ids)
        .update();
  }

  private static boolean judgesSomethingElse(Replaced<Threshold> rule) {
    Threshold before = rule.before();
    Threshold now = rule.now();
    return now == null || before != null && !judgesTheSame(before, now);
  }

  /** Whether samples that were judged by one threshold say something of the other. */
  private static boolean judgesTheSame(Threshold before, Threshold now) {
    return now.enabled()
        && before.enabled()
        && before.kind().equals(now.kind())
        && before.condition().withLevels(List.of()).equals(now.condition().withLevels(List.of()));
  }
}
