package io.peerlens.vcenter.vim;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Question for the performance of one entity.
 *
 * @param metrics which counters, with their instances
 * @param intervalSeconds 20 = real time, else an interval that vCenter keeps
 * @param from samples after this; null = as many as {@code maxSamples} says
 * @param to up to this; null = up to now
 * @param maxSamples newest samples at most; 0 = all. Holds for real time alone
 */
public record PerfQuery(
    Moref entity,
    List<Metric> metrics,
    int intervalSeconds,
    @Nullable Instant from,
    @Nullable Instant to,
    int maxSamples) {

  /**
   * A counter with an instance.
   *
   * @param instance such as {@code vmnic0}; empty = all of the entity together, {@code *} = each
   */
  public record Metric(int counter, String instance) {}

  public PerfQuery {
    metrics = List.copyOf(metrics);
  }
}
