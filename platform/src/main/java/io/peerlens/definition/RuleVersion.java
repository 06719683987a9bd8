package io.peerlens.definition;

import io.peerlens.api.model.FieldChange;
import java.time.Instant;
import java.util.List;

/**
 * A version of a rule, with what was done to make it.
 *
 * @param changes the fields in which it differs from the version before; empty for the oldest kept
 */
public record RuleVersion<E, R>(
    DefinitionAction action,
    Instant at,
    String by,
    StoredRule<E, R> stored,
    List<FieldChange> changes) {

  RuleVersion<E, R> with(List<FieldChange> found) {
    return new RuleVersion<>(action, at, by, stored, found);
  }
}
