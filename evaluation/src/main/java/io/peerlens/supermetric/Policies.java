package io.peerlens.supermetric;

import io.peerlens.scope.Scope;
import io.peerlens.scope.ScopeCondition;
import io.peerlens.scope.ScopeFlags;
import io.peerlens.scope.Scopes;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.supermetrics.program.Program;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Objects for which the policies of super metrics leave them enabled. Thread-safe. */
public final class Policies {

  private final ScopeFlags scopes;

  Policies(Scopes scopes) {
    this.scopes = scopes;
  }

  /** For which objects of a graph these super metrics are on. */
  public Program.Enabled enabled(Collection<SuperMetricRule> superMetrics, ObjectGraph graph) {
    Map<UUID, Policy> policies = new HashMap<>();
    superMetrics.forEach(one -> policies.put(one.id(), one.policy()));
    return enabled(policies, graph);
  }

  /** For which objects of a graph super metrics of these policies are on. */
  Program.Enabled enabled(Map<UUID, Policy> policies, ObjectGraph graph) {
    return (id, kind) -> flags(policies.getOrDefault(id, Policy.ALL), kind, graph);
  }

  /** One flag for each object of a kind; null = all of them are on. */
  private boolean @Nullable [] flags(Policy policy, ObjectKind kind, ObjectGraph graph) {
    List<Policy.Rule> rules =
        policy.rules().stream()
            .filter(rule -> rule.isAbout(kind.adapterKind(), kind.objectKind()))
            .toList();
    if (policy.enabled() && rules.stream().allMatch(Policy.Rule::enabled)) {
      return null;
    }
    boolean[] flags = new boolean[graph.count(kind)];
    Arrays.fill(flags, policy.enabled());
    if (!policy.enabled()) {
      return flags;
    }
    for (Policy.Rule rule : rules) {
      if (rule.isUnconditional()) {
        Arrays.fill(flags, rule.enabled());
        continue;
      }
      boolean[] matching = scopes.flags(scope(rule), kind, graph);
      for (int i = 0; i < flags.length; i++) {
        if (matching == null || matching[i]) {
          flags[i] = rule.enabled();
        }
      }
    }
    return flags;
  }

  /** What a rule asks of objects of a kind that it is about. */
  private static Scope scope(Policy.Rule rule) {
    return new Scope(
        new ScopeCondition(
            List.of(),
            List.of(),
            list(rule.tag()),
            list(rule.property()),
            rule.name(),
            list(rule.ancestor()),
            List.of()),
        List.of());
  }

  private static <T> List<T> list(@Nullable T one) {
    return one == null ? List.of() : List.of(one);
  }
}
