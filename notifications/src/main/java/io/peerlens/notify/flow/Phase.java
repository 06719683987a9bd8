package io.peerlens.notify.flow;

import java.util.Locale;

/** What a target knows of an alert. */
public enum Phase {
  /** Nothing. */
  NONE,
  /** Nothing yet: the alert has to last first. */
  DELAYED,
  /** Nothing yet: something keeps it back. */
  HELD,
  /** It is told together with others. */
  GROUPED,
  /** The target was told of it. */
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
