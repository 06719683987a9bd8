package io.peerlens.supermetric;

import java.util.List;
import java.util.UUID;

/** Rules that read super metrics. */
public interface SuperMetricUser {

  /** Which of them read a super metric. */
  List<Use> uses(UUID superMetric);

  /**
   * A threshold that reads one.
   *
   * @param active whether it is enabled
   */
  record Use(UUID id, String name, boolean active) {}
}
