package io.peerlens.notify.flow;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How things stand between a target and an alert.
 *
 * @param due when to look at it again; null = not until something happens to the alert
 * @param lastTold when the target was told of it last; null = not since it opened
 * @param resends how often an unchanged alert was told again since it opened
 * @param kept the last change that was kept back; null = none
 * @param openings when the target was told of its opening, the last few times
 */
public record Standing(
    Phase phase,
    @Nullable Instant due,
    @Nullable Instant lastTold,
    int resends,
    @Nullable String kept,
    List<Instant> openings) {

  /** The target knows nothing of the alert. */
  public static final Standing NONE = new Standing(Phase.NONE, null, null, 0, null, List.of());

  public Standing {
    openings = List.copyOf(openings);
  }

  Standing waiting(Phase in, Instant until) {
    return new Standing(in, until, null, 0, null, openings);
  }

  Standing over() {
    return new Standing(Phase.OVER, null, lastTold, 0, null, openings);
  }

  Standing grouped() {
    return new Standing(Phase.GROUPED, null, null, 0, null, openings);
  }

  Standing opened(@Nullable Instant next, Instant now, List<Instant> told) {
    return new Standing(Phase.TOLD, next, now, 0, null, told);
  }

  Standing told(@Nullable Instant next, Instant now, int times) {
    return new Standing(Phase.TOLD, next, now, times, null, openings);
  }

  Standing keeping(String change, Instant until) {
    return new Standing(Phase.TOLD, until, lastTold, resends, change, openings);
  }

  /** The same, to be looked at again at a moment. */
  public Standing dueAt(@Nullable Instant next) {
    return new Standing(phase, next, lastTold, resends, kept, openings);
  }
}
