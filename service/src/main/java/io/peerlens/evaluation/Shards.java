package io.peerlens.evaluation;

import io.peerlens.supermetric.EnabledDefinition;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Dependencies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Divides rules into shards. Rules stay together that read one another, so that each sees the value
 * of its tick, and rules that are computed for the same kind, so that a row of results is written
 * by one transaction. The division follows from the rules alone, so every evaluator makes the same.
 */
final class Shards {

  private Shards() {}

  /**
   * The rules of each shard.
   *
   * @param count how many shards there are
   */
  static List<List<EnabledDefinition>> divide(List<EnabledDefinition> rules, int count) {
    Map<Object, Object> parent = new HashMap<>();
    for (EnabledDefinition rule : rules) {
      parent.putIfAbsent(rule.id(), rule.id());
      for (ObjectKind kind : rule.kinds()) {
        join(parent, rule.id(), kind);
      }
    }
    for (EnabledDefinition rule : rules) {
      for (UUID read : Dependencies.superMetrics(rule.formula().tree())) {
        if (parent.containsKey(read)) {
          join(parent, rule.id(), read);
        }
      }
    }
    Map<Object, List<EnabledDefinition>> parts = new HashMap<>();
    for (EnabledDefinition rule : rules) {
      parts.computeIfAbsent(root(parent, rule.id()), r -> new ArrayList<>()).add(rule);
    }
    List<List<EnabledDefinition>> largestFirst = new ArrayList<>(parts.values());
    largestFirst.forEach(part -> part.sort(Comparator.comparing(EnabledDefinition::id)));
    largestFirst.sort(
        Comparator.comparing((List<EnabledDefinition> part) -> -part.size())
            .thenComparing(part -> part.getFirst().id()));
    List<List<EnabledDefinition>> shards = new ArrayList<>();
    for (int shard = 0; shard < count; shard++) {
      shards.add(new ArrayList<>());
    }
    for (List<EnabledDefinition> part : largestFirst) {
      shards.stream().min(Comparator.comparingInt(List::size)).orElseThrow().addAll(part);
    }
    return shards.stream().map(List::copyOf).toList();
  }

  private static void join(Map<Object, Object> parent, Object a, Object b) {
    parent.putIfAbsent(b, b);
    parent.put(root(parent, a), root(parent, b));
  }

  private static Object root(Map<Object, Object> parent, Object of) {
    Object at = of;
    for (Object up = parent.getOrDefault(at, at);
        !up.equals(at);
        up = parent.getOrDefault(at, at)) {
      at = up;
    }
    return at;
  }
}
