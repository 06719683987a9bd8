package io.peerlens.notify.dispatch;

import java.util.Locale;

/** Phase of a notification: what the target knows of the alert. */
public enum Phase {
  /** Nothing. */
  NONE,
  /** Nothing yet: the alert has to last first. */
  DELAYED,
  /** Nothing yet: something keeps it back. */
  HELD,
  /** It is sent together with others. */
  GROUPED,
  /** The target was notified of it. */
  TOLD,
  /** It is over; kept so that an alert that comes and goes is seen. */
  OVER;

  /** As it is stored. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The phase that is stored so. */
  public static Phase of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
