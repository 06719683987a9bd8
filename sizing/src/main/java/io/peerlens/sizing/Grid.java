package io.peerlens.sizing;

import io.peerlens.profile.BusinessHours;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Moments that columns have values for, at equal steps, with what they are in local time: which
 * day, which hour of the week, in business hours or not. It is made once and serves the columns of
 * all machines of a zone.
 */
public final class Grid {

  /** Moments at most: 3 years in steps of 5 minutes. */
  public static final int MOST = 320_000;

  static final int HOURS_OF_WEEK = 168;

  private static final int HOUR = 3600;

  private final long start;
  private final int step;
  private final int length;
  private final int[] day;
  private final int[] hour;
  private final short[] hourOfWeek;
  private final BitSet business = new BitSet();
  private final int[] dayOfHour;

  /**
   * Makes a grid.
   *
   * @param start of the first step, in seconds since 1970; a multiple of {@code step}
   * @param step in seconds: a divisor of an hour, from 20 to 3600
   * @param length number of steps, from 1 to {@value #MOST}
   * @param hours business hours; in their zone days and hours of the week are counted
   * @throws IllegalArgumentException a number is outside what is said above
   */
  public Grid(long start, int step, int length, BusinessHours hours) {
    if (step < 20 || step > HOUR || HOUR % step != 0) {
      throw new IllegalArgumentException(
          "A step of " + step + " s does not divide an hour. Use 20, 60, 300 or 3600 s.");
    }
    if (length < 1 || length > MOST) {
      throw new IllegalArgumentException(
          length + " steps are outside 1 to " + MOST + ". Use a shorter period or longer steps.");
    }
    if (start < 0 || start % step != 0) {
      throw new IllegalArgumentException(
          "The start " + start + " is no multiple of the step of " + step + " s since 1970.");
    }
    this.start = start;
    this.step = step;
    this.length = length;
    day = new int[length];
    hour = new int[length];
    hourOfWeek = new short[length];
    int[] dayOfEachHour = new int[length];
    ZoneRules rules = hours.zone().getRules();
    long firstDay = 0;
    long hourBefore = Long.MIN_VALUE;
    int hoursSoFar = 0;
    for (int i = 0; i < length; i++) {
      long utc = start + (long) i * step;
      ZoneOffset offset = rules.getOffset(Instant.ofEpochSecond(utc));
      long local = utc + offset.getTotalSeconds();
      long localDay = Math.floorDiv(local, 24L * HOUR);
      if (i == 0) {
        firstDay = localDay;
      }
      // Local and UTC hour together: the hour that comes twice in autumn stays two hours.
      long localHour = Math.floorDiv(local, HOUR) * 64 + offset.getTotalSeconds() / (HOUR / 2);
      if (localHour != hourBefore) {
        hourBefore = localHour;
        dayOfEachHour[hoursSoFar++] = (int) (localDay - firstDay);
      }
      day[i] = (int) (localDay - firstDay);
      hour[i] = hoursSoFar - 1;
      DayOfWeek weekday = DayOfWeek.of((int) Math.floorMod(localDay + 3, 7L) + 1);
      int secondOfDay = (int) Math.floorMod(local, 24L * HOUR);
      hourOfWeek[i] = (short) ((weekday.getValue() - 1) * 24 + secondOfDay / HOUR);
      if (hours.holds(weekday, LocalTime.ofSecondOfDay(secondOfDay))) {
        business.set(i);
      }
    }
    dayOfHour = Arrays.copyOf(dayOfEachHour, hoursSoFar);
  }

  /** Number of steps: the length of each column. */
  public int length() {
    return length;
  }

  /** Length of a step in hours. */
  public double stepHours() {
    return step / (double) HOUR;
  }

  /** End of the last step, in seconds since 1970. */
  public long end() {
    return start + (long) length * step;
  }

  /** Local days that the grid touches. */
  public int days() {
    return day[length - 1] + 1;
  }

  /** Local hours that the grid touches. */
  public int hours() {
    return dayOfHour.length;
  }

  int step() {
    return step;
  }

  int day(int i) {
    return day[i];
  }

  int hour(int i) {
    return hour[i];
  }

  int dayOfHour(int atHour) {
    return dayOfHour[atHour];
  }

  /** 0 = Monday from 0 to 1 h. */
  int hourOfWeek(int i) {
    return hourOfWeek[i];
  }

  boolean business(int i) {
    return business.get(i);
  }

  /** Share of the steps that are in business hours. */
  double businessShare() {
    return business.cardinality() / (double) length;
  }

  /** The values of a column that exist, in business hours or in all, sorted. */
  double[] sorted(double[] column, boolean businessOnly) {
    double[] values = new double[length];
    int n = 0;
    for (int i = 0; i < length; i++) {
      if (!Double.isNaN(column[i]) && (!businessOnly || business.get(i))) {
        values[n++] = column[i];
      }
    }
    double[] sorted = Arrays.copyOf(values, n);
    Arrays.sort(sorted);
    return sorted;
  }

  /** Means of a column over the hours of {@link #hour}; NaN where an hour has no value. */
  double[] hourly(double[] column) {
    double[] sum = new double[hours()];
    int[] count = new int[hours()];
    for (int i = 0; i < length; i++) {
      if (!Double.isNaN(column[i])) {
        sum[hour[i]] += column[i];
        count[hour[i]]++;
      }
    }
    for (int h = 0; h < sum.length; h++) {
      sum[h] = count[h] == 0 ? Double.NaN : sum[h] / count[h];
    }
    return sum;
  }

  /**
   * Checks that a column fits and has no infinite or negative value.
   *
   * @param name for the message
   * @throws IllegalArgumentException it does not
   */
  double[] checked(double[] column, String name) {
    if (column.length != length) {
      throw new IllegalArgumentException(
          "The column " + name + " has " + column.length + " values, the grid " + length + ".");
    }
    for (int i = 0; i < length; i++) {
      if (column[i] < 0 || Double.isInfinite(column[i])) {
        throw new IllegalArgumentException(
            "The column "
                + name
                + " has "
                + column[i]
                + " at step "
                + i
                + ". Use NaN where there is no value.");
      }
    }
    return column;
  }

  /** Days on which a column has a value. */
  int daysWithValues(double[] column) {
    BitSet seen = new BitSet();
    for (int i = 0; i < length; i++) {
      if (!Double.isNaN(column[i])) {
        seen.set(day[i]);
      }
    }
    return seen.cardinality();
  }
}
