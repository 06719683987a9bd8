package io.peerlens.notify.flow;

import io.peerlens.notify.context.EventType;
import org.jspecify.annotations.Nullable;

/**
 * What was decided.
 *
 * @param after how things stand now
 * @param tell what the target is told; null = nothing
 * @param inGroup what it means for the group; null = nothing
 * @param dropsWaiting whether what waits to be sent about the alert is dropped
 * @param words for people, why
 */
public record Decision(
    Standing after,
    Outcome outcome,
    @Nullable Tell tell,
    @Nullable InGroup inGroup,
    boolean dropsWaiting,
    String words) {

  /** How it ended. */
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

  /** What is told. */
  public record Tell(EventType event, String change) {}

  /** What an alert does in its group. */
  public enum InGroup {
    JOINS,
    CHANGES,
    LEAVES
  }

  static Decision of(Standing after, Outcome outcome, String words) {
    return new Decision(after, outcome, null, null, false, words);
  }

  static Decision tell(Standing after, EventType event, String change, String words) {
    return new Decision(after, Outcome.SENT, new Tell(event, change), null, false, words);
  }

  static Decision group(Standing after, InGroup what, String words) {
    return new Decision(after, Outcome.GROUPED, null, what, false, words);
  }
}
