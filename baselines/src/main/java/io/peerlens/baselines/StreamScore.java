package io.peerlens.baselines;

/**
 * Anomaly score of each value of one series, from the values before it alone. Meant for series of
 * five minutes; works by values, not by time, but for the time of the day and of the week.
 *
 * <p>{@link #next} tells where something begins. A value is looked at in seven ways, and of each is
 * asked how often the like happened before ({@link Tail#novelty()}: what happened some 30 times is
 * known, and each time ten times fewer a decade): the shapes ({@link Patterns}) of the last four
 * values and of the last four times an hour, those of the last two deviations and of the last four
 * times 20 minutes of them, how far the series moves from value to value in an hour, its distance
 * from the slow level, and how far the mean of the last two hours has moved. Deviations are those
 * from what is usual at this time of the week ({@link Rareness}). The seven are summed, as Fisher
 * combines tests (Statistical Methods for Research Workers, 1925), and what is usual for the series
 * at this time of the day is taken off ({@link Habits}); that is the {@link #novelty}. So a spike
 * in a series that spikes is nothing, and no assumption of a normal distribution is made.
 *
 * <p>What was reported is not reported again: for hours a value has to be newer than the last that
 * was reported, the longer ago the less. A new level is so reported when it comes and then learned.
 * Other detectors of streams are quiet after a report in the same way (contextual anomaly
 * detection, CAD OSE, for a fifth of its learning period).
 *
 * <p>{@link #surprise} tells how rare a value is as long as it lasts ({@link Rareness}).
 *
 * <p>The constants were fitted on the development halves of public labelled series;
 * docs/accuracy.md says which and what it gives on the other half. Those of the novelty are round
 * numbers in the middle of wide ranges that give the same, and the seven ways count alike. Nothing
 * depends on anything but the values; not thread-safe. About 11 KB for a series.
 */
public final class StreamScore {

  /** Of deviations beyond a learned band, each decade counts as this many of rank or novelty. */
  private static final double DECADE_BEYOND = 2;

  /** The spread of a band that was learned in a week, in usual deviations ({@link Band#spread}). */
  private static final double DEVIATIONS = 2;

  /** Values after which a report is forgotten to 1/e: ten hours. */
  private static final double TOLD = 120;

  /** Something is reported again only if it is newer than this times what was reported. */
  private static final double AGAIN = 1.6;

  /** A novelty with a score of a half. */
  private static final double HALF_SCORE = 2;

  /** Values before anything can be new: four hours. */
  private static final int FEWEST = 50;

  /** The range of a series shrinks to 1/e in so many values if nothing fills it: eight weeks. */
  private static final double RANGE = 16_128;

  /** Where there is no range yet, it is this share of the value. */
  private static final double NO_RANGE = 0.01;

  private static final int DAY = 24;

  private final WeekSlots slots;
  private final Rareness rareness;
  private final Patterns values = new Patterns(4, 1, 1);
  private final Patterns hours = new Patterns(4, 4, 3);
  private final Patterns deviations = new Patterns(2, 1, 1);
  private final Patterns course = new Patterns(4, 4, 1);
  private final Patterns moves = new Patterns(1, 12, 1);
  private final Range range = new Range();
  private final Range ofDeviations = new Range();
  private final Habits habits = new Habits();
  private int count;
  private double first;
  private double previous;
  private double told;
  private double novelty;
  private double surprise;

  /**
   * @param slots which hour of the week a time is
   */
  public StreamScore(WeekSlots slots) {
    this.slots = slots;
    this.rareness = new Rareness(slots);
  }

  /**
   * Scores the next value and learns from it.
   *
   * @param seconds its time since 1970; times ascend
   * @param value NaN is passed over
   * @param beyond how many spreads it is beyond the learned bounds of the series ({@link Band}); 0
   *     within them or where there are none
   * @return 0 (usual, or reported already) to 1; from about a half on, something began. NaN for NaN
   */
  public double next(long seconds, double value, double beyond) {
    rareness.next(seconds, value);
    if (Double.isNaN(value)) {
      novelty = Double.NaN;
      surprise = Double.NaN;
      return Double.NaN;
    }
    if (++count == 1) {
      first = value;
      previous = value;
    }
    double decades = DECADE_BEYOND * Math.log10(1 + DEVIATIONS * beyond);
    surprise = rareness.surprise() + decades;
    long epochHour = Math.floorDiv(seconds, 3600L);
    double news = news(value, rareness.deviation()) + decades;
    double usual = habits.usual(epochHour, slots.slot(epochHour) % DAY, news);
    novelty = count > FEWEST ? Math.max(0, news - usual) : 0;
    return tell();
  }

  /**
   * How new the last value was, whether or not it was reported before: decades summed over the ways
   * of looking at it, and two for each decade of deviations beyond the learned bounds, less what is
   * usual for the series at this time of the day. 0 or more, 0 for the first 50 values; NaN if the
   * value was NaN.
   */
  public double novelty() {
    return novelty;
  }

  /**
   * How unusual the last value was, whether or not it was reported before: {@link
   * Rareness#surprise}, and two for each decade of deviations beyond the learned bounds. NaN if it
   * was NaN.
   */
  public double surprise() {
    return surprise;
  }

  /** How far off the last value was, {@link Rareness#next}; without the learned bounds. */
  public double rareness() {
    return rareness.rareness();
  }

  private double news(double value, double ofBand) {
    double width = range.next(value);
    double ofWidth = ofDeviations.next(ofBand);
    double news =
        values.next(value - first, width)
            + hours.next(value - first, width)
            + deviations.next(ofBand, ofWidth)
            + course.next(ofBand, ofWidth)
            + moves.next(Math.abs(value - previous), width)
            + rareness.novelty();
    previous = value;
    return news;
  }

  private double tell() {
    double now = 0;
    if (novelty > told) {
      now = novelty;
      told = AGAIN * novelty;
    }
    told *= 1 - 1 / TOLD;
    return now / (now + HALF_SCORE);
  }

  /** From the lowest to the highest value, which are slowly forgotten. */
  private static final class Range {

    private double low = Double.POSITIVE_INFINITY;
    private double high = Double.NEGATIVE_INFINITY;

    /** The range before a value, which is part of it afterwards. */
    double next(double value) {
      double range = high > low ? high - low : Math.max(1e-9, NO_RANGE * Math.abs(value));
      if (high > low) {
        double forgotten = range / 2 / RANGE;
        low += forgotten;
        high -= forgotten;
      }
      low = Math.min(low, value);
      high = Math.max(high, value);
      return range;
    }
  }
}
