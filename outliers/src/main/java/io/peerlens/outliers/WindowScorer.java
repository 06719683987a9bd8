package io.peerlens.outliers;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/** The methods that look at a window of raw values and know nothing else of the past. */
final class WindowScorer implements Scorer {

  /** Rule of one of the methods: fills scores in units of its own threshold. */
  sealed interface Rule {}

  record Dbscan() implements Rule {}

  record Mad(double percent) implements Rule {}

  record BucketDbscan(double sensitivity) implements Rule {}

  record DoubleMad() implements Rule {}

  private static final double FLOOR = 0.4;

  private final Rule rule;
  private final int window;
  private final Settings.Metric metric;
  private final Scale scale;
  private int members;

  /** The transformed values of the last buckets, a row for each bucket number modulo the window. */
  private double[] ring;

  /** The least and the largest value of each row of the ring; infinite if it has none. */
  private final double[] least;

  private final double[] most;

  private long last = Long.MIN_VALUE;
  private double[] pool = new double[0];
  private double[] work = new double[0];

  WindowScorer(Rule rule, int window, Settings.Metric metric, int members) {
    this.rule = rule;
    this.window = window;
    this.metric = metric;
    this.members = members;
    scale = metric.transform() == Transform.LOG ? new Scale(metric.unitFloor()) : Scale.LINEAR;
    ring = new double[window * members];
    Arrays.fill(ring, Double.NaN);
    least = new double[window];
    most = new double[window];
    spans();
  }

  private void spans() {
    for (int w = 0; w < window; w++) {
      span(w);
    }
  }

  private void span(int w) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int k = w * members; k < (w + 1) * members; k++) {
      low = ring[k] < low ? ring[k] : low;
      high = ring[k] > high ? ring[k] : high;
    }
    least[w] = low;
    most[w] = high;
  }

  @Override
  public void members(int[] from) {
    double[] next = new double[window * from.length];
    Arrays.fill(next, Double.NaN);
    for (int w = 0; w < window; w++) {
      for (int i = 0; i < from.length; i++) {
        if (from[i] >= 0) {
          next[w * from.length + i] = ring[w * members + from[i]];
        }
      }
    }
    ring = next;
    members = from.length;
    spans();
  }

  @Override
  public void score(long bucket, double[] values, boolean[] expected, Judgement.Column to) {
    forget(bucket);
    int at = (int) Math.floorMod(bucket, (long) window);
    int row = at * members;
    double[] now = new double[members];
    int n = 0;
    for (int i = 0; i < members; i++) {
      double y = scale.of(values[i]);
      ring[row + i] = y;
      if (!Double.isNaN(y)) {
        now[n++] = y;
      }
    }
    span(at);
    to.scale = scale;
    if (n < 3) {
      to.state = n == 0 ? GroupState.NO_DATA : GroupState.TOO_FEW;
      return;
    }
    to.state = GroupState.JUDGED;
    to.judged = n;
    to.centre = Robust.median(now, n);
    switch (rule) {
      case Dbscan d -> dbscan(row, to);
      case Mad m -> mad(row, m.percent(), to);
      case BucketDbscan b -> bucketDbscan(row, now, n, b.sensitivity(), to);
      case DoubleMad d -> doubleMad(row, to);
    }
    for (int i = 0; i < members; i++) {
      double y = ring[row + i];
      if (Double.isNaN(y)) {
        continue;
      }
      to.ratio[i] =
          metric.minDeviation() > 0
              ? Math.abs(values[i] - scale.back(to.expected[i])) / metric.minDeviation()
              : Double.POSITIVE_INFINITY;
    }
  }

  /** No scale is smaller: members that are nearly equal are not told apart by their last digits. */
  private double floor(double centre) {
    return Math.max(FLOOR * metric.minDeviation(), 1e-9 * Math.max(1, Math.abs(centre)));
  }

  /** Empties the rows of buckets that did not come. */
  private void forget(long bucket) {
    if (last != Long.MIN_VALUE) {
      long missed = Math.min(bucket - last - 1, window);
      for (long b = bucket - missed; b < bucket; b++) {
        int at = (int) Math.floorMod(b, (long) window);
        Arrays.fill(ring, at * members, (at + 1) * members, Double.NaN);
        span(at);
      }
    }
    last = bucket;
  }

  /**
   * A member's score is the tolerance from which on it would belong to the main cluster: the widest
   * step on the best chain of neighbours that links it with the member nearest to the reference
   * (found as Prim's algorithm grows a minimum spanning tree), divided by the base.
   */
  private void dbscan(int row, Judgement.Column to) {
    double[] reference = new double[window];
    double[] column = new double[members];
    for (int w = 0; w < window; w++) {
      int n = 0;
      for (int i = 0; i < members; i++) {
        double y = ring[w * members + i];
        if (!Double.isNaN(y)) {
          column[n++] = y;
        }
      }
      reference[w] = Robust.median(column, n);
    }
    double[] distance = new double[members];
    int n = 0;
    int root = -1;
    for (int i = 0; i < members; i++) {
      if (Double.isNaN(ring[row + i])) {
        distance[i] = Double.NaN;
        continue;
      }
      double sum = 0;
      for (int w = 0; w < window; w++) {
        double d = ring[w * members + i] - reference[w];
        sum += Double.isNaN(d) ? 0 : d * d;
      }
      distance[i] = Math.sqrt(sum);
      column[n++] = distance[i];
      // Of two that are as near, the lower one: the order of members must not matter.
      if (root < 0
          || distance[i] < distance[root]
          || (distance[i] == distance[root] && ring[row + i] < ring[row + root])) {
        root = i;
      }
    }
    double base = Math.max(Robust.median(column, n), floor(to.centre) * Math.sqrt(window));
    double[] step = new double[members];
    boolean[] in = new boolean[members];
    Arrays.fill(step, Double.POSITIVE_INFINITY);
    double widest = 0;
    step[root] = 0;
    for (int k = 0; k < n; k++) {
      int next = -1;
      for (int i = 0; i < members; i++) {
        if (!in[i] && !Double.isNaN(distance[i]) && (next < 0 || step[i] < step[next])) {
          next = i;
        }
      }
      in[next] = true;
      widest = Math.max(widest, step[next]);
      put(to, row, next, to.centre, base / Math.sqrt(window), widest / base);
      for (int i = 0; i < members; i++) {
        if (!in[i] && !Double.isNaN(distance[i])) {
          double sum = 0;
          for (int w = 0; w < window; w++) {
            double d = ring[w * members + i] - ring[w * members + next];
            sum += Double.isNaN(d) ? 0 : d * d;
          }
          step[i] = Math.min(step[i], Math.sqrt(sum));
        }
      }
    }
    to.spread = base / Math.sqrt(window);
  }

  /** The score is the deviation in MADs that more than the given part of the values exceed. */
  private void mad(int row, double percent, Judgement.Column to) {
    int n = pool();
    double centre = Robust.medianOfSorted(pool, n);
    double mad = Math.max(Robust.medianDistanceOfSorted(pool, n, centre), floor(centre));
    to.centre = centre;
    to.spread = mad;
    double[] own = new double[window];
    for (int i = 0; i < members; i++) {
      if (Double.isNaN(ring[row + i])) {
        continue;
      }
      int k = 0;
      for (int w = 0; w < window; w++) {
        double y = ring[w * members + i];
        if (!Double.isNaN(y)) {
          own[k++] = Math.abs(y - centre);
        }
      }
      Arrays.sort(own, 0, k);
      // The smallest distance that more than percent of the values reach.
      int beyond = (int) Math.floor(percent / 100 * k) + 1;
      put(to, row, i, centre, mad, own[Math.max(0, k - beyond)] / mad);
    }
  }

  /** The score is the widest gap towards the middle, in epsilons. */
  private void bucketDbscan(
      int row, double[] sorted, int n, double sensitivity, Judgement.Column to) {
    double bottom = sorted[0];
    double top = sorted[n - 1];
    for (int w = 0; w < window; w++) {
      bottom = Math.min(bottom, least[w]);
      top = Math.max(top, most[w]);
    }
    double epsilon = Math.max((1 - sensitivity) * 1.1 * (top - bottom), Double.MIN_NORMAL);
    int low = (n - 1) / 2;
    int high = low;
    while (low > 0 && sorted[low] - sorted[low - 1] <= epsilon) {
      low--;
    }
    while (high < n - 1 && sorted[high + 1] - sorted[high] <= epsilon) {
      high++;
    }
    if (2 * (high - low + 1) <= n) {
      to.state = GroupState.SPLIT;
      to.lowerBand = low == 0 ? high + 1 : n - low;
      to.upperBand = n - to.lowerBand;
      to.judged = 0;
      return;
    }
    to.spread = (sorted[high] - sorted[low]) / 2;
    double[] widest = new double[n];
    for (int k = (n - 1) / 2 - 1; k >= 0; k--) {
      widest[k] = Math.max(widest[k + 1], sorted[k + 1] - sorted[k]);
    }
    for (int k = (n - 1) / 2 + 1; k < n; k++) {
      widest[k] = Math.max(widest[k - 1], sorted[k] - sorted[k - 1]);
    }
    for (int i = 0; i < members; i++) {
      double y = ring[row + i];
      if (!Double.isNaN(y)) {
        int k = Arrays.binarySearch(sorted, 0, n, y);
        put(to, row, i, to.centre, epsilon, widest[k] / epsilon);
      }
    }
  }

  /** The score is the distance from the median of the window in MADs of its own side. */
  private void doubleMad(int row, Judgement.Column to) {
    int n = pool();
    double centre = Robust.medianOfSorted(pool, n);
    double[] side = sized(n);
    int k = 0;
    for (int i = 0; i < n; i++) {
      if (pool[i] <= centre) {
        side[k++] = centre - pool[i];
      }
    }
    double tiny = floor(centre);
    double lower = Math.max(Robust.MAD_FACTOR * Robust.median(side, k), tiny);
    k = 0;
    for (int i = 0; i < n; i++) {
      if (pool[i] >= centre) {
        side[k++] = pool[i] - centre;
      }
    }
    double upper = Math.max(Robust.MAD_FACTOR * Robust.median(side, k), tiny);
    to.centre = centre;
    to.spread = 0.5 * (lower + upper);
    for (int i = 0; i < members; i++) {
      double y = ring[row + i];
      if (!Double.isNaN(y)) {
        double spread = y < centre ? lower : upper;
        put(to, row, i, centre, spread, Math.abs(y - centre) / spread);
      }
    }
  }

  private void put(Judgement.Column to, int row, int i, double centre, double spread, double size) {
    to.expected[i] = centre;
    to.up[i] = spread;
    to.down[i] = spread;
    to.score[i] = ring[row + i] < to.centre ? -size : size;
  }

  /** All values of the window, sorted, in the pool; returns how many. */
  private int pool() {
    if (pool.length < ring.length) {
      pool = new double[ring.length];
    }
    int n = 0;
    for (double y : ring) {
      if (!Double.isNaN(y)) {
        pool[n++] = y;
      }
    }
    Arrays.sort(pool, 0, n);
    return n;
  }

  private double[] sized(int n) {
    if (work.length < n) {
      work = new double[n];
    }
    return work;
  }

  @Override
  public void save(DataOutput out) throws IOException {
    out.writeLong(last);
    for (double y : ring) {
      out.writeDouble(y);
    }
  }

  @Override
  public void restore(DataInput in, int version) throws IOException {
    last = in.readLong();
    for (int i = 0; i < ring.length; i++) {
      ring[i] = in.readDouble();
    }
    spans();
  }
}
