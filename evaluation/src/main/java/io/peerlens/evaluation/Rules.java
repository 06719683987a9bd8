package io.peerlens.evaluation;

import io.peerlens.alert.AlertDefinition;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.supermetric.SuperMetricRule;
import io.peerlens.talker.report.TalkerReport;
import io.peerlens.threshold.Threshold;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules of all kinds, of one shard or of all. */
record Rules(
    List<SuperMetricRule> superMetrics,
    List<Threshold> thresholds,
    List<AlertDefinition> alertDefinitions,
    List<OutlierGroup> outlierGroups,
    List<TalkerReport> talkerReports) {

  static final Rules NONE = new Rules(List.of(), List.of(), List.of(), List.of(), List.of());

  /** Buckets end on full minutes; whether one can be judged is found out at each of them. */
  private static final Duration OUTLIERS = Duration.ofMinutes(1);

  /** Shares of talkers are reported soon after they were found. */
  private static final Duration SHARES = Duration.ofMinutes(1);

  Rules {
    superMetrics = List.copyOf(superMetrics);
    thresholds = List.copyOf(thresholds);
    alertDefinitions = List.copyOf(alertDefinitions);
    outlierGroups = List.copyOf(outlierGroups);
    talkerReports = List.copyOf(talkerReports);
  }

  int size() {
    return superMetrics.size()
        + thresholds.size()
        + alertDefinitions.size()
        + outlierGroups.size()
        + talkerReports.size();
  }

  Set<Duration> intervals() {
    Set<Duration> intervals = new HashSet<>();
    superMetrics.forEach(rule -> intervals.add(rule.interval()));
    thresholds.forEach(rule -> intervals.add(rule.interval()));
    alertDefinitions.forEach(rule -> intervals.add(rule.interval()));
    if (!outlierGroups.isEmpty()) {
      intervals.add(OUTLIERS);
    }
    if (!talkerReports.isEmpty()) {
      intervals.add(SHARES);
    }
    return intervals;
  }

  /** Those that are evaluated at a moment. */
  Rules due(Instant tick) {
    return new Rules(
        superMetrics.stream().filter(rule -> isDue(rule.interval(), tick)).toList(),
        thresholds.stream().filter(rule -> isDue(rule.interval(), tick)).toList(),
        alertDefinitions.stream().filter(rule -> isDue(rule.interval(), tick)).toList(),
        isDue(OUTLIERS, tick) ? outlierGroups : List.of(),
        isDue(SHARES, tick) ? talkerReports : List.of());
  }

  private static boolean isDue(Duration interval, Instant tick) {
    return tick.getEpochSecond() % interval.toSeconds() == 0;
  }
}
