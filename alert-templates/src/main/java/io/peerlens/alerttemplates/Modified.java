package io.peerlens.alerttemplates;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Alert as the steps of a template have changed it.
 *
 * @param context the changed context, of its own
 * @param dropped whether a step says that nothing is to be sent
 * @param failure what stopped the steps; null = they came to their end. Nothing is to be sent then
 * @param steps what each step did, in their order; those behind one that dropped or failed are not
 *     there
 */
public record Modified(
    ObjectNode context, boolean dropped, @Nullable String failure, List<StepResult> steps) {

  public Modified {
    steps = List.copyOf(steps);
  }
}
