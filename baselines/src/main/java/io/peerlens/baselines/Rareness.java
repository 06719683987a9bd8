package io.peerlens.baselines;

/**
 * How rare each value of one series is in its own past. Meant for series of five minutes; works by
 * values, not by time, but for the time of the day and of the week.
 *
 * <p>Deviations are those from what is usual at this time of the week: a level, and deviations of
 * each hour of the day and of the week that count more the more often the hour was seen
 * (shrinkage). Five of them have a distribution of the past ({@link Tail#rarity()}): the distance
 * from the band of the time of the week, from that band moved to where the last values were, and
 * from the slow level alone, how much the last values jump about (as Numenta's anomaly likelihood
 * looks at a short mean of prediction errors; Lavin and Ahmad, ICMLA 2015), and how far the mean of
 * the last two hours has moved.
 *
 * <p>The constants were fitted on the development halves of public labelled series;
 * docs/accuracy.md says which. Nothing depends on anything but the values; not thread-safe. About 4
 * KB for a series.
 */
public final class Rareness {

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

  /** In the surprise that goes on, each decade of size counts as this many of rank. */
  private static final double DECADE_OF_SIZE = 2;

  private static final int DAY = 24;

  private final WeekSlots slots;
  private final Tail recent = Tail.both();
  private final Tail band = Tail.both();
  private final Tail slow = Tail.both();
  private final Tail restless = Tail.both();
  private final Tail sustained = Tail.both();
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
  private double ofBand;
  private double surprise;
  private double rareness;

  /**
   * @param slots which hour of the week a time is
   */
  public Rareness(WeekSlots slots) {
    this.slots = slots;
  }

  /**
   * Compares the next value with the past and learns from it.
   *
   * @param seconds its time since 1970; times ascend
   * @param value NaN is passed over
   * @return how far off the value is, to be summed over the metrics of an object ({@link
   *     ObjectScore}): decades of rareness and of distance, from its slow level and from where the
   *     last values were, and half the {@link #surprise()}. The time of day weighs little in it. 0
   *     or more; NaN for NaN
   */
  public double next(long seconds, double value) {
    if (Double.isNaN(value)) {
      surprise = Double.NaN;
      rareness = Double.NaN;
      return Double.NaN;
    }
    count++;
    if (count == 1) {
      level = value;
    } else if (seconds > last) {
      double rate = Math.min(60, 3600.0 / (seconds - last));
      perHour += Math.max(0.01, 1.0 / count) * (rate - perHour);
    }
    last = seconds;
    int slot = slots.slot(Math.floorDiv(seconds, 3600L));

    double ofLevel = value - level;
    double ofHour = ofLevel - between(seconds, ofDay, seenOfDay, HALF_DAYS);
    ofBand = ofHour - between(seconds, ofWeek, seenOfWeek, HALF_WEEKS);
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
    double far = Math.log10(1 + recent.deviations) + Math.log10(1 + slow.deviations);
    surprise = rank(ofRecent, ofSlow) + DECADE_OF_SIZE * Math.log10(1 + recent.deviations);
    rareness = ofRecent + ofSlow + far + surprise / 2;

    learn(value, slot, ofLevel, ofHour, ofBand, least);
    return rareness;
  }

  /** The same as {@link #next} returned. */
  public double rareness() {
    return rareness;
  }

  /**
   * How unusual the last value was: decades of rareness, and of its distance from where the last
   * values were in usual deviations. For telling how long something goes on and for comparing
   * series. NaN if it was NaN.
   */
  public double surprise() {
    return surprise;
  }

  /** The last deviation from what is usual at that time of the week. */
  double deviation() {
    return ofBand;
  }

  /** Decades by which the distance from the slow level and the move of two hours were new. */
  double novelty() {
    return slow.novelty() + sustained.novelty();
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
}
