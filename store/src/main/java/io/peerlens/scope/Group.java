package io.peerlens.scope;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A scope with a name. */
record Group(UUID id, String name, @Nullable String description, Scope scope) {}
