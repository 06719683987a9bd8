package io.peerlens.supermetric;

import io.peerlens.api.model.UseKind;
import java.util.List;
import java.util.UUID;

/** Rules that read super metrics. */
public interface SuperMetricUser {

  /** What they are. */
  UseKind kind();

  /** Which of them read a super metric. */
  List<Use> uses(UUID superMetric);

  /**
   * A rule that reads one.
   *
   * @param active whether it is enabled
   */
  record Use(UUID id, String name, boolean active) {}
}
