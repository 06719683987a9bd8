package io.peerlens.baselines;

import java.util.Arrays;

/**
 * Anomaly score of each value of one series, from the values before it alone. Meant for series of
 * five minutes; works by values, not by time, but for the time of the week.
 *
 * <p>A value is looked at in five ways: how far it is from what is usual at this time of the week
 * (a level, and deviations of each hour of the day and of the week that count more the more often
 * the hour was seen: shrinkage), from the slow level alone, from that band moved to where the last
 * values were, how much the last values jump about (as Numenta's anomaly likelihood looks at a
 * short mean of prediction errors; Lavin and Ahmad, ICMLA 2015), and how far the mean of the last
 * two hours has moved. For each way the past gives a distribution, kept as a histogram that fades;
 * the surprise is how many decades of it lie beyond, upwards and downwards apart. Beyond all of the
 * past it goes on as if the tail were a power law (Pickands, 1975; as in Siffer et al., Anomaly
 * Detection in Streams with Extreme Value Theory, KDD 2017). So a spike in a series that spikes is
 * nothing, and no assumption of a normal distribution is made. The surprises become one: part the
 * largest, part their sum.
 *
 * <p>What was reported is not reported again: for about a day a value has to be more surprising
 * than the last that was reported, the longer ago the less. A new level is so reported when it
 * comes and then learned.
 *
 * <p>The constants were fitted on the development half of public labelled series; docs/accuracy.md
 * says which and what it gives on the other half. Nothing depends on anything but the values; not
 * thread-safe. About 6 KB for a series.
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

  /** Of the spreads beyond a learned band, each decade counts as this many of rank. */
  private static final double DECADE_BEYOND = 2;

  /** In the surprise that goes on, each decade of size counts as this many of rank. */
  private static final double DECADE_OF_SIZE = 2;

  /** Values after which a report is forgotten to 1/e: a day. */
  private static final double TOLD = 300;

  /**
   * Something is reported again only if it is more surprising than this times what was reported.
   */
  private static final double AGAIN = 1.55;

  /** Surprise left of what was reported already. */
  private static final double REPEATED = 0.2;

  /** A score of a half: about once in this many decades of values. */
  private static final double HALF_SCORE = 4;

  /** Values before there is any score. */
  private static final int FEWEST = 20;

  private static final int DAY = 24;

  private final WeekSlots slots;
  private final Tail recent = new Tail();
  private final Tail band = new Tail();
  private final Tail slow = new Tail();
  private final Tail restless = new Tail();
  private final Tail sustained = new Tail();
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
  private double told;
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
   * @return 0 (usual) to 1, low for what was reported already; NaN for NaN
   */
  public double next(long seconds, double value, double beyond) {
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
    long epochHour = Math.floorDiv(seconds, 3600L);
    int slot = slots.slot(epochHour);

    double ofLevel = value - level;
    double ofHour = ofLevel - between(seconds, ofDay, seenOfDay, HALF_DAYS);
    double ofBand = ofHour - between(seconds, ofWeek, seenOfWeek, HALF_WEEKS);
    double least = LEAST_DEVIATION * Math.abs(level) + 1e-9;

    double[] weights = WEIGHTS;
    double ofRecent = recent.surprise(ofBand - shortTerm, least);
    double ofSlow = slow.surprise(ofLevel, least);
    double far = Math.log10(1 + recent.deviations) + Math.log10(1 + slow.deviations);
    double first = weights[0] * ofRecent;
    double second = weights[1] * band.surprise(ofBand, least);
    double third = weights[2] * ofSlow;
    jumps += (Math.min(4, Math.log1p(recent.deviations)) - jumps) / Math.min(count, RESTLESS);
    double fourth = weights[3] * restless.surprise(jumps - usualJumps, 0.02);
    usualJumps += (jumps - usualJumps) / Math.min(count, Tail.SCALE);
    if (jumps < usualJumps) {
      fourth = 0;
    }
    double most = 2 * CLIP * Math.max(band.scale, least);
    moved += (limit(ofBand, 0, most) - moved) / Math.min(count, SUSTAINED);
    double fifth = weights[4] * sustained.surprise(moved, least);
    double largest = Math.max(Math.max(Math.max(first, second), Math.max(third, fourth)), fifth);
    double sum = first + second + third + fourth + fifth;
    double rank = Math.min(MOST_DECADES, (1 - SUM) * largest + SUM * sum / 2);

    learn(value, slot, ofLevel, ofHour, ofBand, least);
    double score = tell(rank, DECADE_BEYOND * Math.log10(1 + beyond));
    rareness = ofRecent + ofSlow + far + surprise / 2;
    return score;
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

  private double tell(double rank, double beyond) {
    surprise = rank + beyond + DECADE_OF_SIZE * Math.log10(1 + recent.deviations);
    double now;
    if (rank > told) {
      now = rank + beyond;
      told = AGAIN * rank;
    } else {
      now = REPEATED * rank + beyond;
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

  /** Fading histogram of the deviations of one kind, upwards and downwards. */
  private static final class Tail {

    /** Values the usual deviation follows with. */
    static final double SCALE = 1454;

    /** After so many values one counts 1/e: two weeks. */
    private static final double FADE = 4248;

    /** Beyond all of the past, twice as far is as rare as 2 to the power of minus this. */
    private static final double POWER = 3.58;

    /** How many values the tail is thought to have had before any. */
    private static final double PRIOR = 1.72;

    /** Four bins for each doubling, from a 256th of the usual deviation on. */
    private static final int BINS = 96;

    private static final int PER_OCTAVE = 4;
    private static final int OF_ONE = 32;
    private static final double LOG2 = Math.log(2);

    private final float[] up = new float[BINS];
    private final float[] down = new float[BINS];
    private double total;

    /** What a value weighs now; grows instead of all others fading. */
    private double weight = 1;

    private double largest;
    private int count;

    /** The mean absolute deviation. */
    double scale;

    /** The last deviation, in usual deviations. */
    double deviations;

    /** How many decades of the past lie beyond a deviation; it is then part of the past. */
    double surprise(double deviation, double least) {
      double size = Math.abs(deviation);
      deviations = size / Math.max(scale, least);
      int bin =
          deviations <= 0
              ? -1
              : Math.min(
                  BINS - 1, (int) Math.floor(PER_OCTAVE * Math.log(deviations) / LOG2) + OF_ONE);
      float[] side = deviation >= 0 ? up : down;
      double decades = count > FEWEST ? decades(side, bin) : 0;
      count++;
      double usual = count > 50 && scale > 0 ? Math.min(size, 2 * CLIP * scale) : size;
      scale += Math.max(1.0 / count, 1 / SCALE) * (usual - scale);
      if (bin >= 0) {
        side[bin] += (float) weight;
      }
      total += weight;
      weight *= 1 + 1 / FADE;
      largest = Math.max(largest * (1 - 1 / FADE), deviations);
      if (weight > 1e20) {
        rescale();
      }
      return decades;
    }

    private double decades(float[] side, int bin) {
      double beyond = total / 2;
      if (bin >= 0) {
        beyond = side[bin] / 2.0;
        for (int i = bin + 1; i < BINS; i++) {
          beyond += side[i];
        }
      }
      double share = (beyond / weight + PRIOR / 2) / (total / weight + PRIOR);
      double decades = -Math.log10(share);
      double past = Math.max(largest, 1e-3);
      return deviations > past ? decades + POWER * Math.log10(deviations / past) : decades;
    }

    private void rescale() {
      for (float[] side : Arrays.asList(up, down)) {
        for (int i = 0; i < BINS; i++) {
          side[i] = (float) (side[i] / weight);
        }
      }
      total /= weight;
      weight = 1;
    }
  }
}
