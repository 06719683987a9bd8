package io.peerlens.store;

import com.datadoghq.sketch.ddsketch.mapping.IndexMapping;
import com.datadoghq.sketch.ddsketch.mapping.LogarithmicMapping;
import com.datadoghq.sketch.ddsketch.store.Bin;
import com.datadoghq.sketch.ddsketch.store.CollapsingLowestDenseStore;
import com.datadoghq.sketch.ddsketch.store.Store;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Sketch of many values, from which percentiles are read: how many lie in each bin, where a bin is
 * 2 % wide. So a value that is read is within {@link #RELATIVE_ERROR} of the one with that rank,
 * and sketches of parts are merged without a further error. Negative values have bins of their own,
 * and zeros are counted.
 *
 * <p>The bins and their stores are those of DDSketch (Masson, Rim, Lee: DDSketch, PVLDB 12, 2019).
 * Each sign has at most {@link #MOST_BINS} bins, which span 17 powers of ten; what is nearer to
 * zero counts in the lowest of them, so it is off by less than the last digit of the largest value.
 *
 * <p>Not thread-safe.
 */
public final class ValueSketch {

  /** How far a value may be from the one with that rank, as a part of it. */
  public static final double RELATIVE_ERROR = 0.01;

  static final int MOST_BINS = 2048;

  private static final IndexMapping MAPPING = new LogarithmicMapping(RELATIVE_ERROR);

  private final BitReader reader = new BitReader();
  private @Nullable Store positive;
  private @Nullable Store negative;
  private long zeros;
  private long count;
  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;

  /** The bin of a value that is not zero, by its size; see {@link #isZero}. */
  static int bin(double value) {
    return MAPPING.index(Math.min(Math.abs(value), MAPPING.maxIndexableValue()));
  }

  /** Whether a value counts as zero: it is, or has no bin since it is next to the least double. */
  static boolean isZero(double value) {
    return Math.abs(value) < MAPPING.minIndexableValue();
  }

  /**
   * Adds a value so many times.
   *
   * @param value not NaN
   * @param times at least 1
   */
  public void add(double value, long times) {
    if (isZero(value)) {
      zeros += times;
    } else if (value > 0) {
      positive().add(bin(value), (double) times);
    } else {
      negative().add(bin(value), (double) times);
    }
    count += times;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }

  /**
   * Merges a stored sketch.
   *
   * @param min least of its values
   * @param max greatest of its values
   * @throws IllegalArgumentException if the bytes are no sketch
   */
  public void add(byte[] stored, double min, double max) {
    reader.begin(stored);
    if (reader.number() != PackedSketch.VERSION) {
      throw new IllegalArgumentException("A sketch of another version than this program reads");
    }
    long zeros = reader.number() - 1;
    this.zeros += zeros;
    count += zeros;
    addBins(false);
    addBins(true);
    this.min = Math.min(this.min, min);
    this.max = Math.max(this.max, max);
  }

  private void addBins(boolean below) {
    long bins = reader.number() - 1;
    if (bins == 0) {
      return;
    }
    Store store = below ? negative() : positive();
    int bin = PackedSketch.unfold(reader.number() - 1);
    for (long i = 0; i < bins; i++) {
      if (i > 0) {
        bin = Math.toIntExact(bin + reader.number());
      }
      long here = reader.number();
      store.add(bin, (double) here);
      count += here;
    }
  }

  /** Number of values. */
  public long count() {
    return count;
  }

  /**
   * The value of a rank in ascending order, within {@link #RELATIVE_ERROR}. The first and the last
   * are the least and the greatest value, and no other one is beyond these.
   *
   * @param rank 1 to {@link #count}
   */
  public double atRank(long rank) {
    if (rank < 1 || rank > count) {
      throw new IllegalArgumentException("Rank " + rank + " of " + count + " values");
    }
    if (rank == 1) {
      return min;
    }
    return rank == count ? max : Math.clamp(ofBins(rank), min, max);
  }

  private double ofBins(long rank) {
    double below = 0;
    if (negative != null) {
      Iterator<Bin> bins = negative.getDescendingIterator();
      while (bins.hasNext()) {
        Bin bin = bins.next();
        below += bin.getCount();
        if (below >= rank) {
          return -MAPPING.value(bin.getIndex());
        }
      }
    }
    below += zeros;
    if (below >= rank) {
      return 0;
    }
    if (positive != null) {
      Iterator<Bin> bins = positive.getAscendingIterator();
      while (bins.hasNext()) {
        Bin bin = bins.next();
        below += bin.getCount();
        if (below >= rank) {
          return MAPPING.value(bin.getIndex());
        }
      }
    }
    return max;
  }

  private Store positive() {
    if (positive == null) {
      positive = new CollapsingLowestDenseStore(MOST_BINS);
    }
    return positive;
  }

  private Store negative() {
    if (negative == null) {
      negative = new CollapsingLowestDenseStore(MOST_BINS);
    }
    return negative;
  }
}
