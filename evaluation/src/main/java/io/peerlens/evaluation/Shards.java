package io.peerlens.evaluation;

import io.peerlens.alert.AlertDefinition;
import io.peerlens.ingest.key.MetricKey;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.supermetric.SuperMetricRule;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Dependencies;
import io.peerlens.talker.report.TalkerReport;
import io.peerlens.threshold.Threshold;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Division of rules into shards. Rules stay together that read one another, so that each sees the
 * value of its tick: super metrics, thresholds on their values, alert definitions with their
 * thresholds. So do super metrics that are computed for the same kind, so that a row of results is
 * written by one transaction, and thresholds on the same group of metrics of a kind, so that it is
 * read once. Outlier groups and reports read what is stored, so each goes where there is room. The
 * division follows from the rules alone, so every evaluator makes the same.
 */
final class Shards {

  /** A group of metrics, or a property, of a kind. */
  private record Read(ObjectKind kind, String group) {}

  private final Map<Object, Object> parents = new HashMap<>();

  private Shards() {}

  /**
   * The rules of each shard.
   *
   * @param count how many shards there are
   */
  static List<Rules> divide(Rules rules, int count) {
    return new Shards().make(rules, count);
  }

  private List<Rules> make(Rules rules, int count) {
    joinAll(rules);
    Map<Object, Part> parts = new HashMap<>();
    for (SuperMetricRule rule : rules.superMetrics()) {
      part(parts, rule.id()).superMetrics.put(rule.id(), rule);
    }
    for (Threshold rule : rules.thresholds()) {
      part(parts, rule.id()).thresholds.put(rule.id(), rule);
    }
    for (AlertDefinition rule : rules.alertDefinitions()) {
      part(parts, rule.id()).alertDefinitions.put(rule.id(), rule);
    }
    for (OutlierGroup rule : rules.outlierGroups()) {
      part(parts, rule.id()).outlierGroups.put(rule.id(), rule);
    }
    for (TalkerReport rule : rules.talkerReports()) {
      part(parts, rule.id()).talkerReports.put(rule.id(), rule);
    }
    List<Part> largestFirst = new ArrayList<>(parts.values());
    largestFirst.sort(
        Comparator.comparing((Part part) -> -part.size()).thenComparing(Part::firstId));
    List<Part> shards = new ArrayList<>();
    for (int shard = 0; shard < count; shard++) {
      shards.add(new Part());
    }
    for (Part part : largestFirst) {
      shards.stream().min(Comparator.comparingInt(Part::size)).orElseThrow().add(part);
    }
    return shards.stream().map(Part::rules).toList();
  }

  private void joinAll(Rules rules) {
    for (SuperMetricRule rule : rules.superMetrics()) {
      parents.putIfAbsent(rule.id(), rule.id());
      for (ObjectKind kind : rule.kinds()) {
        join(rule.id(), kind);
      }
    }
    for (SuperMetricRule rule : rules.superMetrics()) {
      for (UUID read : Dependencies.superMetrics(rule.formula().tree())) {
        if (parents.containsKey(read)) {
          join(rule.id(), read);
        }
      }
    }
    for (Threshold rule : rules.thresholds()) {
      for (String key : rule.keys()) {
        UUID superMetric = Keys.superMetric(key);
        if (superMetric == null) {
          join(rule.id(), new Read(rule.kind(), MetricKey.parse(key).group()));
        } else if (parents.containsKey(superMetric)) {
          join(rule.id(), superMetric);
        }
      }
    }
    for (AlertDefinition rule : rules.alertDefinitions()) {
      for (UUID threshold : rule.thresholds()) {
        join(rule.id(), threshold);
      }
    }
  }

  private Part part(Map<Object, Part> parts, UUID rule) {
    return parts.computeIfAbsent(root(rule), r -> new Part());
  }

  private void join(Object a, Object b) {
    parents.putIfAbsent(a, a);
    parents.putIfAbsent(b, b);
    parents.put(root(a), root(b));
  }

  private Object root(Object of) {
    Object at = of;
    for (Object up = parents.getOrDefault(at, at);
        !up.equals(at);
        up = parents.getOrDefault(at, at)) {
      at = up;
    }
    return at;
  }

  /** Rules that stay together, each kind by id. */
  private static final class Part {
    final Map<UUID, SuperMetricRule> superMetrics = new TreeMap<>();
    final Map<UUID, Threshold> thresholds = new TreeMap<>();
    final Map<UUID, AlertDefinition> alertDefinitions = new TreeMap<>();
    final Map<UUID, OutlierGroup> outlierGroups = new TreeMap<>();
    final Map<UUID, TalkerReport> talkerReports = new TreeMap<>();

    int size() {
      return superMetrics.size()
          + thresholds.size()
          + alertDefinitions.size()
          + outlierGroups.size()
          + talkerReports.size();
    }

    UUID firstId() {
      List<UUID> ids = new ArrayList<>(superMetrics.keySet());
      ids.addAll(thresholds.keySet());
      ids.addAll(alertDefinitions.keySet());
      ids.addAll(outlierGroups.keySet());
      ids.addAll(talkerReports.keySet());
      ids.sort(null);
      return ids.getFirst();
    }

    void add(Part other) {
      superMetrics.putAll(other.superMetrics);
      thresholds.putAll(other.thresholds);
      alertDefinitions.putAll(other.alertDefinitions);
      outlierGroups.putAll(other.outlierGroups);
      talkerReports.putAll(other.talkerReports);
    }

    Rules rules() {
      return new Rules(
          List.copyOf(superMetrics.values()),
          List.copyOf(thresholds.values()),
          List.copyOf(alertDefinitions.values()),
          List.copyOf(outlierGroups.values()),
          List.copyOf(talkerReports.values()));
    }
  }
}
