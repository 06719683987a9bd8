package io.peerlens.supermetric;

import io.peerlens.api.model.UseKind;
import io.peerlens.definition.PreviewLimits;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Rules, or other definitions, that read super metrics. */
public interface SuperMetricUser {

  /** Kind of these definitions. */
  UseKind kind();

  /** Which of them read a super metric. */
  List<Use> uses(UUID superMetric);

  /** Those that are enabled and read any of some super metrics, to be followed through the past. */
  List<RuleTrial> trials(Set<UUID> superMetrics, PreviewLimits.Range range);

  /**
   * A definition that reads one.
   *
   * @param active whether it is enabled
   */
  record Use(UUID id, String name, boolean active) {}
}
