package io.peerlens.standalone.sample;

/** Daily and weekly rhythm of a tier's load, as a share of its peak. */
enum Rhythm {
  /** Office hours with a dip at noon; quiet at weekends. */
  OFFICE {
    @Override
    double at(double hour, boolean weekend) {
      double day = bump(hour, 10.2, 1.9) + bump(hour, 14.8, 2.1);
      return 0.06 + (weekend ? 0.08 : 0.94) * Math.min(1, day);
    }
  },
  /** Shoppers: from the morning on, most in the evening, more at weekends. */
  SHOPPING {
    @Override
    double at(double hour, boolean weekend) {
      double day = 0.55 * bump(hour, 12.5, 2.8) + 0.95 * bump(hour, 20, 2.4);
      return Math.min(1.1, (0.12 + 0.88 * Math.min(1, day)) * (weekend ? 1.1 : 1));
    }
  },
  /** Work that is done at night. */
  NIGHT {
    @Override
    double at(double hour, boolean weekend) {
      return 0.05 + 0.95 * Math.min(1, bump(hour, 2.5, 1.6));
    }
  },
  /** Infrastructure: a little more by day. */
  FLAT {
    @Override
    double at(double hour, boolean weekend) {
      return 0.7 + 0.3 * bump(hour, 14, 5) * (weekend ? 0.5 : 1);
    }
  };

  private static final double SECONDS_PER_DAY = 86_400;

  /**
   * Share of the peak, 0 to about 1.1.
   *
   * @param hour of the day, 0 to 24
   */
  abstract double at(double hour, boolean weekend);

  /**
   * Share of the peak at a moment.
   *
   * @param time in seconds since 1970, UTC
   */
  final double at(double time) {
    double day = Math.floor(time / SECONDS_PER_DAY);
    double hour = (time - day * SECONDS_PER_DAY) / 3600;
    int weekday = (int) Math.floorMod((long) day + 3, 7L); // 1970-01-01 was a Thursday; 0 = Monday
    // Around midnight the two kinds of day run into each other.
    double today = at(hour, weekday >= 5);
    if (hour < 23) {
      return today;
    }
    double tomorrow = at(hour - 24, (weekday + 1) % 7 >= 5);
    return today + (tomorrow - today) * (hour - 23);
  }

  private static double bump(double hour, double middle, double width) {
    double distance = Math.abs(hour - middle);
    distance = Math.min(distance, 24 - distance);
    return Math.exp(-distance * distance / (2 * width * width));
  }
}
