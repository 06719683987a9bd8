package io.peerlens.outlier;

import java.util.Locale;

/** Why an event is over. */
enum CloseReason {
  RETURNED,
  EXPECTED,
  LEFT,
  OBJECT_GONE,
  DEFINITION_CHANGED,
  DEFINITION_DISABLED,
  DEFINITION_DELETED;

  /** As the contract and the database write it. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
