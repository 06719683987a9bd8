package io.peerlens.baselines.compare;

/** Pairing of the values of two periods. The finest that both cover is used. */
public enum Pairing {
  /** Those of the same hour of the week: Monday at 9 with Mondays at 9. */
  HOUR_OF_WEEK,
  /** Those of the same hour of the day, working days apart from Saturdays and Sundays. */
  DAY_TYPE_AND_HOUR,
  /** Those of the same hour of the day. */
  HOUR_OF_DAY,
  /** Any with any: the periods cover different hours, so a daily cycle counts as a change. */
  NONE;

  private static final int HOURS = 24;
  private static final int WORKING_DAYS = 5;

  /** The stratum that a slot of the week is in, from 0 to 167. */
  int stratum(int slot) {
    return switch (this) {
      case HOUR_OF_WEEK -> slot;
      case DAY_TYPE_AND_HOUR -> slot % HOURS + (slot / HOURS >= WORKING_DAYS ? HOURS : 0);
      case HOUR_OF_DAY -> slot % HOURS;
      case NONE -> 0;
    };
  }
}
