package io.peerlens.alerttemplates;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Result of one step.
 *
 * @param index its place among the steps, from 0
 * @param words the step as a sentence for people
 * @param changes what it changed, in order; several at one place are several changes
 * @param error why it failed or was skipped; null = it did neither
 */
public record StepResult(
    int index, String words, Effect effect, List<Change> changes, @Nullable String error) {

  /** Effect of a step on the document. */
  public enum Effect {
    /** It changed something. */
    CHANGED,
    /** It ran and everything stayed as it was. */
    NONE,
    /** It did not run: its event or its condition did not fit, or it is switched off. */
    SKIPPED,
    /** It could not do its work. */
    FAILED
  }

  /**
   * A change.
   *
   * @param path where, such as alert.name
   * @param before null = nothing was there
   * @param after null = nothing is there now
   * @param note where the value comes from, such as {@code runbooks.csv, row 41}
   */
  public record Change(
      String path, @Nullable JsonNode before, @Nullable JsonNode after, @Nullable String note) {}

  public StepResult {
    changes = List.copyOf(changes);
  }
}
