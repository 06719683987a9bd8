package io.peerlens.outliers;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Peerlens' own method for one metric. All sizes below are on the scale of comparison, y = T(x).
 *
 * <h2>The level of a member</h2>
 *
 * <pre>
 *   c(t)   = median over members of y_i(t) - o_i        centre, without what is usual for each
 *   r_i(t) = y_i(t) - c(t) - o_i                        residual
 *   o_i    = slow clipped mean of y_i - median(y)       member offset; 0 if interchangeable
 *   q_i    = slow clipped mean of (r_i / f)^2           own scale, squared, up and down apart
 *   H(t)   = quantile 0.85 of |r_j| / sqrt(q_j)         how far members are out now, in own scales
 *   M(t)   = their median
 *   K(t)   = min(H, max(1, m M))                        m is 2, or more if that is usual
 *   f(t)   = K^w, w = 1 if K &gt; 1, else n / (n + 6)     turbulence of the bucket
 *   b_i    = max(1, (p_i / 0.002)^0.7)              allowance for bursts, at most 10
 *   z_i    = r_i / sqrt(q_i f^2 + floor^2) / b_i
 * </pre>
 *
 * So a member is measured in what is usual for itself, times what its peers go through at the
 * moment. When a job runs on some members of the group, or the group starts or ends something, K
 * rises at once, falls by a third of the difference per bucket afterwards, and nobody is called out
 * for what others do too; in quiet times it falls below 1 and small deviations count. The quantile
 * never includes the member that is farthest out (its rank is at most n - 2), so a single outlier
 * cannot hide itself; at three members that makes it the distance of the two that are closer.
 *
 * <p>Up to 40 % of the members can go wrong together, and are then the 0.85 quantile themselves,
 * but not the median. So in groups of more than {@value Anchor#LARGEST}, K is at most m times that,
 * or 1 if that is more: the members that do as always say how much room all of them get. Where some
 * often are busy while most idle, H is often far above M, and m is more than 2: an hour of buckets
 * with H beyond m M makes it {@code e^}{@value #ROOM_GROWTH} = 1.8 times as large, when they are
 * over and once for a stretch of them, and each day {@code e^-}{@value #ROOM_LOSS} times. So a
 * fault makes no room for itself while it lasts, and what happens every day does. On real traces
 * with a fault in a quarter of the members, that found 0.59 of them instead of 0.36 at the tightest
 * budget of false events, and cost nothing that could be measured elsewhere.
 *
 * <p>Because q is learnt of r / f, the past is not blurred by turbulent times. The idea of judging
 * by the larger of the peers' and the own past's dispersion is common; the product form is what the
 * benchmark favoured (docs/accuracy.md). Below K = 1 the exponent shrinks f towards 1 in small
 * groups, where K is noisy.
 *
 * <p>q says how wide the middle of a member's own distribution is; its bursts are in the tail,
 * which the clipping keeps out of q. p is the part of its buckets in which the member was out (|z
 * b| &gt;= {@value #GATE}). One that is out ten times as often as {@value #RARE}, once in 500
 * buckets, has to be out 10^0.7 times as far, which is five times; in a tail that falls with the
 * power 1 / 0.7 that lets each member raise as much as any other. A bucket that was out is counted
 * when the member is back, one for one, and believed with a time constant of a quarter of a day, so
 * no fault makes room for itself while it lasts, or flaps for hours. In small groups of idle
 * machines with jobs that more than halved the events at the same sensitivity, and recall at the
 * same number of events rose.
 *
 * <p>Where a group of three to five parts in two, {@link Anchor} says which members are the group:
 * those give c, f is at least 1 meanwhile, K being one of few, and no offset is learnt.
 *
 * <h2>What is learnt</h2>
 *
 * q starts as the median of the group's (as if {@value #PRIOR} values had been seen) and follows
 * with a time constant of seven days; o of two. Residuals are clipped at {@value #CLIP} scales. A
 * member that is out for more than an hour (|z| &gt;= {@value #GATE}) teaches nothing more until it
 * is back, and its offset nothing at all meanwhile; so learning does not depend on the sensitivity.
 * In the first day no offset is learnt while the member is out by level, |y - median| / MAD &gt;=
 * {@value #LEVEL_GATE}, and its residuals are clipped at {@value #WRONG_CLIP} scales of a typical
 * member instead of its own: one that is far out from its start stays wrong. While little is known
 * of a member, the spread of levels in the group widens its scale.
 *
 * <h2>Other evidence</h2>
 *
 * The score is the largest of |z| and, with their sign:
 *
 * <ul>
 *   <li>sustained: an hour's exponential mean of z, clipped at 3, against its own usual size;
 *   <li>swings: the hour's mean of |r(t) - r(t-1)| / scale, less its usual, against its usual
 *       variation;
 *   <li>stuck: the length of a run of one value against the longest that was seen, if most peers
 *       move;
 *   <li>silent: sqrt(-2 ln p) for a value of 0, p being how often this member was 0 before, if at
 *       most a third of the others is 0. Being 0 among others that are is learnt at once; being 0
 *       alone when it is over.
 * </ul>
 *
 * Their weights and {@value #SCORE}, which makes the score comparable to one in standard
 * deviations, were fitted on the development part of the benchmark.
 */
final class PeerScorer implements Scorer {

  private static final double SCORE = 1.5;
  private static final double QUANTILE = 0.85;

  /** The 0.85 quantile of |x| for normal x. */
  private static final double NORMAL = 1.4395314709384563;

  /** m, where nothing else has been seen. */
  private static final double ROOM = 2;

  /** What an hour beyond it adds to log m. */
  private static final double ROOM_GROWTH = 0.6;

  /** What a day takes from log m. */
  private static final double ROOM_LOSS = 0.2;

  private static final double SMALL_GROUP = 6;
  private static final double FALL = 3;
  private static final double PRIOR = 24;
  private static final double OFFSET_PRIOR = 36;
  private static final double CLIP = 5;
  private static final double GATE = 3.5;
  private static final double LEVEL_GATE = 6;
  private static final double WRONG_CLIP = 4;
  private static final double FLOOR = 0.4;
  private static final double RELATIVE_FLOOR = 0.05;
  private static final double DISAGREE = 6;

  /**
   * Up to this part of its buckets a member may be out for nothing: once in 500, nearly two days of
   * five minutes. With 0.005, small groups raise half as much again; with 0.001, groups in which
   * all members have bursts (disk) lose recall.
   */
  private static final double RARE = 0.002;

  /**
   * How far follows from how often. Between 0.5 and 0.8 it makes no difference that could be
   * measured; 1 takes too much from members that were out a lot.
   */
  private static final double TAIL = 0.7;

  /** Buckets that {@link #RARE} is believed for, before a member has shown its own part. */
  private static final double TAIL_PRIOR = 200;

  /** However many its bursts, a member that is this many times as far out as others need is out. */
  private static final double MOST_ALLOWANCE = 10;

  private static final double SUSTAINED = 0.5;
  private static final double SWINGS = 0.5;
  private static final double STUCK = 1.2;
  private static final double SILENT = 0.85;
  private static final double WINDOW = 12;

  /** Buckets out, less those back, from which on the way back is no swing. */
  private static final int LASTED = 3;

  /** A group that has been judged for fewer buckets is learning. */
  private static final int LEARNING = 12;

  private final Settings.Metric metric;
  private final Scale scale;
  private final boolean level;
  private final double ownMemory;
  private final double offsetMemory;
  private final double day;
  private final double patience;
  private final Anchor anchor;

  /** Fields of the state of a member. */
  private static final int COUNT = 0;

  private static final int OFFSET = 1;
  private static final int UP = 2;
  private static final int DOWN = 3;
  private static final int MEAN = 4;
  private static final int MEAN_SQUARE = 5;
  private static final int SWING = 6;
  private static final int SWING_MEAN = 7;
  private static final int SWING_SQUARE = 8;
  private static final int BEFORE = 9;
  private static final int ZEROS = 10;
  private static final int RUN = 11;
  private static final int LONGEST = 12;
  private static final int VALUE = 13;
  private static final int OUT = 14;
  private static final int BURSTS = 15;
  private static final int BURSTY = 16;
  private static final int FIELDS = 17;

  private int n;

  /** FIELDS floats for each member. */
  private float[] state;

  /** K with its slow fall; NaN before the first bucket. */
  private double factor = Double.NaN;

  /** log m, how many times the median deviation the turbulence may be. */
  private double room = Math.log(ROOM);

  /** Buckets in a row in which it would have been more, at most an hour of them. */
  private double beyond;

  /** The MADs of the last buckets, smoothed: of residuals and of levels. */
  private double peer = Double.NaN;

  private double levelPeer = Double.NaN;
  private double pool;
  private int age;

  private double[] y;
  private double[] own;
  private double[] sorted;

  PeerScorer(boolean interchangeable, Settings settings, Settings.Metric metric, int members) {
    this.metric = metric;
    level = interchangeable;
    scale = metric.transform() == Transform.LOG ? new Scale(metric.unitFloor()) : Scale.LINEAR;
    day = Math.max(24, 86_400_000.0 / settings.bucketMillis());
    ownMemory = 7 * day;
    offsetMemory = 2 * day;
    patience = Math.max(12, 3_600_000.0 / settings.bucketMillis());
    anchor = new Anchor(day);
    n = members;
    state = new float[n * FIELDS];
    fresh(state, n);
    scratch();
  }

  private static void fresh(float[] state, int n) {
    for (int i = 0; i < n; i++) {
      state[i * FIELDS + BEFORE] = Float.NaN;
      state[i * FIELDS + VALUE] = Float.NaN;
    }
  }

  private void scratch() {
    y = new double[n];
    own = new double[n];
    sorted = new double[n];
  }

  @Override
  public void members(int[] from) {
    float[] next = new float[from.length * FIELDS];
    fresh(next, from.length);
    for (int i = 0; i < from.length; i++) {
      if (from[i] >= 0) {
        System.arraycopy(state, from[i] * FIELDS, next, i * FIELDS, FIELDS);
      }
    }
    n = from.length;
    state = next;
    scratch();
  }

  @Override
  public void score(long bucket, double[] values, boolean[] expected, Judgement.Column to) {
    to.scale = scale;
    int present = 0;
    int k = 0;
    int zeros = 0;
    int still = 0;
    for (int i = 0; i < n; i++) {
      y[i] = scale.of(values[i]);
      if (Double.isNaN(y[i])) {
        continue;
      }
      present++;
      zeros += values[i] == 0 ? 1 : 0;
      still += (float) values[i] == state[i * FIELDS + VALUE] ? 1 : 0;
      if (!expected[i]) {
        sorted[k++] = y[i];
      }
    }
    int peers = k;
    if (peers < 3) {
      to.state = present == 0 ? GroupState.NO_DATA : GroupState.TOO_FEW;
      return;
    }
    double median = Robust.median(sorted, k);
    double levelMad = Robust.mad(sorted, k, median);
    k = 0;
    for (int i = 0; i < n; i++) {
      if (!Double.isNaN(y[i]) && !expected[i]) {
        sorted[k++] = y[i] - offset(i);
      }
    }
    double centre = Robust.median(sorted, k);
    boolean parted = anchor.parted(sorted, k, centre, pool, floor(centre));
    double mad = parted ? peer : Robust.mad(sorted, k, centre);
    centre = anchor.centre;
    peer = Double.isNaN(peer) ? mad : peer + (mad - peer) / FALL;
    levelPeer = Double.isNaN(levelPeer) ? levelMad : levelPeer + (levelMad - levelPeer) / FALL;
    double absolute = FLOOR * metric.minDeviation();
    double floor = floor(centre);
    double tiny = absolute * absolute + 1e-18;

    to.lowerBand = parted ? 0 : Bands.split(sorted, k, Math.max(floor, Math.sqrt(pool)));
    boolean split = to.lowerBand > 0;
    to.upperBand = split ? k - to.lowerBand : 0;
    double spreadOfTwo =
        parted ? 0 : Math.min(sorted[1] - sorted[0], sorted[k - 1] - sorted[k - 2]);

    // How far the members are out in their own scales, without the farthest one.
    k = 0;
    for (int i = 0; i < n; i++) {
      if (Double.isNaN(y[i])) {
        continue;
      }
      double r = y[i] - centre - usual(i);
      double q = state[i * FIELDS + (r >= 0 ? UP : DOWN)];
      double count = state[i * FIELDS + COUNT];
      own[i] = (count * q + PRIOR * pool) / (count + PRIOR);
      if (!expected[i]) {
        sorted[k++] = Math.abs(r) / Math.sqrt(own[i] + tiny);
      }
    }
    factor = parted ? calmed() : turbulence(k);
    double f = factor > 1 ? factor : Math.pow(Math.max(1e-3, factor), k / (k + SMALL_GROUP));
    f = Math.max(0.01, f);

    // The scale of a typical member.
    k = 0;
    for (int i = 0; i < n; i++) {
      int s = i * FIELDS;
      if (state[s + COUNT] >= 12) {
        sorted[k++] = 0.5 * (state[s + UP] + state[s + DOWN]);
      }
    }
    pool = k >= 3 ? Robust.median(sorted, k) : peer * peer;

    age = Math.min(age + 1, LEARNING);
    to.centre = centre;
    to.spread = Math.sqrt((pool + tiny) * f * f + floor * floor) / SCORE;
    boolean silent = zeros - 1 <= 0.34 * (present - 1);
    boolean moving = 2 * (still - 1) <= present - 1;
    boolean three =
        peers == 3
            && (spreadOfTwo > DISAGREE * Math.sqrt(pool + floor * floor)
                || (anchor.undecided && !parted));
    to.state =
        age < LEARNING
            ? GroupState.LEARNING
            : split ? GroupState.SPLIT : three ? GroupState.NO_MAJORITY : GroupState.JUDGED;
    to.judged = to.state == GroupState.JUDGED ? present : 0;
    for (int i = 0; i < n; i++) {
      if (!Double.isNaN(y[i])) {
        member(
            i, values[i], median, centre, f, floor, tiny, silent, moving, parted, expected[i], to);
      } else {
        state[i * FIELDS + BEFORE] = Float.NaN;
      }
    }
  }

  private double floor(double centre) {
    double absolute = FLOOR * metric.minDeviation();
    return Math.max(Math.max(absolute, RELATIVE_FLOOR * Math.abs(centre)), 1e-9);
  }

  /** K of sorted[0..k) with its slow fall. */
  private double turbulence(int k) {
    Arrays.sort(sorted, 0, k);
    double rank = Math.min(QUANTILE * (k - 1), k - 2);
    int at = (int) rank;
    double now = (sorted[at] + (rank - at) * (sorted[at + 1] - sorted[at])) / NORMAL;
    if (k > Anchor.LARGEST) {
      double usual = Robust.MAD_FACTOR * Robust.medianOfSorted(sorted, k);
      double most = Math.max(1, Math.exp(room) * usual);
      if (now > most) {
        beyond = Math.min(beyond + 1, patience);
        now = most;
      } else {
        room = Math.max(Math.log(ROOM), room + ROOM_GROWTH * beyond / patience - ROOM_LOSS / day);
        beyond = 0;
      }
    }
    return Double.isNaN(factor) ? now : Math.max(now, factor + (now - factor) / FALL);
  }

  /** K while two have left: they must not make it larger, and too few are left to make it small. */
  private double calmed() {
    return Double.isNaN(factor) ? 1 : Math.max(1, factor + (1 - factor) / FALL);
  }

  private void member(
      int i,
      double x,
      double median,
      double centre,
      double f,
      double floor,
      double tiny,
      boolean silent,
      boolean moving,
      boolean parted,
      boolean expected,
      Judgement.Column to) {
    int s = i * FIELDS;
    double count = state[s + COUNT];
    double raw = y[i] - median;
    double r = y[i] - centre - offset(i);
    double unknown = count < day ? OFFSET_PRIOR / (count + OFFSET_PRIOR) * levelPeer : 0;
    double wide = level ? levelPeer : unknown;
    double own2 = (own[i] + tiny) * f * f + floor * floor + wide * wide;
    double size = Math.sqrt(own2);
    double allowance = allowance(s, count);
    double z = r / size;
    double best = z / allowance;
    double usual = centre + offset(i);
    double ratio =
        metric.minDeviation() > 0
            ? Math.abs(x - scale.back(usual)) / metric.minDeviation()
            : Double.POSITIVE_INFINITY;
    Evidence why = Evidence.LEVEL;

    double mean = state[s + MEAN];
    mean += (Math.max(-3, Math.min(3, z)) - mean) / WINDOW;
    if (count > 3 * WINDOW) {
      double square = (count * state[s + MEAN_SQUARE] + PRIOR * 0.15) / (count + PRIOR);
      double sustained = SUSTAINED * mean / Math.sqrt(square + 0.01);
      // Only while it lasts: what is over must let its event close.
      if (Math.abs(sustained) > Math.abs(best)
          && z * mean > 0
          && 2 * Math.abs(z) > Math.abs(mean)) {
        best = sustained;
        why = Evidence.SUSTAINED;
      }
    }

    double swing = state[s + SWING];
    if (!Float.isNaN(state[s + BEFORE])) {
      // The way back from a fault that lasted is its end, not one more swing.
      boolean back = state[s + OUT] >= LASTED && Math.abs(z) < GATE;
      double step = back ? 0 : Math.min(4, Math.abs(r - state[s + BEFORE]) / size);
      swing += (step - swing) / WINDOW;
      if (count > 4 * WINDOW) {
        double square = (count * state[s + SWING_SQUARE] + PRIOR * 0.1) / (count + PRIOR);
        double swings = SWINGS * (swing - state[s + SWING_MEAN]) / Math.sqrt(square + 0.01);
        if (swings > Math.abs(best)) {
          best = swings;
          why = Evidence.SWINGS;
          if (metric.minDeviation() > 0) {
            ratio = Math.max(ratio, swing * size / metric.minDeviation());
          }
        }
      }
    }

    if (x == 0) {
      if (silent && count > 3 * WINDOW) {
        double p = (state[s + ZEROS] * count + 0.5) / (count + 1);
        double silent0 = SILENT * Math.sqrt(-2 * Math.log(p));
        if (silent0 > Math.abs(best)) {
          best = -silent0;
          ratio = Math.max(1, ratio);
          why = Evidence.SILENT;
        }
      }
    }

    boolean same = (float) x == state[s + VALUE];
    double run = same ? state[s + RUN] + 1 : 0;
    if (run >= 5 && moving && x != 0 && count > 6 * WINDOW) {
      double stuck = STUCK * run / (3 + state[s + LONGEST]);
      if (stuck > Math.abs(best)) {
        best = -stuck;
        ratio = Math.max(1, ratio);
        why = Evidence.STUCK;
      }
    }

    to.expected[i] = usual;
    to.up[i] = size * allowance / SCORE;
    to.down[i] = size * allowance / SCORE;
    to.floor[i] = floor * floor > 0.5 * own2;
    to.ratio[i] = ratio;
    to.evidence[i] = why;
    if (to.state == GroupState.JUDGED) {
      to.score[i] = best * SCORE;
    }

    // Learning.
    state[s + MEAN] = (float) mean;
    state[s + SWING] = (float) swing;
    state[s + BEFORE] = (float) r;
    double runBefore = state[s + RUN];
    state[s + RUN] = (float) run;
    if (!same) {
      state[s + LONGEST] = (float) Math.max(state[s + LONGEST] * 0.999, runBefore);
    }
    // A silence is learnt when it is over.
    double silence = x != 0 && state[s + VALUE] == 0 ? Math.min(day, runBefore + 1) : 0;
    double zeros = state[s + ZEROS];
    if (x != 0) {
      state[s + ZEROS] = (float) ((zeros * count + silence) / (count + silence + 1));
    } else if (!silent) {
      state[s + ZEROS] = (float) (zeros + (1 - zeros) / (count + 1));
    }
    state[s + VALUE] = (float) x;
    double out = state[s + OUT];
    out =
        expected ? 0 : Math.abs(z) >= GATE ? Math.min(out + 1, 2 * patience) : Math.max(0, out - 1);
    state[s + OUT] = (float) out;
    if (out > patience) {
      return;
    }
    boolean first = count < day && !expected;
    boolean wrong = first && Math.abs(raw) >= LEVEL_GATE * Math.hypot(levelPeer, floor);
    count = Math.min(ownMemory, count + 1);
    state[s + COUNT] = (float) count;
    double limit =
        wrong ? WRONG_CLIP * Math.sqrt((pool + tiny) * f * f + floor * floor) : CLIP * size;
    if (Math.abs(z) < GATE) {
      state[s + BURSTS] += (float) (((out > 0 ? 1 : 0) - state[s + BURSTS]) / count);
      state[s + BURSTY] += (float) ((state[s + BURSTS] - state[s + BURSTY]) * 4 / day);
    }
    // Against a median that two others have pulled away nobody learns where it belongs.
    if (!parted && (expected || (!wrong && Math.abs(z) < GATE))) {
      double e = Math.max(-limit, Math.min(limit, raw - state[s + OFFSET]));
      state[s + OFFSET] += (float) (e / Math.min(offsetMemory, count));
    }
    double own = level ? r - usual(i) : r;
    double g = Math.min(limit, Math.abs(own)) / f;
    g *= g;
    if (count <= 6) {
      state[s + UP] += (float) ((g - state[s + UP]) / count);
      state[s + DOWN] = state[s + UP];
    } else {
      int side = s + (own >= 0 ? UP : DOWN);
      state[side] += (float) ((g - state[side]) * 2 / Math.min(ownMemory, count + 1));
    }
    state[s + MEAN_SQUARE] += (float) ((mean * mean - state[s + MEAN_SQUARE]) / count);
    state[s + SWING_MEAN] += (float) ((swing - state[s + SWING_MEAN]) / count);
    double w = swing - state[s + SWING_MEAN];
    state[s + SWING_SQUARE] += (float) ((w * w - state[s + SWING_SQUARE]) / count);
  }

  /** What is usual for the member and forgiven. */
  private double offset(int i) {
    return level ? 0 : usual(i);
  }

  /** What is usual for the member, with as much trust as has been earned. */
  private double usual(int i) {
    float count = state[i * FIELDS + COUNT];
    return state[i * FIELDS + OFFSET] * count / (count + OFFSET_PRIOR);
  }

  /** By how much farther than others a member has to be out, for the bursts it is known for. */
  private double allowance(int s, double count) {
    double part = (count * state[s + BURSTY] + TAIL_PRIOR * RARE) / (count + TAIL_PRIOR);
    return part <= RARE ? 1 : Math.min(MOST_ALLOWANCE, Math.pow(part / RARE, TAIL));
  }

  @Override
  public void save(DataOutput out) throws IOException {
    out.writeDouble(factor);
    out.writeDouble(peer);
    out.writeDouble(levelPeer);
    out.writeDouble(pool);
    out.writeDouble(room);
    out.writeDouble(beyond);
    out.writeByte(age);
    anchor.save(out);
    for (float v : state) {
      out.writeFloat(v);
    }
  }

  @Override
  public void restore(DataInput in, int version) throws IOException {
    factor = in.readDouble();
    peer = in.readDouble();
    levelPeer = in.readDouble();
    pool = in.readDouble();
    if (version >= 3) {
      room = in.readDouble();
      beyond = in.readDouble();
    }
    age = in.readByte();
    anchor.restore(in);
    for (int i = 0; i < state.length; i++) {
      state[i] = in.readFloat();
    }
  }
}
