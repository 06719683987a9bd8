package io.peerlens.notify.dispatch;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * State of a target's notifications about a group of alerts.
 *
 * @param told whether the target was notified of the group
 * @param due when to look at it; null = not until something happens in it
 * @param changed whether it changed since the last notification
 * @param open how many of its alerts are open
 */
public record GroupState(
    boolean told,
    @Nullable Instant due,
    @Nullable Instant lastTold,
    boolean changed,
    int resends,
    int open) {

  /** A group that nobody is in yet. */
  public static final GroupState EMPTY = new GroupState(false, null, null, false, 0, 0);

  /** The same, to be looked at again at a moment. */
  public GroupState dueAt(@Nullable Instant next) {
    return new GroupState(told, next, lastTold, changed, resends, open);
  }
}
