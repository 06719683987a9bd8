package io.peerlens.evaluation;

import io.peerlens.alert.AlertDefinition;
import io.peerlens.supermetric.EnabledDefinition;
import io.peerlens.threshold.Threshold;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules of all kinds, of one shard or of all. */
record Rules(
    List<EnabledDefinition> superMetrics,
    List<Threshold> thresholds,
    List<AlertDefinition> alertDefinitions) {

  static final Rules NONE = new Rules(List.of(), List.of(), List.of());

  Rules {
    superMetrics = List.copyOf(superMetrics);
    thresholds = List.copyOf(thresholds);
    alertDefinitions = List.copyOf(alertDefinitions);
  }

  int size() {
    return superMetrics.size() + thresholds.size() + alertDefinitions.size();
  }

  Set<Duration> intervals() {
    Set<Duration> intervals = new HashSet<>();
    superMetrics.forEach(rule -> intervals.add(rule.interval()));
    thresholds.forEach(rule -> intervals.add(rule.interval()));
    alertDefinitions.forEach(rule -> intervals.add(rule.interval()));
    return intervals;
  }

  /** Those that are evaluated at a moment. */
  Rules due(Instant tick) {
    return new Rules(
        superMetrics.stream().filter(rule -> isDue(rule.interval(), tick)).toList(),
        thresholds.stream().filter(rule -> isDue(rule.interval(), tick)).toList(),
        alertDefinitions.stream().filter(rule -> isDue(rule.interval(), tick)).toList());
  }

  private static boolean isDue(Duration interval, Instant tick) {
    return tick.getEpochSecond() % interval.toSeconds() == 0;
  }
}
