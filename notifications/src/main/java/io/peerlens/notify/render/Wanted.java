package io.peerlens.notify.render;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Metrics that have to be looked up for contexts beyond the alert and its objects.
 *
 * @param metrics keys, for instance {@code cpu|usage_average}
 * @param superMetrics names
 */
public record Wanted(Set<String> metrics, Set<String> superMetrics) {

  /** Nothing more. */
  public static final Wanted NOTHING = new Wanted(Set.of(), Set.of());

  public Wanted {
    metrics = Set.copyOf(metrics);
    superMetrics = Set.copyOf(superMetrics);
  }

  /** All that any of some wants. */
  public static Wanted all(Collection<Wanted> of) {
    Set<String> metrics = new HashSet<>();
    Set<String> superMetrics = new HashSet<>();
    for (Wanted one : of) {
      metrics.addAll(one.metrics());
      superMetrics.addAll(one.superMetrics());
    }
    return new Wanted(metrics, superMetrics);
  }
}
