package io.peerlens.baselines;

import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/**
 * The hour of the week, by local time, that each hour since 1970 belongs to. People work by their
 * clocks, so after a change to daylight saving time Monday 9 o'clock is compared with Mondays at 9
 * o'clock, one hour earlier in UTC. Offsets that are no whole hours are rounded down.
 *
 * <p>Keeps the offset of the stretch that was asked for last; not thread-safe.
 */
public final class WeekSlots {

  /** Hours of a week. */
  public static final int SLOTS = 168;

  private static final int HOUR = 3600;

  private final ZoneRules rules;
  private long from = Long.MAX_VALUE;
  private long until = Long.MIN_VALUE;
  private int offset;

  /**
   * @param zone where the people are who work with what is measured
   */
  public WeekSlots(ZoneId zone) {
    this.rules = zone.getRules();
  }

  /**
   * The slot of an hour: 0 to 167, where 0 is Monday from 0 to 1 o'clock.
   *
   * @param epochHour hours since 1970 in UTC
   */
  public int slot(long epochHour) {
    if (epochHour < from || epochHour >= until) {
      look(epochHour);
    }
    // 1 January 1970 was a Thursday, the fourth day of a week.
    return (int) Math.floorMod(epochHour + offset + 3 * 24, (long) SLOTS);
  }

  private void look(long epochHour) {
    Instant time = Instant.ofEpochSecond(epochHour * HOUR);
    offset = Math.floorDiv(rules.getOffset(time).getTotalSeconds(), HOUR);
    ZoneOffsetTransition before = rules.previousTransition(time.plusSeconds(1));
    ZoneOffsetTransition after = rules.nextTransition(time);
    from = before == null ? Long.MIN_VALUE : Math.ceilDiv(before.toEpochSecond(), HOUR);
    until = after == null ? Long.MAX_VALUE : Math.ceilDiv(after.toEpochSecond(), HOUR);
  }
}
