package io.peerlens.notify.definition;

import io.peerlens.alerttemplates.Condition;
import io.peerlens.alerttemplates.ConditionException;
import io.peerlens.scope.ScopeReader;
import io.peerlens.web.ApiException;

/** CEL conditions of requests, compiled. */
public final class CelConditions {

  private static final int AROUND = 20;

  private CelConditions() {}

  /**
   * Reads a condition.
   *
   * @param path of the field
   * @throws ApiException if it is no condition, with the place of the mistake
   */
  public static Condition compile(String path, String cel) {
    ScopeReader.storable(path, cel);
    try {
      return Condition.compile(cel);
    } catch (ConditionException e) {
      int offset = Math.min(e.offset(), cel.length());
      throw ApiException.invalidField(
              path,
              "is no condition: %s (character %d, at \"%s\")"
                  .formatted(
                      e.getMessage(),
                      offset + 1,
                      cel.substring(offset, Math.min(cel.length(), offset + AROUND)).strip()))
          .hint("Conditions are CEL, for instance object.tags[\"env\"] != \"lab\".");
    }
  }
}
