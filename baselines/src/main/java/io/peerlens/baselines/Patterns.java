package io.peerlens.baselines;

/**
 * The shapes that the last values of a series had so far, and how new the shape of the last ones
 * is. A shape is a few means that follow one another, as their mean and differences (Haar, 1910);
 * what was seen are boxes around such shapes. The distance of a shape from the nearest box is
 * compared with the distances of the past ({@link Tail}). A box then grows around the shape, or the
 * shape starts a new one if the box would become too large: adaptive resonance with boxes
 * (Carpenter, Grossberg and Rosen, Fuzzy ART, Neural Networks 4, 1991), here with a bounded number
 * of them.
 */
final class Patterns {

  /** Boxes; the one that was not needed for longest makes room. */
  private static final int MOST = 24;

  /** The sides of a box are on average at most this share of the range of the series. */
  private static final double LARGEST = 0.2;

  /** A distance is usual up to this share of the range. */
  private static final double LEAST = 1e-3;

  private final int parts;
  private final int perPart;
  private final int rows;
  private final float[] low;
  private final float[] high;
  private final int[] needed = new int[MOST];
  private final double[] blocks;
  private final float[] shape;
  private final float[] halved;
  private final Tail distances = Tail.upwards();
  private int boxes;
  private int last;
  private int now;
  private int filled;
  private int at;
  private int inBlock;
  private double sum;
  private double novelty;

  /**
   * @param parts means that a shape has: 1, 2 or 4
   * @param perPart blocks of which each is the mean
   * @param rows values of a block; a shape is looked at after each block
   */
  Patterns(int parts, int perPart, int rows) {
    this.parts = parts;
    this.perPart = perPart;
    this.rows = rows;
    low = new float[MOST * parts];
    high = new float[MOST * parts];
    blocks = new double[parts * perPart];
    shape = new float[parts];
    halved = new float[parts];
  }

  /**
   * How new the shape is that a value completes; between blocks that of the last block.
   *
   * @param range of the series
   * @return decades, see {@link Tail#novelty()}
   */
  double next(double value, double range) {
    sum += value;
    if (++inBlock < rows) {
      return novelty;
    }
    blocks[at] = sum / rows;
    at = at + 1 == blocks.length ? 0 : at + 1;
    sum = 0;
    inBlock = 0;
    filled = Math.min(blocks.length, filled + 1);
    if (filled == blocks.length) {
      shape();
      now++;
      distances.next(distance(range), LEAST);
      novelty = distances.novelty();
    }
    return novelty;
  }

  private void shape() {
    int block = at;
    for (int part = 0; part < parts; part++) {
      double total = 0;
      for (int i = 0; i < perPart; i++) {
        total += blocks[block];
        block = block + 1 == blocks.length ? 0 : block + 1;
      }
      shape[part] = (float) (total / perPart);
    }
    for (int n = parts; n > 1; n /= 2) {
      for (int i = 0; i < n / 2; i++) {
        halved[i] = (shape[2 * i] + shape[2 * i + 1]) / 2;
        halved[n / 2 + i] = (shape[2 * i] - shape[2 * i + 1]) / 2;
      }
      System.arraycopy(halved, 0, shape, 0, n);
    }
  }

  /** From the nearest box, as a share of the range; the shape is in a box then. */
  private double distance(double range) {
    if (boxes == 0) {
      start();
      return 0;
    }
    int nearest = last;
    float least = outside(last, Float.MAX_VALUE);
    for (int box = 0; box < boxes && least > 0; box++) {
      float outside = outside(box, least);
      if (outside < least) {
        least = outside;
        nearest = box;
      }
    }
    double share = parts * range;
    if (least > 0 && (least + sides(nearest)) / share > LARGEST) {
      start();
    } else {
      last = nearest;
      needed[last] = now;
      if (least > 0) {
        grow(last * parts);
      }
    }
    return least / share;
  }

  /** How far the shape is outside of a box, summed over its sides; any more than most will do. */
  private float outside(int box, float most) {
    float sum = 0;
    int from = box * parts;
    for (int i = 0; i < parts && sum < most; i++) {
      float value = shape[i];
      sum += Math.max(0, Math.max(low[from + i] - value, value - high[from + i]));
    }
    return sum;
  }

  private float sides(int box) {
    float sum = 0;
    for (int i = box * parts; i < (box + 1) * parts; i++) {
      sum += high[i] - low[i];
    }
    return sum;
  }

  private void grow(int from) {
    for (int i = 0; i < parts; i++) {
      low[from + i] = Math.min(low[from + i], shape[i]);
      high[from + i] = Math.max(high[from + i], shape[i]);
    }
  }

  private void start() {
    int box = boxes;
    if (boxes < MOST) {
      boxes++;
    } else {
      box = 0;
      for (int i = 1; i < MOST; i++) {
        box = needed[i] < needed[box] ? i : box;
      }
    }
    System.arraycopy(shape, 0, low, box * parts, parts);
    System.arraycopy(shape, 0, high, box * parts, parts);
    needed[box] = now;
    last = box;
  }
}
