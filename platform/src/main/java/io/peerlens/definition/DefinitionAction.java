package io.peerlens.definition;

import io.peerlens.api.model.RuleAction;
import java.util.Locale;

/** Action that made a version of a definition. */
public enum DefinitionAction {
  CREATED,
  CHANGED,
  IMPORTED,
  /** The policy of a super metric was changed, and nothing else of it. */
  POLICY,
  RESTORED,
  DELETED;

  /** As the database writes it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * As the API writes it of every kind but super metrics.
   *
   * @throws IllegalArgumentException for {@link #POLICY}
   */
  public RuleAction inApi() {
    return RuleAction.fromValue(label());
  }

  static DefinitionAction of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
