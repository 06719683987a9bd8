package io.peerlens.notify.dispatch;

import io.peerlens.notify.render.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Decision on one item and one target.
 *
 * @param after how things stand now
 * @param tell the notification to send; null = none
 * @param inGroup what it means for the group; null = nothing
 * @param dropsWaiting whether what waits to be sent about the alert is dropped
 * @param words for people, why
 */
public record Decision(
    NotificationState after,
    Outcome outcome,
    @Nullable Tell tell,
    @Nullable InGroup inGroup,
    boolean dropsWaiting,
    String words) {

  /** Outcome of a decision. */
  public enum Outcome {
    SENT,
    DELAYED,
    DAMPED,
    HELD,
    GROUPED,
    /** There was nothing to tell. */
    NOTHING,
    /** It is over, and was never told. */
    NEVER_OPENED
  }

  /** A notification to send. */
  public record Tell(EventType event, String change) {}

  /** Effect of an alert on its group. */
  public enum InGroup {
    JOINS,
    CHANGES,
    LEAVES
  }

  static Decision of(NotificationState after, Outcome outcome, String words) {
    return new Decision(after, outcome, null, null, false, words);
  }

  static Decision tell(NotificationState after, EventType event, String change, String words) {
    return new Decision(after, Outcome.SENT, new Tell(event, change), null, false, words);
  }

  static Decision group(NotificationState after, InGroup what, String words) {
    return new Decision(after, Outcome.GROUPED, null, what, false, words);
  }
}
