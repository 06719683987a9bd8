package io.peerlens.outliers;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Anchor of a small group: remembers where its centre has been, to tell which of its members have
 * left it. In groups of three to five, two members that go wrong together are as many as the others
 * or nearly so; no count of heads can say who is right, but the past can: the ones that stayed
 * where the group always was are the group.
 *
 * <pre>
 *   a(t) = a(t-1) + (c(t) - a(t-1)) / 3     anchor, c being the centre that was accepted
 *   s^2  = slow clipped mean of (c - a)^2   its usual step
 *   u    = sqrt(s^2 + floor^2)
 * </pre>
 *
 * When the members part in two bands with a gap g, the two of one band have left if
 *
 * <ul>
 *   <li>the past is long enough: a quarter of a day;
 *   <li>the gap is wide: g &gt; {@value #GAP} scales of a typical member and {@value #STEADY} u, so
 *       a group that often jumps about decides nothing;
 *   <li>the others stayed: their median is at most {@value #STAY} u from a, the other band's at
 *       least {@value #FAR} times as far, and they are together within a third of the gap.
 * </ul>
 *
 * The centre is then that of those that stayed. In a group of three where the pair has moved away
 * from the anchor by more than the third, but the above does not hold, nobody is called out:
 * neither is the one that stayed put the odd one for certain, nor the pair. If that lasts, the
 * anchor follows the pair with a time constant of a quarter of a day: then the majority is right
 * after all.
 *
 * <p>The constants were chosen on the development part of the benchmark. {@value #STEADY} matters
 * most: with 4, a doubling of the load of the whole group is taken for two that left twice as
 * often; with 8, a tenth fewer of the pairs are found.
 */
final class Anchor {

  /** Larger groups outvote two wrong members without looking at the past. */
  static final int LARGEST = 5;

  /** In scales of a typical member, as for a split. */
  private static final double GAP = 6;

  private static final double STEADY = 6;
  private static final double STAY = 4;
  private static final double FAR = 3;

  /** A pair that is this many u away from the third does not agree with it. */
  private static final double APART = 4;

  /** The centre is smoothed over this many buckets, as the peers' turbulence is. */
  private static final double FALL = 3;

  /** Steps are clipped at this many usual ones, squared, so that one jump does not say it all. */
  private static final double CLIP = 25;

  /** Until then steps are learnt unclipped: there is no usual one yet. */
  private static final int FIRST = 36;

  private final double day;

  private double anchor = Double.NaN;
  private double step;
  private double seen;

  /** The centre of those that stayed, or of all. */
  double centre;

  /** Of three, two have gone and it is not certain that they are wrong. */
  boolean undecided;

  /**
   * @param day buckets of a day
   */
  Anchor(double day) {
    this.day = day;
  }

  /**
   * Looks at one bucket.
   *
   * @param sorted values without what is usual for each member, the first k sorted
   * @param k at least 3
   * @param median theirs
   * @param pool the scale of a typical member, squared
   * @param floor below which no scale goes
   * @return whether two members have left the others
   */
  boolean parted(double[] sorted, int k, double median, double pool, double floor) {
    boolean parted = false;
    undecided = false;
    centre = median;
    if (k <= LARGEST && seen > day / 4) {
      parted = look(sorted, k, pool, floor);
    }
    follow(floor, undecided && !parted ? day / 4 : FALL);
    return parted;
  }

  private boolean look(double[] sorted, int k, double pool, double floor) {
    int cut = 0;
    double gap = 0;
    for (int i = 1; i < k; i++) {
      if (sorted[i] - sorted[i - 1] > gap) {
        gap = sorted[i] - sorted[i - 1];
        cut = i;
      }
    }
    double unit = Math.sqrt(step + floor * floor);
    double low = middle(sorted, 0, cut);
    double high = middle(sorted, cut, k);
    if (k == 3 && cut > 0) {
      double single = cut == 1 ? low : high;
      double pair = cut == 1 ? high : low;
      undecided =
          Math.abs(pair - anchor) > Math.abs(single - anchor)
              && Math.abs(pair - single) > APART * unit;
    }
    boolean lower = Math.abs(low - anchor) < Math.abs(high - anchor);
    int stayed = lower ? cut : k - cut;
    if (k - stayed != 2 || gap <= GAP * Math.sqrt(pool + floor * floor) || gap <= STEADY * unit) {
      return false;
    }
    double near = Math.abs((lower ? low : high) - anchor);
    double far = Math.abs((lower ? high : low) - anchor);
    double width = lower ? sorted[cut - 1] - sorted[0] : sorted[k - 1] - sorted[cut];
    if (near > STAY * unit || far <= FAR * near || width >= gap / 3) {
      return false;
    }
    centre = lower ? low : high;
    return true;
  }

  private void follow(double floor, double pace) {
    if (Double.isNaN(anchor)) {
      anchor = centre;
    }
    double d = centre - anchor;
    seen = Math.min(day, seen + 1);
    double most = CLIP * (step + (seen < FIRST ? d * d : 0)) + floor * floor;
    step += (Math.min(d * d, most) - step) / seen;
    anchor += d / pace;
  }

  private static double middle(double[] sorted, int from, int to) {
    return 0.5 * (sorted[(from + to) / 2] + sorted[(from + to - 1) / 2]);
  }

  void save(DataOutput out) throws IOException {
    out.writeDouble(anchor);
    out.writeDouble(step);
    out.writeDouble(seen);
  }

  void restore(DataInput in) throws IOException {
    anchor = in.readDouble();
    step = in.readDouble();
    seen = in.readDouble();
  }
}
