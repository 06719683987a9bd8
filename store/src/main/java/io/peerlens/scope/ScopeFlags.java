package io.peerlens.scope;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import org.jspecify.annotations.Nullable;

/** Membership of objects in scopes, as flags. */
@FunctionalInterface
public interface ScopeFlags {

  /**
   * Which objects of a kind are in a scope. While nothing changes, it is the same array each time.
   *
   * @return one flag for each object, not to be changed; null = all of them are
   */
  boolean @Nullable [] flags(Scope scope, ObjectKind kind, ObjectGraph graph);
}
