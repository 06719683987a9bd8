package io.peerlens.dashboard;

import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A dashboard or view with its owner, and whether others read it. */
public sealed interface Owned permits OwnedDashboard, OwnedView {

  UUID id();

  /** Whether everybody reads it; otherwise its owner and administrators do. */
  boolean shared();

  /** Name of the token whose it is. */
  String owner();

  String name();

  /** Null = at the top. */
  @Nullable String folder();

  /** Empty = it has none. */
  String description();

  /** Kinds of objects that it is for. */
  List<ObjectKind> kinds();
}
