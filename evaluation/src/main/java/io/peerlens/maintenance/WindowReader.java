package io.peerlens.maintenance;

import io.peerlens.api.model.MaintenanceWindowEdit;
import io.peerlens.api.model.Recurrence;
import io.peerlens.api.model.TimeSpan;
import io.peerlens.api.model.Weekday;
import io.peerlens.scope.ScopeReader;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;

/** Conversion of maintenance windows from API models. */
final class WindowReader {

  private WindowReader() {}

  /**
   * A window.
   *
   * @throws ApiException if something in it makes no sense
   */
  static Window window(UUID id, MaintenanceWindowEdit edit) {
    return new Window(
        id,
        edit.getName(),
        !Boolean.FALSE.equals(edit.getEnabled()),
        ScopeReader.scope("scope", edit.getScope()),
        schedule(edit));
  }

  private static Schedule schedule(MaintenanceWindowEdit edit) {
    TimeSpan once = edit.getOneOff();
    Recurrence again = edit.getRecurring();
    if (once != null && again == null) {
      return oneOff(once);
    }
    if (again != null && once == null) {
      return weekly(again);
    }
    throw ApiException.invalidField("oneOff", "exactly one of oneOff and recurring must be given")
        .hint(
            "Give oneOff for maintenance that takes place once, recurring for one that comes"
                + " again.");
  }

  private static Schedule oneOff(TimeSpan once) {
    if (!once.getFrom().isBefore(once.getTo())) {
      throw ApiException.invalidField("oneOff.to", "is not after oneOff.from");
    }
    return new Schedule.OneOff(new Span(once.getFrom(), once.getTo()));
  }

  private static Schedule weekly(Recurrence again) {
    Duration duration = Durations.parse(again.getDuration());
    if (duration.compareTo(Schedule.Weekly.LONGEST) > 0) {
      throw ApiException.invalidField("recurring.duration", "is longer than 7 days");
    }
    if (again.getFrom() != null
        && again.getUntil() != null
        && again.getUntil().isBefore(again.getFrom())) {
      throw ApiException.invalidField("recurring.until", "is before recurring.from");
    }
    return new Schedule.Weekly(
        days(again),
        LocalTime.parse(again.getStart()),
        duration,
        zone(again.getZone()),
        again.getFrom(),
        again.getUntil());
  }

  private static Set<DayOfWeek> days(Recurrence again) {
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    for (Weekday day : again.getDays()) {
      days.add(DayOfWeek.of(day.ordinal() + 1));
    }
    return days;
  }

  private static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw ApiException.invalidField("recurring.zone", "\"" + name + "\" is no time zone")
          .hint("Give a name of the tz database, such as Europe/Berlin, or UTC.");
    }
  }
}
