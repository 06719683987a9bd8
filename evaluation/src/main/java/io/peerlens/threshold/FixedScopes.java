package io.peerlens.threshold;

import io.peerlens.scope.Scope;
import io.peerlens.scope.ScopeFlags;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Scopes that are looked up once, so that a preview is about the same objects from its start to its
 * end. Not thread-safe.
 */
final class FixedScopes implements ScopeFlags {

  private record Asked(Scope scope, ObjectKind kind) {}

  private final ScopeFlags scopes;
  private final @Nullable Set<Integer> only;
  private final Map<Asked, Optional<boolean[]>> members = new HashMap<>();

  /**
   * @param only ids of the only objects that count; null = all do
   */
  FixedScopes(ScopeFlags scopes, @Nullable Set<Integer> only) {
    this.scopes = scopes;
    this.only = only;
  }

  @Override
  public boolean @Nullable [] flags(Scope scope, ObjectKind kind, ObjectGraph graph) {
    return members
        .computeIfAbsent(
            new Asked(scope, kind), asked -> Optional.ofNullable(chosen(scope, kind, graph)))
        .orElse(null);
  }

  private boolean @Nullable [] chosen(Scope scope, ObjectKind kind, ObjectGraph graph) {
    boolean[] flags = scopes.flags(scope, kind, graph);
    if (only == null) {
      return flags;
    }
    boolean[] chosen = new boolean[graph.count(kind)];
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = (flags == null || flags[i]) && only.contains(graph.id(kind, i));
    }
    return chosen;
  }
}
