package io.peerlens.outlier.group;

import java.util.Locale;

/** Reason why an event ended. */
public enum CloseReason {
  RETURNED,
  EXPECTED,
  LEFT,
  OBJECT_GONE,
  DEFINITION_CHANGED,
  DEFINITION_DISABLED,
  DEFINITION_DELETED;

  /** As the contract and the database write it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
