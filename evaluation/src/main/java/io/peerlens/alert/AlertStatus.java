package io.peerlens.alert;

import java.util.Locale;

/** Status of an alert. */
enum AlertStatus {
  /** The last tick has opened it. */
  NEW,
  /** It goes on. */
  ACTIVE,
  /** The last tick has changed its severity or members, or opened it again. */
  UPDATED,
  /** It is over. */
  CANCELED;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
