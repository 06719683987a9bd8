package io.peerlens.notify.dispatch;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State of a target's notifications about an alert.
 *
 * @param due when to look at it again; null = not until something happens to the alert
 * @param lastTold when the target was last notified of it; null = not since it opened
 * @param resends how often an unchanged alert was sent again since it opened
 * @param kept the last change that was kept back; null = none
 * @param openings when the target was notified of its opening, the last few times
 */
public record NotificationState(
    Phase phase,
    @Nullable Instant due,
    @Nullable Instant lastTold,
    int resends,
    @Nullable String kept,
    List<Instant> openings) {

  /** The target knows nothing of the alert. */
  public static final NotificationState NONE =
      new NotificationState(Phase.NONE, null, null, 0, null, List.of());

  public NotificationState {
    openings = List.copyOf(openings);
  }

  NotificationState waiting(Phase in, Instant until) {
    return new NotificationState(in, until, null, 0, null, openings);
  }

  NotificationState over() {
    return new NotificationState(Phase.OVER, null, lastTold, 0, null, openings);
  }

  NotificationState grouped() {
    return new NotificationState(Phase.GROUPED, null, null, 0, null, openings);
  }

  NotificationState opened(@Nullable Instant next, Instant now, List<Instant> told) {
    return new NotificationState(Phase.TOLD, next, now, 0, null, told);
  }

  NotificationState told(@Nullable Instant next, Instant now, int times) {
    return new NotificationState(Phase.TOLD, next, now, times, null, openings);
  }

  NotificationState keeping(String change, Instant until) {
    return new NotificationState(Phase.TOLD, until, lastTold, resends, change, openings);
  }

  /** The same, to be looked at again at a moment. */
  public NotificationState dueAt(@Nullable Instant next) {
    return new NotificationState(phase, next, lastTold, resends, kept, openings);
  }
}
