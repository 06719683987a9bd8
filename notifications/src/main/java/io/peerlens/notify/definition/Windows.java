package io.peerlens.notify.definition;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Time windows of a rule: when it notifies.
 *
 * @param active only within one of these; empty = always
 * @param mute and within none of these
 */
public record Windows(List<Window> active, List<Window> mute) {

  /** At all times. */
  public static final Windows ALWAYS = new Windows(List.of(), List.of());

  public Windows {
    active = List.copyOf(active);
    mute = List.copyOf(mute);
  }

  /**
   * Some hours of some days of the week, by the clock of a zone.
   *
   * @param days on which it begins; empty = every day
   * @param from inclusive
   * @param to exclusive; not after {@code from} = on the next day, so 00:00 to 00:00 is a whole day
   */
  public record Window(Set<DayOfWeek> days, LocalTime from, LocalTime to, ZoneId zone) {

    public Window {
      days = Set.copyOf(days);
    }

    /** Whether a moment lies within it. */
    public boolean holds(Instant moment) {
      ZonedDateTime at = moment.atZone(zone);
      LocalTime time = at.toLocalTime();
      boolean overnight = !from.isBefore(to);
      if (!time.isBefore(from) && (overnight || time.isBefore(to))) {
        return isOn(at.getDayOfWeek());
      }
      return overnight && time.isBefore(to) && isOn(at.getDayOfWeek().minus(1));
    }

    private boolean isOn(DayOfWeek day) {
      return days.isEmpty() || days.contains(day);
    }

    @Override
    public String toString() {
      String on =
          days.isEmpty()
              ? ""
              : days.stream()
                      .sorted()
                      .map(
                          day ->
                              day.name().charAt(0)
                                  + day.name().substring(1, 3).toLowerCase(Locale.ROOT))
                      .reduce((one, other) -> one + ", " + other)
                      .orElse("")
                  + " ";
      return on + from + "–" + to + " " + zone;
    }
  }

  /** Why the rule is quiet at a moment; null = it is not. */
  public @Nullable String quietAt(Instant moment) {
    for (Window window : mute) {
      if (window.holds(moment)) {
        return "muted " + window;
      }
    }
    if (active.isEmpty() || active.stream().anyMatch(window -> window.holds(moment))) {
      return null;
    }
    return "active only "
        + active.stream().map(Window::toString).reduce((a, b) -> a + " or " + b).orElse("");
  }
}
