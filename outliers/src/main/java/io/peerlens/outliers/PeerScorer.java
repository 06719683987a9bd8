package io.peerlens.outliers;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Scores of members among their peers, by Peerlens' own method, for one metric. {@link
 * MemberScorer} judges one member and learns of it. All sizes below are on the scale of comparison,
 * y = T(x).
 *
 * <h2>The level of a member</h2>
 *
 * <pre>
 *   c(t)   = median over members of y_i(t) - o_i        centre, without what is usual for each
 *   r_i(t) = y_i(t) - c(t) - o_i - s_i (c(t) - a(t))    residual; a is where c slowly is
 *   o_i    = slow clipped mean of y_i - median(y)       member offset; 0 if interchangeable
 *   s_i    = slope of y_i - c - o_i over c - a           response; -1 to 2, 0 if interchangeable
 *   q_i    = slow clipped mean of (r_i / f)^2           own scale, squared, up and down apart
 *   H(t)   = quantile 0.85 of |r_j| / sqrt(q_j)         how far members are out now, in own scales
 *   M(t)   = their median
 *   K(t)   = min(H, max(1, m M))                        m is 1.3, or more if that is usual
 *   f(t)   = K^w, w = 1 if K &gt; 1, else 0.7 n / (n + 6)   turbulence of the bucket
 *   b_i    = max(1, (p_i / 0.001)^0.7)              allowance for bursts, at most 10
 *   z_i    = r_i / sqrt(q_i f^2 + floor^2) / (b_i max(1, f)^0.1)
 * </pre>
 *
 * So a member is measured in what is usual for itself, times what its peers go through at the
 * moment. When a job runs on some members of the group, or the group starts or ends something, K
 * rises at once, falls by a third of the difference per bucket afterwards, and nobody is called out
 * for what others do too; in quiet times it falls below 1 and small deviations count. The quantile
 * never includes the member that is farthest out (its rank is at most n - 2), so a single outlier
 * cannot hide itself; at three members that makes it the distance of the two that are closer.
 *
 * <p>Any minority of the members can go wrong together, and are then the 0.85 quantile themselves.
 * So in groups of more than {@value Anchor#LARGEST}, {@link Parting} looks whether some have left:
 * by r in own scales and {@value #LASTING} times the hour's mean of z, so that what is small and
 * lasts is seen too. c and M are then those of the members that stayed, and K is at most m times
 * that M, or 1 if that is more: the members that do as always say how much room all of them get.
 * Where some often are busy while most idle, H is often far above M, and m is more than {@value
 * #ROOM}: an hour of buckets with H beyond m M makes it {@code e^}{@value #ROOM_GROWTH} = 1.8 times
 * as large, when they are over and once for a stretch of them, and each day {@code e^-}{@value
 * #ROOM_LOSS} times. So a fault makes no room for itself while it lasts, and what happens every day
 * does.
 *
 * <p>A group that parts in two of 40 % and more is split and not judged, if it was so from its
 * start: those may be two kinds of machine. If it was one before, and what is usual for its members
 * is known, the smaller part has left; no history tells who is right if both are half.
 *
 * <p>Because q is learnt of r / f, the past is not blurred by turbulent times. The idea of judging
 * by the larger of the peers' and the own past's dispersion is common; the product form is what the
 * benchmark favoured (docs/accuracy.md). Below K = 1 the exponent shrinks f towards 1: a member's
 * own bursts do not wait for a busy group, and in small groups K is noisy. Turbulent times have
 * longer tails than what they are measured in, which is what the last factor is for; it is 1 in
 * groups of up to {@value Anchor#LARGEST}, where the turbulence is mostly that of those that are
 * out.
 *
 * <p>q says how wide the middle of a member's own distribution is; its bursts are in the tail,
 * which the clipping keeps out of q. p is the part of its buckets in which the member was out (|z
 * b| &gt;= {@value MemberScorer#GATE}), no stretch counting as more than {@value
 * MemberScorer#BURST} of them. One that is out ten times as often as {@value MemberScorer#RARE},
 * once in 1,000 buckets, has to be out 10^0.7 times as far, which is five times, by its level, in
 * an hour or in its swings; in a tail that falls with the power 1 / 0.7 that lets each member raise
 * as much as any other. A bucket that was out is counted when the member is back, one for one, and
 * believed with a time constant of half a day, so no fault makes room for itself while it lasts, or
 * flaps for hours. In small groups of idle machines with jobs that more than halved the events at
 * the same sensitivity, and recall at the same number of events rose.
 *
 * <p>Where a group of three to five parts in two, {@link Anchor} says which members are the group:
 * those give c, f is at least 1 meanwhile, K being one of few, and no offset is learnt.
 *
 * <h2>What is learnt</h2>
 *
 * q starts as the median of the group's (as if {@value MemberScorer#PRIOR} values had been seen)
 * and follows with a time constant of seven days; o of two. Residuals are clipped at {@value
 * MemberScorer#CLIP} scales. A member that is out for more than an hour (|z| &gt;= {@value
 * MemberScorer#GATE}) teaches nothing more until it is back, and its offset nothing at all
 * meanwhile; so learning does not depend on the sensitivity. In the first day no offset is learnt
 * while the member is out by level, |y - median| / MAD &gt;= {@value MemberScorer#LEVEL_GATE}, and
 * its residuals are clipped at {@value MemberScorer#WRONG_CLIP} scales of a typical member instead
 * of its own: one that is far out from its start stays wrong. While little is known of a member,
 * the spread of levels in the group widens its scale.
 *
 * <h2>Other evidence</h2>
 *
 * The score is the largest of |z| and, with their sign:
 *
 * <ul>
 *   <li>sustained: an hour's exponential mean of z, clipped at {@value
 *       MemberScorer#SUSTAINED_CLIP}, against a size that hardly depends on the member, or against
 *       its own usual size if it is very steady; and less by f^0.3 in turbulent times (groups as
 *       above): deviations last then, as what a group goes through hits its members differently;
 *   <li>swings: the hour's mean of |r(t) - r(t-1)| / scale, less its usual, against its usual
 *       variation;
 *   <li>stuck: the length of a run of one value against the longest that was seen, if most peers
 *       move;
 *   <li>silent: sqrt(-2 ln p) for a value of 0, p being how often this member was 0 before, and
 *       until it has shown that, how often members of the group were, if at most a third of the
 *       others is 0. Being 0 among others that are is learnt at once; being 0 alone when it is
 *       over.
 * </ul>
 *
 * Their weights and {@value MemberScorer#SCORE}, which makes the score comparable to one in
 * standard deviations, were fitted on the development part of the benchmark.
 */
final class PeerScorer implements Scorer {

  /** How much an hour's mean counts beside the bucket, where it is asked who has left. */
  private static final double LASTING = 4;

  private static final double FLOOR = 0.4;
  private static final double RELATIVE_FLOOR = 0.05;
  private static final double DISAGREE = 6;

  /** A group that has been judged for fewer buckets is learning. */
  private static final int LEARNING = 12;

  private final Settings.Metric metric;
  private final Scale scale;
  private final double day;
  private final Anchor anchor;
  private final MemberScorer members;
  private final Turbulence turbulence;

  /** The MADs of the last buckets, smoothed: of residuals and of levels. */
  private double peer = Double.NaN;

  private double levelPeer = Double.NaN;
  private double pool;
  private int age;

  /** Buckets that the slow centre has seen, at most two days of them. */
  private double seen;

  /** Where the centre is, slowly. */
  private double slow;

  /** Buckets in a row in which the group was one, at most {@link #LEARNING}. */
  private int together;

  private int n;
  private double[] y;
  private double[] own;
  private double[] sorted;

  /** Signed, in own scales. */
  private double[] deviation;

  /** The same, those that last counted more; NaN for who is no peer. */
  private double[] lasting;

  private double[] stayed;
  private final Parting parting = new Parting();
  private final Bucket now = new Bucket();

  /** The bucket that is being judged, for all members. One object serves all buckets. */
  static final class Bucket {
    double median;
    double centre;

    /** Turbulence, as f above. */
    double turbulence;

    /** By how much farther than in quiet times a member has to be out, in scales. */
    double tail;

    /** And by how much more, beyond that, in the mean of an hour. */
    double persistence;

    double floor;
    double tiny;
    double levelPeer;

    /** Squared scale of a typical member. */
    double pool;

    /** How far the centre is from where it slowly was. */
    double moved;

    /** The usual square of that. */
    double moves;

    /** Whether at most a third of the others is 0. */
    boolean silent;

    /** Whether most peers move. */
    boolean moving;

    /** Whether the group has parted in two. */
    boolean parted;
  }

  PeerScorer(boolean interchangeable, Settings settings, Settings.Metric metric, int members) {
    this.metric = metric;
    scale = metric.transform() == Transform.LOG ? new Scale(metric.unitFloor()) : Scale.LINEAR;
    day = Math.max(24, 86_400_000.0 / settings.bucketMillis());
    double patience = Math.max(12, 3_600_000.0 / settings.bucketMillis());
    anchor = new Anchor(day);
    turbulence = new Turbulence(day, patience);
    this.members =
        new MemberScorer(interchangeable, metric.minDeviation(), scale, day, patience, members);
    scratch(members);
  }

  private void scratch(int size) {
    n = size;
    y = new double[n];
    own = new double[n];
    sorted = new double[n];
    deviation = new double[n];
    lasting = new double[n];
    stayed = new double[n];
  }

  @Override
  public void members(int[] from) {
    members.members(from);
    scratch(from.length);
  }

  @Override
  public void score(long bucket, double[] values, boolean[] expected, Judgement.Column to) {
    to.scale = scale;
    int present = 0;
    int peers = 0;
    int zeros = 0;
    int still = 0;
    for (int i = 0; i < n; i++) {
      y[i] = scale.of(values[i]);
      if (Double.isNaN(y[i])) {
        continue;
      }
      present++;
      zeros += values[i] == 0 ? 1 : 0;
      still += members.isStill(i, values[i]) ? 1 : 0;
      if (!expected[i]) {
        sorted[peers++] = y[i];
      }
    }
    if (peers < 3) {
      to.state = present == 0 ? GroupState.NO_DATA : GroupState.TOO_FEW;
      return;
    }
    now.silent = zeros - 1 <= 0.34 * (present - 1);
    now.moving = 2 * (still - 1) <= present - 1;
    centre(expected, peers);
    bands(peers, to);
    double spreadOfTwo =
        now.parted ? 0 : Math.min(sorted[1] - sorted[0], sorted[peers - 1] - sorted[peers - 2]);
    now.pool = pool;
    slow = seen == 0 ? now.centre : slow;
    now.moved = now.centre - slow;
    turbulence(expected);
    follow();
    pool = members.typicalScale(sorted, peer * peer);
    now.pool = pool;
    now.levelPeer = levelPeer;

    age = Math.min(age + 1, LEARNING);
    boolean three =
        peers == 3
            && (spreadOfTwo > DISAGREE * Math.sqrt(pool + now.floor * now.floor)
                || (anchor.undecided && !now.parted));
    to.centre = now.centre;
    to.spread = members.typicalSpread(now) * now.tail / MemberScorer.SCORE;
    to.state =
        age < LEARNING
            ? GroupState.LEARNING
            : to.lowerBand > 0
                ? GroupState.SPLIT
                : three ? GroupState.NO_MAJORITY : GroupState.JUDGED;
    to.judged = to.state == GroupState.JUDGED ? present : 0;
    for (int i = 0; i < n; i++) {
      if (!Double.isNaN(y[i])) {
        members.score(i, values[i], y[i], own[i], expected[i], now, to);
      } else {
        members.absent(i);
      }
    }
  }

  /** Finds the middle of the group, from sorted[0..k); that then holds what is usual for each. */
  private void centre(boolean[] expected, int k) {
    now.median = Robust.median(sorted, k);
    double levelMad = Robust.mad(sorted, k, now.median);
    k = 0;
    for (int i = 0; i < n; i++) {
      if (!Double.isNaN(y[i]) && !expected[i]) {
        sorted[k++] = y[i] - members.offset(i);
      }
    }
    double centre = Robust.median(sorted, k);
    now.parted = anchor.parted(sorted, k, centre, pool, floor(centre));
    double mad = now.parted ? peer : Robust.mad(sorted, k, centre);
    now.centre = anchor.centre;
    peer = Double.isNaN(peer) ? mad : peer + (mad - peer) / Turbulence.FALL;
    levelPeer =
        Double.isNaN(levelPeer) ? levelMad : levelPeer + (levelMad - levelPeer) / Turbulence.FALL;
    double absolute = FLOOR * metric.minDeviation();
    now.floor = floor(now.centre);
    now.tiny = absolute * absolute + 1e-18;
  }

  private void bands(int k, Judgement.Column to) {
    to.lowerBand = now.parted ? 0 : Bands.split(sorted, k, Math.max(now.floor, Math.sqrt(pool)));
    boolean minority = 2 * Math.min(to.lowerBand, k - to.lowerBand) < k;
    if (to.lowerBand == 0) {
      together = Math.min(together + 1, LEARNING);
    } else if (k > Anchor.LARGEST && minority && together == LEARNING && members.settled(k)) {
      to.lowerBand = 0; // they were one, so the larger part is the group
    } else {
      together = 0;
    }
    to.upperBand = to.lowerBand > 0 ? k - to.lowerBand : 0;
  }

  /** Finds how far the members are out in their own scales, without those that left together. */
  private void turbulence(boolean[] expected) {
    int k = deviations(expected);
    if (!now.parted && k > Anchor.LARGEST && part(expected)) {
      double least = stayed[parting.from()];
      double most = stayed[parting.to() - 1];
      recentre(least, most);
      deviations(expected);
      int at = 0;
      for (int i = 0; i < n; i++) {
        if (lasting[i] >= least && lasting[i] <= most) {
          stayed[at++] = Math.abs(deviation[i]);
        }
      }
      Arrays.sort(stayed, 0, at);
      turbulence.next(sorted, k, stayed, at);
    } else if (now.parted) {
      turbulence.calm();
    } else {
      turbulence.next(sorted, k, sorted, k);
    }
    turbulence.tell(now, k);
  }

  /** Finds own scales and puts the deviations of the k peers into sorted[0..k). */
  private int deviations(boolean[] expected) {
    int k = 0;
    for (int i = 0; i < n; i++) {
      if (Double.isNaN(y[i])) {
        continue;
      }
      double r = y[i] - now.centre - members.usual(i) - members.response(i, now);
      own[i] = members.ownScale(i, r, pool);
      deviation[i] = r / Math.sqrt(own[i] + now.tiny);
      if (!expected[i]) {
        sorted[k++] = Math.abs(deviation[i]);
      }
    }
    Arrays.sort(sorted, 0, k);
    return k;
  }

  /** Follows the centre with the time constant of offsets. */
  private void follow() {
    now.moved = now.centre - slow;
    seen = Math.min(2 * day, seen + 1);
    slow += now.moved / seen;
    now.moves += (now.moved * now.moved - now.moves) / seen;
  }

  /** Whether some have left together, by what they do now and what they have done for an hour. */
  private boolean part(boolean[] expected) {
    int k = 0;
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < n; i++) {
      lasting[i] = Double.NaN;
      if (!Double.isNaN(y[i]) && !expected[i]) {
        lasting[i] = deviation[i] + LASTING * members.mean(i);
        stayed[k++] = lasting[i];
        low = Math.min(low, lasting[i]);
        high = Math.max(high, lasting[i]);
      }
    }
    if (high - low <= Parting.APART) {
      return false;
    }
    Arrays.sort(stayed, 0, k);
    return parting.parts(stayed, k);
  }

  /** Makes the middle of those that stayed the centre. */
  private void recentre(double least, double most) {
    int k = 0;
    for (int i = 0; i < n; i++) {
      if (lasting[i] >= least && lasting[i] <= most) {
        stayed[k++] = y[i] - members.offset(i);
      }
    }
    now.centre = Robust.median(stayed, k);
    now.floor = floor(now.centre);
  }

  private double floor(double centre) {
    double absolute = FLOOR * metric.minDeviation();
    return Math.max(Math.max(absolute, RELATIVE_FLOOR * Math.abs(centre)), 1e-9);
  }

  @Override
  public void save(DataOutput out) throws IOException {
    out.writeDouble(turbulence.factor);
    out.writeDouble(peer);
    out.writeDouble(levelPeer);
    out.writeDouble(pool);
    out.writeDouble(turbulence.room);
    out.writeDouble(turbulence.beyond);
    out.writeByte(age);
    out.writeByte(together);
    out.writeDouble(seen);
    out.writeDouble(slow);
    out.writeDouble(now.moves);
    anchor.save(out);
    members.save(out);
  }

  @Override
  public void restore(DataInput in, int version) throws IOException {
    turbulence.factor = in.readDouble();
    peer = in.readDouble();
    levelPeer = in.readDouble();
    pool = in.readDouble();
    if (version >= 3) {
      turbulence.room = in.readDouble();
      turbulence.beyond = in.readDouble();
    }
    age = in.readByte();
    together = LEARNING;
    if (version >= 4) {
      together = in.readByte();
      seen = in.readDouble();
      slow = in.readDouble();
      now.moves = in.readDouble();
    }
    anchor.restore(in);
    members.restore(in, version);
  }
}
