package io.peerlens.notify.render;

import java.util.UUID;

/**
 * Moment of an alert at which something happened to it.
 *
 * @param history id of the row of its history; 0 = as it is now
 * @param change what happened, for instance {@code severity}
 */
public record Moment(UUID alert, long history, EventType event, String change) {

  /** The moment of a step in the history of an alert. */
  public static Moment of(UUID alert, long history, String step) {
    return new Moment(alert, history, EventType.ofStep(step), step);
  }

  /** The present state of an alert. */
  public static Moment now(UUID alert, EventType event, String change) {
    return new Moment(alert, 0, event, change);
  }
}
