package io.peerlens.notify.dispatch;

import java.util.List;

/**
 * Match of a rule against one event of an alert.
 *
 * @param checks every condition that the rule has, in the order of its fields
 */
public record Match(List<Check> checks) {

  public Match {
    checks = List.copyOf(checks);
  }

  /**
   * One condition.
   *
   * @param field of the rule, for instance {@code severities}
   * @param met whether it holds
   * @param words what was found and what was wanted
   */
  public record Check(String field, boolean met, String words) {

    /** Whether it is about what happened rather than about the alert. */
    boolean isOfEvent() {
      return field.equals("events") || field.equals("changes");
    }
  }

  /** Whether the rule takes the event. */
  public boolean matches() {
    return checks.stream().allMatch(Check::met);
  }

  /** Whether the rule is about the alert, whatever happened to it. */
  public boolean isAbout() {
    return checks.stream().allMatch(check -> check.met() || check.isOfEvent());
  }

  /** Whether the rule wants such events, of whatever alert. */
  public boolean wantsEvent() {
    return checks.stream().allMatch(check -> check.met() || !check.isOfEvent());
  }

  /** The conditions that do not hold, in words; empty = all do. */
  public String words() {
    return checks.stream()
        .filter(check -> !check.met())
        .map(Check::words)
        .reduce((one, other) -> one + "; " + other)
        .orElse("");
  }
}
