package io.peerlens.outliers;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Scores of one member at a time, by five kinds of evidence, and what is learnt of each member. The
 * method is described at {@link PeerScorer}. The member at hand is kept in fields, so that nothing
 * is allocated for it.
 */
final class MemberScorer {

  /** Makes the score comparable to one in standard deviations. */
  static final double SCORE = 1.55;

  static final double PRIOR = 24;
  private static final double OFFSET_PRIOR = 36;
  static final double CLIP = 5;
  static final double GATE = 3.5;
  static final double LEVEL_GATE = 6;
  static final double WRONG_CLIP = 4;

  /**
   * Up to this part of its buckets a member may be out for nothing: once in 1,000, three and a half
   * days of five minutes. With more, small groups raise more events; with less, groups in which all
   * members have bursts (disk) lose recall.
   */
  static final double RARE = 0.001;

  /**
   * No more buckets of one stretch count as bursts: a fault of hours says once that it happened,
   * and is found again when it comes back.
   */
  static final int BURST = 4;

  /**
   * How far follows from how often. Between 0.5 and 0.8 it makes no difference that could be
   * measured; 1 takes too much from members that were out a lot.
   */
  private static final double TAIL = 0.7;

  /** Buckets that {@link #RARE} is believed for, before a member has shown its own part. */
  private static final double TAIL_PRIOR = 200;

  /** However many its bursts, a member that is this many times as far out as others need is out. */
  private static final double MOST_ALLOWANCE = 10;

  /**
   * The weight of an hour's deviation: as it is, and in what is usual for such hours of the member,
   * where it is very steady. How quiet quiet groups are limits both: with these, the tiers without
   * faults of eight sample datacentres (seeds 1 to 7 and 42) have 16 events in five days, 3 of them
   * in the one that is shipped; with 2.35 instead of 2.2 they have 34.
   */
  private static final double SUSTAINED = 2.2;

  private static final double SUSTAINED_STEADY = 0.65;

  /** A single deviation counts in the hour's mean up to this. */
  static final double SUSTAINED_CLIP = 4;

  private static final double SWINGS = 0.4;
  private static final double STUCK = 1.2;
  private static final double SILENT = 0.85;
  private static final double WINDOW = 12;

  /** Buckets for which the group's part of zeros is believed, before a member has shown its own. */
  private static final double ZERO_PRIOR = 12;

  /** A member may move by up to this much more than its group, for each unit, and by 1 less. */
  private static final double MOST_RESPONSE = 2;

  /** Buckets before half of what was learnt of it is believed: eight hours of five minutes. */
  private static final double RESPONSE_PRIOR = 96;

  /** How far the group must have moved for it to be believed, in squared scales. */
  private static final double LEAST_MOVES = 0.3;

  /** Buckets out, less those back, from which on the way back is no swing. */
  private static final int LASTED = 3;

  // Fields of the state of a member.

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
  static final int BURSTS = 15;
  static final int BURSTY = 16;
  private static final int RESPONSE = 17;
  private static final int FIELDS = 18;

  /** Those of states before version 4. */
  private static final int FIELDS_BEFORE = 17;

  private final boolean level;
  private final double minDeviation;
  private final Scale scale;
  private final double day;
  private final double patience;
  private final double ownMemory;
  private final double offsetMemory;

  /** How often members of this group are 0. */
  private double zeros;

  /** FIELDS floats for each member. */
  private float[] state;

  // The member at hand.

  private int s;
  private double count;
  private double x;
  private double raw;
  private double r;
  private double size;

  /** What the member moves more than its group now. */
  private double more;

  private double z;
  private double mean;
  private double swing;
  private double run;
  private boolean same;

  /** The largest evidence so far, how it compares to the least deviation, and its kind. */
  private double best;

  private double ratio;
  private Evidence why = Evidence.LEVEL;

  /**
   * @param level whether members are interchangeable
   * @param day buckets of a day
   * @param patience buckets of an hour
   */
  MemberScorer(
      boolean level, double minDeviation, Scale scale, double day, double patience, int members) {
    this.level = level;
    this.minDeviation = minDeviation;
    this.scale = scale;
    this.day = day;
    this.patience = patience;
    ownMemory = 7 * day;
    offsetMemory = 2 * day;
    state = fresh(members);
  }

  private static float[] fresh(int members) {
    float[] state = new float[members * FIELDS];
    for (int i = 0; i < members; i++) {
      state[i * FIELDS + BEFORE] = Float.NaN;
      state[i * FIELDS + VALUE] = Float.NaN;
    }
    return state;
  }

  /** Changes the members, as in {@link Scorer#members}. */
  void members(int[] from) {
    float[] next = fresh(from.length);
    for (int i = 0; i < from.length; i++) {
      if (from[i] >= 0) {
        System.arraycopy(state, from[i] * FIELDS, next, i * FIELDS, FIELDS);
      }
    }
    state = next;
  }

  /** Whether the value of a member is the one before. */
  boolean isStill(int i, double value) {
    return (float) value == state[i * FIELDS + VALUE];
  }

  /** Notes that a member has no value. */
  void absent(int i) {
    state[i * FIELDS + BEFORE] = Float.NaN;
  }

  /** Squared scale of a member on the side of a residual. */
  double ownScale(int i, double residual, double pool) {
    double q = state[i * FIELDS + (residual >= 0 ? UP : DOWN)];
    double seen = state[i * FIELDS + COUNT];
    return (seen * q + PRIOR * pool) / (seen + PRIOR);
  }

  /**
   * Squared scale of a typical member; also takes note of how often members are 0.
   *
   * @param sorted is overwritten
   * @param unknown where less than three are known
   */
  double typicalScale(double[] sorted, double unknown) {
    int k = 0;
    double zero = 0.5;
    double seen = 1;
    for (int at = 0; at < state.length; at += FIELDS) {
      zero += state[at + ZEROS] * state[at + COUNT];
      seen += state[at + COUNT];
      if (state[at + COUNT] >= 12) {
        sorted[k++] = 0.5 * (state[at + UP] + state[at + DOWN]);
      }
    }
    zeros = zero / seen;
    return k >= 3 ? Robust.median(sorted, k) : unknown;
  }

  double typicalSpread(PeerScorer.Bucket in) {
    return Math.sqrt((in.pool + in.tiny) * in.turbulence * in.turbulence + in.floor * in.floor);
  }

  /** The hour's mean of the member's deviations, in its scales; what {@link #sustained} keeps. */
  double mean(int i) {
    return state[i * FIELDS + MEAN];
  }

  /** Whether what is usual is known, from an eighth of a day, of more than half of k members. */
  boolean settled(int k) {
    int known = 0;
    for (int at = 0; at < state.length; at += FIELDS) {
      known += state[at + COUNT] >= day / 8 ? 1 : 0;
    }
    return !level && 2 * known > k;
  }

  /**
   * By how much the member moves more than its group does, in this bucket: the slope of its
   * residuals over the moves of the centre, by ridge regression, times the move.
   */
  double response(int i, PeerScorer.Bucket in) {
    if (level) {
      return 0;
    }
    double seen = state[i * FIELDS + COUNT];
    double slope =
        state[i * FIELDS + RESPONSE]
            / (in.moves + LEAST_MOVES * (in.pool + in.floor * in.floor))
            * (seen / (seen + RESPONSE_PRIOR));
    return Math.max(-1, Math.min(MOST_RESPONSE, slope)) * in.moved;
  }

  /** What is usual for the member and forgiven. */
  double offset(int i) {
    return level ? 0 : usual(i);
  }

  /** What is usual for the member, with as much trust as has been earned. */
  double usual(int i) {
    float count = state[i * FIELDS + COUNT];
    return state[i * FIELDS + OFFSET] * count / (count + OFFSET_PRIOR);
  }

  /** By how much farther than others a member has to be out, for the bursts it is known for. */
  private double allowance() {
    double part = (count * state[s + BURSTY] + TAIL_PRIOR * RARE) / (count + TAIL_PRIOR);
    return part <= RARE ? 1 : Math.min(MOST_ALLOWANCE, Math.pow(part / RARE, TAIL));
  }

  /**
   * Scores a member and learns of it.
   *
   * @param own its squared scale
   */
  void score(
      int i,
      double value,
      double y,
      double own,
      boolean expected,
      PeerScorer.Bucket in,
      Judgement.Column to) {
    s = i * FIELDS;
    count = state[s + COUNT];
    x = value;
    raw = y - in.median;
    more = response(i, in);
    r = y - in.centre - offset(i) - more;
    double f = in.turbulence;
    double unknown = count < day ? OFFSET_PRIOR / (count + OFFSET_PRIOR) * in.levelPeer : 0;
    double wide = level ? in.levelPeer : unknown;
    double own2 = (own + in.tiny) * f * f + in.floor * in.floor + wide * wide;
    size = Math.sqrt(own2);
    double allowance = allowance() * in.tail;
    z = r / size;
    double usual = in.centre + offset(i) + more;

    best = z / allowance;
    ratio =
        minDeviation > 0
            ? Math.abs(x - scale.back(usual)) / minDeviation
            : Double.POSITIVE_INFINITY;
    why = Evidence.LEVEL;
    sustained(allowance, in);
    swings(allowance);
    silent(in);
    stuck(in);

    to.expected[i] = usual;
    to.up[i] = size * allowance / SCORE;
    to.down[i] = size * allowance / SCORE;
    to.floor[i] = in.floor * in.floor > 0.5 * own2;
    to.ratio[i] = ratio;
    to.evidence[i] = why;
    if (to.state == GroupState.JUDGED) {
      to.score[i] = best * SCORE;
    }
    learn(i, expected, in);
  }

  private void sustained(double allowance, PeerScorer.Bucket in) {
    // What came before the way back from a fault is no reason to think that it goes on.
    mean = state[s + OUT] >= LASTED && Math.abs(z) < 1 ? 0 : state[s + MEAN];
    mean += (Math.max(-SUSTAINED_CLIP, Math.min(SUSTAINED_CLIP, z)) - mean) / WINDOW;
    if (count > 3 * WINDOW) {
      double square = state[s + MEAN_SQUARE];
      double steady = (count * square + PRIOR * 0.15) / (count + PRIOR) + 0.01;
      double weight =
          Math.sqrt(
              Math.max(
                  SUSTAINED * SUSTAINED / (1 + square),
                  SUSTAINED_STEADY * SUSTAINED_STEADY / steady));
      double sustained = weight * mean / (in.persistence * allowance);
      // Only while it lasts: what is over must let its event close.
      if (Math.abs(sustained) > Math.abs(best)
          && z * mean > 0
          && 2 * Math.abs(z) > Math.abs(mean)) {
        best = sustained;
        why = Evidence.SUSTAINED;
      }
    }
  }

  private void swings(double allowance) {
    swing = state[s + SWING];
    if (Float.isNaN(state[s + BEFORE])) {
      return;
    }
    // The way back from a fault that lasted is its end, not one more swing.
    boolean back = state[s + OUT] >= LASTED && Math.abs(z) < GATE;
    double step = back ? 0 : Math.min(4, Math.abs(r - state[s + BEFORE]) / size);
    swing += (step - swing) / WINDOW;
    if (count > 4 * WINDOW) {
      double square = (count * state[s + SWING_SQUARE] + PRIOR * 0.1) / (count + PRIOR);
      double swings =
          SWINGS * (swing - state[s + SWING_MEAN]) / Math.sqrt(square + 0.01) / allowance;
      if (swings > Math.abs(best)) {
        best = swings;
        why = Evidence.SWINGS;
        if (minDeviation > 0) {
          ratio = Math.max(ratio, swing * size / minDeviation);
        }
      }
    }
  }

  private void silent(PeerScorer.Bucket in) {
    if (x == 0 && in.silent && count > 3 * WINDOW) {
      double p = (state[s + ZEROS] * count + ZERO_PRIOR * zeros) / (count + ZERO_PRIOR);
      double silent = SILENT * Math.sqrt(-2 * Math.log(p));
      if (silent > Math.abs(best)) {
        best = -silent;
        ratio = Math.max(1, ratio);
        why = Evidence.SILENT;
      }
    }
  }

  private void stuck(PeerScorer.Bucket in) {
    same = (float) x == state[s + VALUE];
    run = same ? state[s + RUN] + 1 : 0;
    if (run >= 5 && in.moving && x != 0 && count > 6 * WINDOW) {
      double stuck = STUCK * run / (3 + state[s + LONGEST]);
      if (stuck > Math.abs(best)) {
        best = -stuck;
        ratio = Math.max(1, ratio);
        why = Evidence.STUCK;
      }
    }
  }

  private void learn(int i, boolean expected, PeerScorer.Bucket in) {
    double f = in.turbulence;
    double floor = in.floor;
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
    } else if (!in.silent) {
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
    boolean wrong = first && Math.abs(raw) >= LEVEL_GATE * Math.hypot(in.levelPeer, floor);
    count = Math.min(ownMemory, count + 1);
    state[s + COUNT] = (float) count;
    double limit = wrong ? WRONG_CLIP * typicalSpread(in) : CLIP * size;
    if (Math.abs(z) < GATE) {
      state[s + BURSTS] +=
          (float) (((out > 0 && out <= BURST ? 1 : 0) - state[s + BURSTS]) / count);
      state[s + BURSTY] += (float) ((state[s + BURSTS] - state[s + BURSTY]) * 2 / day);
    }
    // Against a median that two others have pulled away nobody learns where it belongs.
    if (!in.parted && (expected || (!wrong && Math.abs(z) < GATE))) {
      double e = Math.max(-limit, Math.min(limit, raw - state[s + OFFSET]));
      state[s + OFFSET] += (float) (e / Math.min(offsetMemory, count));
    }
    double moved = Math.max(-limit, Math.min(limit, r + more)) * in.moved;
    state[s + RESPONSE] += (float) ((moved - state[s + RESPONSE]) / count);
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

  void save(DataOutput out) throws IOException {
    for (float v : state) {
      out.writeFloat(v);
    }
  }

  void restore(DataInput in, int version) throws IOException {
    int fields = version >= 4 ? FIELDS : FIELDS_BEFORE;
    for (int at = 0; at < state.length; at += FIELDS) {
      for (int field = 0; field < fields; field++) {
        state[at + field] = in.readFloat();
      }
    }
  }
}
