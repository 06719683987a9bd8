package io.peerlens.maintenance;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;

/** Moments at which clocks show a time. */
public final class ClockTime {

  private ClockTime() {}

  /**
   * The moment of a clock time: one that is skipped is when the clocks go on, of two it is the
   * first.
   */
  public static Instant on(LocalDate day, LocalTime time, ZoneId zone) {
    LocalDateTime local = day.atTime(time);
    ZoneOffsetTransition change = zone.getRules().getTransition(local);
    return change != null && change.isGap() ? change.getInstant() : local.atZone(zone).toInstant();
  }
}
