package io.peerlens.alert;

import java.util.Locale;

/** Event in the life of an alert. Each is a row of its history. */
enum Event {
  OPENED,
  REOPENED,
  /** Its severity changed. */
  SEVERITY,
  /** Its members changed, its severity did not. */
  MEMBERS,
  CANCELED,
  ACKNOWLEDGED,
  UNACKNOWLEDGED,
  ASSIGNED,
  RELEASED,
  SUSPENDED,
  RESUMED,
  SUPPRESSED,
  UNSUPPRESSED,
  /** It came and went so often that it now stays open for a while. */
  FLAPPING,
  /** It joined an incident. */
  INCIDENT,
  NOTE;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
