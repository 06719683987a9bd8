package io.peerlens.panel;

import io.peerlens.dashboard.file.Question.BusinessHours;
import io.peerlens.store.Level;
import java.time.ZonedDateTime;

/** Test whether a moment lies in business hours. It remembers the last hour that it looked at. */
final class OpenHours {

  private static final long QUARTER = 900_000_000L;

  private final BusinessHours hours;
  private long known = Long.MIN_VALUE;
  private boolean open;

  OpenHours(BusinessHours hours) {
    this.hours = hours;
  }

  /**
   * @param micros since 1970
   */
  boolean holds(long micros) {
    boolean wholeQuarters =
        hours.from().getMinute() % 15 == 0
            && (hours.to() == null || hours.to().getMinute() % 15 == 0);
    long quarter = Math.floorDiv(micros, QUARTER);
    if (!wholeQuarters) {
      return test(micros);
    }
    if (quarter != known) {
      known = quarter;
      open = test(micros);
    }
    return open;
  }

  private boolean test(long micros) {
    ZonedDateTime at = Level.instant(micros).atZone(hours.zone());
    return hours.days().contains(at.getDayOfWeek())
        && !at.toLocalTime().isBefore(hours.from())
        && (hours.to() == null || at.toLocalTime().isBefore(hours.to()));
  }
}
