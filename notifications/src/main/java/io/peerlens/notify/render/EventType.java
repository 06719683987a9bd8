package io.peerlens.notify.render;

/** Type of a notification, as templates, rules and receivers know it. */
public enum EventType {
  /** An alert, or a group of alerts, opened. */
  NEW,
  /** It changed, or it is sent again. */
  UPDATE,
  /** It ended. */
  CANCEL,
  /** A report that is sent on schedule; about no alert. */
  REPORT;

  /**
   * The type of a step in the history of an alert.
   *
   * @param step as the history has it, for instance {@code opened} or {@code severity}
   */
  public static EventType ofStep(String step) {
    return switch (step) {
      case "opened", "reopened" -> NEW;
      case "canceled" -> CANCEL;
      default -> UPDATE;
    };
  }
}
