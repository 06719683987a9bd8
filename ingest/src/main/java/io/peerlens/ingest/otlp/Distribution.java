package io.peerlens.ingest.otlp;

import java.util.Arrays;

/**
 * The last state of a histogram, from which the next point's interval is told: how many values came
 * since then, their sum, and how they were distributed. Without garbage for a distribution that
 * keeps its form.
 */
public final class Distribution {

  /** A distribution that rests for longer than this starts anew. */
  private static final long MAX_GAP_NANOS = 3_600_000_000_000L;

  /** With more buckets than these only counts and sums are told. */
  static final int MAX_BUCKETS = 400;

  private boolean known;
  private long lastTime;
  private long lastCount;
  private double lastSum;
  private boolean lastHasSum;

  // Buckets from the lowest values to the highest, as last told.
  private long[] last = {};
  private int lastSize;
  private double[] lastBounds = {};
  private int lastScale;
  private int lastPositiveOffset;
  private int lastPositiveSize;
  private int lastNegativeOffset;
  private int lastNegativeSize;

  // The interval: counts of buckets, with the borders of each.
  private long[] counts = {};
  private double[] lower = {};
  private double[] upper = {};
  private int size;
  private double seconds;
  private long count;
  private double sum;
  private boolean hasSum;
  private boolean exponential;
  private double least;
  private double most;

  /** Forgets what was last told, so that the next point only begins an interval. */
  public void forget() {
    known = false;
  }

  /**
   * Takes a point and works out the interval that ends with it.
   *
   * @return whether there is one: not for the first cumulative point, for one out of order, or
   *     after a long gap
   */
  public boolean take(Point point, boolean isExponential, boolean delta) {
    if (point.count < 0) {
      return false;
    }
    exponential = isExponential;
    boolean interval = delta ? delta(point) : cumulative(point);
    if (interval) {
      least = delta && point.hasMin ? point.min : Double.NaN;
      most = delta && point.hasMax ? point.max : Double.NaN;
    }
    return interval;
  }

  private boolean delta(Point point) {
    long from =
        point.startNanos != 0 && point.startNanos < point.timeNanos
            ? point.startNanos
            : known ? lastTime : 0;
    boolean usable = from != 0 && point.timeNanos > from;
    if (!known || point.timeNanos > lastTime) {
      lastTime = point.timeNanos;
      known = true;
    }
    if (!usable) {
      return false;
    }
    begin(point, (point.timeNanos - from) / 1e9);
    count = point.count;
    sum = point.sum;
    hasSum = point.hasSum;
    buckets(point);
    return true;
  }

  private boolean cumulative(Point point) {
    if (known && point.timeNanos <= lastTime) {
      return false;
    }
    boolean tellsStart = point.startNanos != 0 && point.startNanos < point.timeNanos;
    boolean fresh = known && tellsStart && point.startNanos > lastTime;
    boolean usable = known && point.timeNanos - lastTime <= MAX_GAP_NANOS;
    if (usable) {
      begin(point, (point.timeNanos - (fresh ? point.startNanos : lastTime)) / 1e9);
      count = point.count;
      sum = point.sum;
      hasSum = point.hasSum;
      buckets(point);
      if (!fresh) {
        usable = subtract(point);
      }
    }
    remember(point);
    return usable;
  }

  private void begin(Point point, double interval) {
    seconds = interval;
    size = 0;
    int most = point.buckets.size + point.negative.size + 1;
    if (counts.length < most && most <= MAX_BUCKETS) {
      counts = new long[most];
      lower = new double[most];
      upper = new double[most];
    }
  }

  /** The point's buckets from the lowest to the highest, when they are well-formed and few. */
  private void buckets(Point point) {
    size = 0;
    if (point.buckets.size + point.negative.size + 1 > MAX_BUCKETS) {
      return;
    }
    if (!exponential) {
      explicit(point);
      return;
    }
    for (int i = point.negative.size - 1; i >= 0; i--) {
      long index = (long) point.negative.offset + i;
      add(point.negative.counts[i], -border(index + 1, point.scale), -border(index, point.scale));
    }
    add(point.zeroCount, -point.zeroThreshold, point.zeroThreshold);
    for (int i = 0; i < point.buckets.size; i++) {
      long index = (long) point.buckets.offset + i;
      add(point.buckets.counts[i], border(index, point.scale), border(index + 1, point.scale));
    }
  }

  private void explicit(Point point) {
    if (point.buckets.size != point.boundsSize + 1 || point.boundsSize == 0) {
      return;
    }
    for (int i = 0; i < point.buckets.size; i++) {
      double to = i < point.boundsSize ? point.bounds[i] : point.bounds[point.boundsSize - 1];
      double from = i > 0 ? point.bounds[i - 1] : Math.min(0, to);
      add(point.buckets.counts[i], from, to);
    }
  }

  private void add(long many, double from, double to) {
    counts[size] = many;
    lower[size] = from;
    upper[size++] = to;
  }

  /** The lower border of a bucket of an exponential histogram: 2^(index / 2^scale). */
  static double border(long index, int scale) {
    return Math.pow(2, index * Math.pow(2, -scale));
  }

  /** Takes off what was counted before; says whether the rest is an interval. */
  private boolean subtract(Point point) {
    if (point.count < lastCount) {
      return false; // it was reset, and nobody knows when
    }
    boolean comparable = size > 0 && lastSize > 0;
    if (comparable) {
      comparable = exponential ? subtractExponential(point) : subtractExplicit(point);
    }
    if (!comparable) {
      size = 0;
    }
    count = point.count - lastCount;
    hasSum = point.hasSum && lastHasSum;
    sum = point.sum - lastSum;
    return true;
  }

  private boolean subtractExplicit(Point point) {
    if (lastSize != size
        || !Arrays.equals(lastBounds, 0, point.boundsSize, point.bounds, 0, point.boundsSize)) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      counts[i] -= last[i];
      if (counts[i] < 0) {
        return false;
      }
    }
    return true;
  }

  /** Buckets only get coarser, and more, so each of the last ones lies in one of these. */
  private boolean subtractExponential(Point point) {
    int coarser = lastScale - point.scale;
    if (coarser < 0 || coarser > 31) {
      return false;
    }
    int zero = point.negative.size;
    for (int i = 0; i < lastNegativeSize; i++) {
      long index = ((long) lastNegativeOffset + i) >> coarser;
      long place = zero - 1 - (index - point.negative.offset);
      if (!take(last[lastNegativeSize - 1 - i], place, 0, zero)) {
        return false;
      }
    }
    if (!take(last[lastNegativeSize], zero, zero, zero + 1)) {
      return false;
    }
    for (int i = 0; i < lastPositiveSize; i++) {
      long index = ((long) lastPositiveOffset + i) >> coarser;
      long place = zero + 1 + (index - point.buckets.offset);
      if (!take(last[lastNegativeSize + 1 + i], place, zero + 1, size)) {
        return false;
      }
    }
    return true;
  }

  private boolean take(long many, long place, int from, int to) {
    if (many == 0) {
      return true;
    }
    if (place < from || place >= to) {
      return false;
    }
    counts[(int) place] -= many;
    // A finer bucket may have been taken off already; below zero is known at the end only.
    return counts[(int) place] >= 0;
  }

  private void remember(Point point) {
    known = true;
    lastTime = point.timeNanos;
    lastCount = point.count;
    lastSum = point.sum;
    lastHasSum = point.hasSum;
    int all = exponential ? point.buckets.size + point.negative.size + 1 : point.buckets.size;
    if (all > MAX_BUCKETS || all == 0) {
      lastSize = 0;
      return;
    }
    if (last.length < all) {
      last = new long[all];
    }
    lastSize = all;
    if (exponential) {
      int at = 0;
      for (int i = point.negative.size - 1; i >= 0; i--) {
        last[at++] = point.negative.counts[i];
      }
      last[at++] = point.zeroCount;
      System.arraycopy(point.buckets.counts, 0, last, at, point.buckets.size);
      lastScale = point.scale;
      lastPositiveOffset = point.buckets.offset;
      lastPositiveSize = point.buckets.size;
      lastNegativeOffset = point.negative.offset;
      lastNegativeSize = point.negative.size;
    } else {
      System.arraycopy(point.buckets.counts, 0, last, 0, all);
      if (lastBounds.length < point.boundsSize) {
        lastBounds = new double[point.boundsSize];
      }
      System.arraycopy(point.bounds, 0, lastBounds, 0, point.boundsSize);
    }
  }

  /** Values for each second of the interval. */
  public double countRate() {
    return count / seconds;
  }

  /** Mean of the interval's values; NaN = not known. */
  public double mean() {
    return hasSum && count > 0 ? sum / count : Double.NaN;
  }

  /** The least value of the interval; NaN = not known. */
  public double least() {
    return count > 0 ? least : Double.NaN;
  }

  /** The greatest value of the interval; NaN = not known. */
  public double most() {
    return count > 0 ? most : Double.NaN;
  }

  /**
   * The value below which a part of the interval's values lies, as far as buckets tell: linear
   * within an explicit bucket as Prometheus does, the geometric middle of an exponential one.
   *
   * @param part from 0 to 1
   * @return NaN = not known
   */
  public double quantile(double part) {
    long all = 0;
    for (int i = 0; i < size; i++) {
      if (counts[i] < 0) {
        return Double.NaN;
      }
      all += counts[i];
    }
    if (all <= 0) {
      return Double.NaN;
    }
    double rank = part * all;
    long below = 0;
    for (int i = 0; i < size; i++) {
      if (counts[i] > 0 && below + counts[i] >= rank) {
        return clamped(within(i, (rank - below) / counts[i]));
      }
      below += counts[i];
    }
    return Double.NaN;
  }

  private double within(int bucket, double part) {
    double from = lower[bucket];
    double to = upper[bucket];
    if (exponential) {
      return from > 0
          ? Math.sqrt(from) * Math.sqrt(to)
          : to < 0 ? -Math.sqrt(-from) * Math.sqrt(-to) : 0;
    }
    return from + (to - from) * part;
  }

  private double clamped(double value) {
    double top = most >= value || Double.isNaN(most) ? value : most;
    return least > top ? least : top;
  }
}
