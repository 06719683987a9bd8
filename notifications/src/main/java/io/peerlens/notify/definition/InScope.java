package io.peerlens.notify.definition;

import io.peerlens.scope.Scope;
import java.util.UUID;

/** Membership of objects in scopes. */
@FunctionalInterface
public interface InScope {

  /** Whether a scope holds an object. */
  boolean holds(Scope scope, UUID object);
}
