package io.peerlens.notify.flow;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How things stand between a target and a group of alerts.
 *
 * @param told whether the target was told of the group
 * @param due when to look at it; null = not until something happens in it
 * @param changed whether it changed since it was told
 * @param open how many of its alerts are open
 */
public record GroupStanding(
    boolean told,
    @Nullable Instant due,
    @Nullable Instant lastTold,
    boolean changed,
    int resends,
    int open) {

  /** A group that nobody is in yet. */
  public static final GroupStanding EMPTY = new GroupStanding(false, null, null, false, 0, 0);

  /** The same, to be looked at again at a moment. */
  public GroupStanding dueAt(@Nullable Instant next) {
    return new GroupStanding(told, next, lastTold, changed, resends, open);
  }
}
