package io.peerlens.supermetrics;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A named formula, as a pack holds it.
 *
 * @param id never changes; names can
 * @param name unique within an installation
 * @param formula as written, line breaks and trailing blanks included
 * @param description empty = none
 * @param unit unit id of the format, for instance {@code percent} or {@code gb}; empty = none
 * @param resourceKinds the object kinds that it is computed for; empty = assigned to none
 * @param modified when it was last changed, if the file says so
 */
public record SuperMetric(
    UUID id,
    String name,
    String formula,
    String description,
    String unit,
    List<ResourceKind> resourceKinds,
    @Nullable Instant modified) {

  public SuperMetric {
    if (name.isBlank() || formula.isBlank()) {
      throw new IllegalArgumentException("a super metric needs a name and a formula: " + id);
    }
    resourceKinds = List.copyOf(resourceKinds);
  }

  /**
   * An object kind that a super metric is computed for.
   *
   * @param adapterKind such as {@code VMWARE}
   * @param objectKind such as {@code VirtualMachine}
   */
  public record ResourceKind(String adapterKind, String objectKind) {}

  /** Key under which the result is stored and other formulas refer to it. */
  public String metricKey() {
    return "Super Metric|sm_" + id;
  }
}
