package io.peerlens.notify.match;

import io.peerlens.scope.Scope;
import java.util.UUID;

/** Which objects a scope holds. */
@FunctionalInterface
public interface InScope {

  /** Whether a scope holds an object. */
  boolean holds(Scope scope, UUID object);
}
