package io.peerlens.alert;

import java.util.Locale;

/** Reason why an alert ended. */
enum CancelReason {
  /** What it was about is over. */
  CLEARED,
  /** The rule is there, but raises no such alerts any more. */
  DEFINITION_CHANGED,
  DEFINITION_DELETED,
  DEFINITION_DISABLED,
  /** The rule is not about the object any more. */
  OUT_OF_SCOPE,
  /** Nothing was heard of the object for a long time. */
  OBJECT_GONE,
  /** The source of the object said that it has removed it. */
  OBJECT_REMOVED,
  /** Somebody asked for it. */
  BY_HAND;

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
