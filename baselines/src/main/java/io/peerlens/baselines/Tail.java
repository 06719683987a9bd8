package io.peerlens.baselines;

import java.util.Arrays;

/**
 * Fading histogram of the deviations of one kind, upwards and downwards: how rare a deviation is in
 * its own past, and how new. Nothing is assumed about the distribution but for what lies beyond all
 * of the past, which is taken for the tail of a power law (Pickands, 1975; used on streams by
 * Siffer et al., Anomaly Detection in Streams with Extreme Value Theory, KDD 2017).
 *
 * <p>Rare is a share of the past: once in so many decades of values, as often in the tenth week as
 * in the first. New is a count: what happened a few times in all. Of a series that never changes
 * its ways there are ever fewer new values, but as many rare ones as before.
 */
final class Tail {

  /** Values the usual deviation follows with. */
  static final double SCALE = 1454;

  /** After so many values a deviation counts 1/e: two weeks. */
  private static final double FADE = 4248;

  /** And a distance: eight weeks. */
  private static final double FADE_OF_DISTANCES = 16_128;

  /** Beyond all of the past, twice as far is as rare as 2 to the power of minus this. */
  private static final double POWER = 3.58;

  /** How many values the tail is thought to have had before any. */
  private static final double PRIOR = 1.72;

  /** What happened 10 to the power of this times in the past is not new: about 30. */
  private static final double KNOWN = 1.5;

  /** Values before anything is rare or new. */
  private static final int FEWEST = 20;

  /** Values before a far one counts less for the usual deviation. */
  private static final int FEW = 50;

  /** A far value counts in the usual deviation as so many of them. */
  private static final double CLIP = 8;

  /** Four bins for each doubling, from a 256th of the usual deviation on. */
  private static final int BINS = 96;

  private static final int PER_OCTAVE = 4;
  private static final int OF_ONE = 32;
  private static final int NONE = -1;
  private static final double LOG2 = Math.log(2);

  /** Bins that are there from the beginning; few series need more. */
  private static final int FIRST_BINS = 48;

  private final double fade;
  private final boolean both;
  private float[] up = new float[FIRST_BINS];
  private float[] down;
  private double total;

  /** What a value weighs now; grows instead of all others fading. */
  private double weight = 1;

  private double largest;

  /** The last bin with anything in it, of either side. */
  private int highest = -1;

  /**
   * The bin of the first deviation, which is far only because nothing is usual yet: for it alone
   * there need be no further bins. {@link #NONE} when it is among them.
   */
  private int earlyBin = NONE;

  private boolean earlyUp;
  private float earlyWeight;

  private int count;

  /** The mean absolute deviation. */
  double scale;

  /** The last deviation, in usual deviations. */
  double deviations;

  /** How often the like of the last deviation was seen; 0 = nothing can be said yet. */
  private double times;

  /** How many values were seen. */
  private double values;

  /** Decades that the last deviation is beyond all of the past. */
  private double farther;

  /** Whether it was no deviation at all. */
  private boolean none;

  private Tail(boolean both) {
    this.both = both;
    down = both ? new float[FIRST_BINS] : up;
    fade = both ? FADE : FADE_OF_DISTANCES;
  }

  /** Of deviations in two directions. */
  static Tail both() {
    return new Tail(true);
  }

  /** Of distances, which are never below 0. */
  static Tail upwards() {
    return new Tail(false);
  }

  /**
   * Compares a deviation with the past; it is then part of it.
   *
   * @param least the usual deviation is at least this
   */
  void next(double deviation, double least) {
    double size = Math.abs(deviation);
    deviations = size / Math.max(scale, least);
    int bin =
        deviations <= 0
            ? -1
            : Math.min(
                BINS - 1, (int) Math.floor(PER_OCTAVE * Math.log(deviations) / LOG2) + OF_ONE);
    boolean early = bin >= up.length && scale <= least && earlyBin < 0;
    if (bin >= up.length && !early) {
      grow();
    }
    float[] side = deviation >= 0 ? up : down;
    if (count > FEWEST) {
      judge(side, bin);
    }
    count++;
    double usual = count > FEW && scale > 0 ? Math.min(size, CLIP * scale) : size;
    scale += Math.max(1.0 / count, 1 / SCALE) * (usual - scale);
    if (early) {
      earlyBin = bin;
      earlyUp = side == up;
      earlyWeight = (float) weight;
    } else if (bin >= 0) {
      side[bin] += (float) weight;
      highest = Math.max(highest, bin);
    }
    total += weight;
    weight *= 1 + 1 / fade;
    largest = Math.max(largest * (1 - 1 / fade), deviations);
    if (weight > 1e20) {
      rescale();
    }
  }

  private void grow() {
    up = Arrays.copyOf(up, BINS);
    down = both ? Arrays.copyOf(down, BINS) : up;
    if (earlyBin >= 0) {
      (earlyUp ? up : down)[earlyBin] += earlyWeight;
      highest = Math.max(highest, earlyBin);
      earlyBin = NONE;
    }
  }

  private void judge(float[] side, int bin) {
    double beyond = total / 2;
    if (bin >= 0) {
      beyond = bin < side.length ? side[bin] / 2.0 : 0;
      for (int i = bin + 1; i <= highest; i++) {
        beyond += side[i];
      }
      if (earlyBin >= bin && earlyUp == (side == up)) {
        beyond += earlyBin == bin ? earlyWeight / 2.0 : earlyWeight;
      }
    }
    times = beyond / weight + PRIOR / 2;
    values = total / weight + PRIOR;
    double past = Math.max(largest, 1e-3);
    farther = deviations > past ? POWER * Math.log10(deviations / past) : 0;
    none = bin < 0;
  }

  /** How many decades of the past lie beyond the last deviation: 0 or more. */
  double rarity() {
    return times == 0 ? 0 : farther - Math.log10(times / values);
  }

  /**
   * How many decades fewer times than a known one the like of the last deviation happened: 0 to
   * 1.6. How much farther it is than all others makes it no newer.
   */
  double novelty() {
    return times == 0 || none ? 0 : Math.max(0, KNOWN - Math.log10(times));
  }

  private void rescale() {
    earlyWeight = (float) (earlyWeight / weight);
    for (int i = 0; i < up.length; i++) {
      up[i] = (float) (up[i] / weight);
      if (both) {
        down[i] = (float) (down[i] / weight);
      }
    }
    total /= weight;
    weight = 1;
  }
}
