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
 * from what is usual at this time of the week: a level, and deviations of each hour of the day and
 * of the week that count more the more often the hour was seen (shrinkage). The seven are summed,
 * as Fisher combines tests (Statistical Methods for Research Workers, 1925), and what is usual for
 * the series at this time of the day is taken off ({@link Habits}); that is the {@link #novelty}.
 * So a spike in a series that spikes is nothing, and no assumption of a normal distribution is
 * made.
 *
 * <p>What was reported is not reported again: for hours a value has to be newer than the last that
 * was reported, the longer ago the less. A new level is so reported when it comes and then learned.
 * Other detectors of streams are quiet after a report in the same way (contextual anomaly
 * detection, CAD OSE, for a fifth of its learning period).
 *
 * <p>{@link #surprise} tells how rare a value is as long as it lasts, by five ways of which the
 * past gives a distribution ({@link Tail#rarity()}): its distance from the band of the time of the
 * week, from that band moved to where the last values were, and from the slow level alone, how much
 * the last values jump about (as Numenta's anomaly likelihood looks at a short mean of prediction
 * errors; Lavin and Ahmad, ICMLA 2015), and how far the mean of the last two hours has moved. They
 * become one: part the largest, part their sum.
 *
 * <p>The constants were fitted on the development halves of public labelled series;
 * docs/accuracy.md says which and what it gives on the other half. Those of the novelty are round
 * numbers in the middle of wide ranges that give the same, and the seven ways count alike. Nothing
 * depends on anything but the values; not thread-safe. About 14 KB for a series.
 */
public final class StreamScore {

  /** The level follows with this many values. */
  private static final double LEVEL = 705;

  /** Days after which an hour of the day counts half, and weeks for an hour of the week. */
  private static final double HALF_DAYS = 2;

  private static final double HALF_WEEKS = 0.7;

  /** Hours of the day and of the week follow with this many hours' worth of values. */
  private static final double HOURS_REMEMBERED = 13.3;

  /** What is learned from a value is limited to this many usual deviations, or twice as many. */
  private static final double CLIP = 4;

  /** Values the short-term level follows with. */
  private static final double RECENT = 13;

  /** Values of the mean that shows how much the last values jump about. */
  private static final double RESTLESS = 5.5;

  /** Values of the mean that shows what goes on: two hours. */
  private static final double SUSTAINED = 25;

  /** Weights: against the recent level, the band, the slow level, restlessness, sustained. */
  private static final double[] WEIGHTS = {1, 0.292, 0.1, 0.809, 1.287};

  /** Share of the sum against the largest. */
  private static final double SUM = 0.43;

  /** A deviation is at least this share of the level, else the last digit would be unusual. */
  private static final double LEAST_DEVIATION = 0.001;

  /** More decades than this are no more surprising, and would hide all that comes after. */
  private static final double MOST_DECADES = 9;

  /** Of the spreads beyond a learned band, each decade counts as this many of rank or novelty. */
  private static final double DECADE_BEYOND = 2;

  /** In the surprise that goes on, each decade of size counts as this many of rank. */
  private static final double DECADE_OF_SIZE = 2;

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
  private final Tail recent = Tail.both();
  private final Tail band = Tail.both();
  private final Tail slow = Tail.both();
  private final Tail restless = Tail.both();
  private final Tail sustained = Tail.both();
  private final Patterns values = new Patterns(4, 1, 1);
  private final Patterns hours = new Patterns(4, 4, 3);
  private final Patterns deviations = new Patterns(2, 1, 1);
  private final Patterns course = new Patterns(4, 4, 1);
  private final Patterns moves = new Patterns(1, 12, 1);
  private final Range range = new Range();
  private final Range ofDeviations = new Range();
  private final Habits habits = new Habits();
  private final float[] ofDay = new float[DAY];
  private final float[] ofWeek = new float[WeekSlots.SLOTS];
  private final float[] seenOfDay = new float[DAY];
  private final float[] seenOfWeek = new float[WeekSlots.SLOTS];
  private int count;
  private long last;
  private double perHour = 12;
  private double level;
  private double shortTerm;
  private double jumps;
  private double usualJumps;
  private double moved;
  private double first;
  private double previous;
  private double told;
  private double novelty;
  private double surprise;
  private double rareness;

  /**
   * @param slots which hour of the week a time is
   */
  public StreamScore(WeekSlots slots) {
    this.slots = slots;
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
    if (Double.isNaN(value)) {
      novelty = Double.NaN;
      surprise = Double.NaN;
      rareness = Double.NaN;
      return Double.NaN;
    }
    count++;
    if (count == 1) {
      level = value;
      first = value;
      previous = value;
    } else if (seconds > last) {
      double rate = Math.min(60, 3600.0 / (seconds - last));
      perHour += Math.max(0.01, 1.0 / count) * (rate - perHour);
    }
    last = seconds;
    long epochHour = Math.floorDiv(seconds, 3600L);
    int slot = slots.slot(epochHour);

    double ofLevel = value - level;
    double ofHour = ofLevel - between(seconds, ofDay, seenOfDay, HALF_DAYS);
    double ofBand = ofHour - between(seconds, ofWeek, seenOfWeek, HALF_WEEKS);
    double least = LEAST_DEVIATION * Math.abs(level) + 1e-9;

    recent.next(ofBand - shortTerm, least);
    band.next(ofBand, least);
    slow.next(ofLevel, least);
    jumps += (Math.min(4, Math.log1p(recent.deviations)) - jumps) / Math.min(count, RESTLESS);
    restless.next(jumps - usualJumps, 0.02);
    usualJumps += (jumps - usualJumps) / Math.min(count, Tail.SCALE);
    double most = 2 * CLIP * Math.max(band.scale, least);
    moved += (limit(ofBand, 0, most) - moved) / Math.min(count, SUSTAINED);
    sustained.next(moved, least);

    double ofRecent = recent.rarity();
    double ofSlow = slow.rarity();
    double rank = rank(ofRecent, ofSlow);
    double decades = DECADE_BEYOND * Math.log10(1 + beyond);
    double far = Math.log10(1 + recent.deviations) + Math.log10(1 + slow.deviations);
    surprise = rank + decades + DECADE_OF_SIZE * Math.log10(1 + recent.deviations);
    rareness = ofRecent + ofSlow + far + surprise / 2;
    double news = news(value, ofBand) + decades;
    double usual = habits.usual(epochHour, slot % DAY, news);
    novelty = count > FEWEST ? Math.max(0, news - usual) : 0;

    learn(value, slot, ofLevel, ofHour, ofBand, least);
    return tell();
  }

  /**
   * How new the last value was, whether or not it was reported before: decades summed over the ways
   * of looking at it, and two for each decade of spreads beyond the learned bounds, less what is
   * usual for the series at this time of the day. 0 or more, 0 for the first 50 values; NaN if the
   * value was NaN.
   */
  public double novelty() {
    return novelty;
  }

  /**
   * How unusual the last value was, whether or not it was reported before: decades of rareness, and
   * of its distance from where the last values were in usual deviations. For telling how long
   * something goes on and for comparing series. NaN if it was NaN.
   */
  public double surprise() {
    return surprise;
  }

  /**
   * How far off the last value was, to be summed over the metrics of an object ({@link
   * ObjectScore}): decades of rareness and of distance, from its slow level and from where the last
   * values were, and half the {@link #surprise()}. The time of day weighs little in it. 0 or more;
   * NaN if the value was NaN.
   */
  public double rareness() {
    return rareness;
  }

  private double rank(double ofRecent, double ofSlow) {
    double ofJumps = jumps < usualJumps ? 0 : restless.rarity();
    double[] ways = {ofRecent, band.rarity(), ofSlow, ofJumps, sustained.rarity()};
    double largest = 0;
    double sum = 0;
    for (int i = 0; i < ways.length; i++) {
      double weighed = WEIGHTS[i] * ways[i];
      largest = Math.max(largest, weighed);
      sum += weighed;
    }
    return Math.min(MOST_DECADES, (1 - SUM) * largest + SUM * sum / 2);
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
            + slow.novelty()
            + sustained.novelty();
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

  private void learn(
      double value, int slot, double ofLevel, double ofHour, double ofBand, double least) {
    double limit = count < 50 ? Double.MAX_VALUE : CLIP * Math.max(band.scale, least);
    int hour = slot % DAY;
    double remembered = HOURS_REMEMBERED * perHour;
    seenOfDay[hour]++;
    seenOfWeek[slot]++;
    ofDay[hour] +=
        (float)
            (Math.max(1 / seenOfDay[hour], 1 / remembered)
                * (limit(ofLevel, ofDay[hour], 2 * limit) - ofDay[hour]));
    ofWeek[slot] +=
        (float)
            (Math.max(1 / seenOfWeek[slot], 1 / remembered)
                * (limit(ofHour, ofWeek[slot], 2 * limit) - ofWeek[slot]));
    level += (limit(value, level, 3 * limit) - level) / Math.min(count, LEVEL);
    shortTerm += (ofBand - shortTerm) / Math.min(count, RECENT);
  }

  private static double limit(double value, double middle, double by) {
    return Math.max(middle - by, Math.min(middle + by, value));
  }

  /**
   * A deviation at a time, between the middles of two hours, shrunk by how often they were seen.
   */
  private double between(long seconds, float[] deviations, float[] seen, double half) {
    double at = seconds / 3600.0 - 0.5;
    long hour = (long) Math.floor(at);
    double part = at - hour;
    int a = slots.slot(hour) % deviations.length;
    int b = slots.slot(hour + 1) % deviations.length;
    return (1 - part) * shrunk(deviations[a], seen[a], half)
        + part * shrunk(deviations[b], seen[b], half);
  }

  private double shrunk(double deviation, double seen, double half) {
    double times = seen / Math.max(0.01, perHour);
    return deviation * times / (times + half);
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
