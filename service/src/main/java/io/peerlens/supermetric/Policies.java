package io.peerlens.supermetric;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.supermetrics.program.Program;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Works out which objects the policies of super metrics leave on. The answer to which objects a
 * rule matches is kept for a while, {@code peerlens.super-metrics.policy-age}. Thread-safe.
 */
public final class Policies {

  private record Asked(Policy.Rule rule, ObjectKind kind) {}

  private record Answer(Set<Integer> ids, Instant at) {}

  private final PolicyQueries queries;
  private final InstantSource clock;
  private final Duration age;
  private final Map<Asked, Answer> answers = new ConcurrentHashMap<>();

  Policies(PolicyQueries queries, InstantSource clock, Duration age) {
    this.queries = queries;
    this.clock = clock;
    this.age = age;
  }

  /** For which objects of a graph these super metrics are on. */
  public Program.Enabled enabled(Collection<EnabledDefinition> definitions, ObjectGraph graph) {
    forgetOld();
    Map<UUID, Policy> policies = new HashMap<>();
    definitions.forEach(definition -> policies.put(definition.id(), definition.policy()));
    return (id, kind) -> flags(policies.getOrDefault(id, Policy.ALL), kind, graph);
  }

  /** One flag for each object of a kind; null = all of them are on. */
  boolean @Nullable [] flags(Policy policy, ObjectKind kind, ObjectGraph graph) {
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
      Set<Integer> matching = matching(rule, kind);
      for (int i = 0; i < flags.length; i++) {
        if (matching.contains(graph.id(kind, i))) {
          flags[i] = rule.enabled();
        }
      }
    }
    return flags;
  }

  private Set<Integer> matching(Policy.Rule rule, ObjectKind kind) {
    // Two rules that differ in nothing but on and off match the same objects.
    Policy.Rule conditions =
        new Policy.Rule(
            true, null, null, rule.tag(), rule.property(), rule.name(), rule.ancestor());
    return answers
        .computeIfAbsent(
            new Asked(conditions, kind),
            asked -> new Answer(queries.matching(asked.rule(), asked.kind()), clock.instant()))
        .ids();
  }

  private void forgetOld() {
    Instant oldest = clock.instant().minus(age);
    answers.values().removeIf(answer -> answer.at().isBefore(oldest));
  }
}
