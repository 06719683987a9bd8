package io.peerlens.outliers;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/** Experimental. */
final class PeerScorer implements Scorer {

  static double p(String name, double d) {
    return Double.parseDouble(System.getProperty(name, String.valueOf(d)));
  }

  static final double OWN_N = p("ownN", 2016);
  static final double OFF_N = p("offN", 576);
  static final double CLIP = p("clip", 5);
  static final double FREEZE = p("freeze", 1000);
  static final double PRIOR_N = p("priorN", 24);
  static final double OFF_PRIOR = p("offPrior", 36);
  static final double PEER_W = p("peerW", 1);
  static final double OWN_W = p("ownW", 1);
  static final double PEER_N = p("peerN", 12);
  static final double FLOOR = p("floor", 0.4);
  static final double REL = p("rel", 0.05);
  static final double POW = p("pow", 2);
  static final double SIDED = p("sided", 1);
  static final double USE_OFF = p("useOff", 1);
  static final double SUS_W = p("susW", 0);
  static final double SUS_N = p("susN", 12);
  static final double SWING_W = p("swingW", 0);
  static final double SWING_N = p("swingN", 12);
  static final double LEVEL_GATE = p("levelGate", 4);
  static final double LOGT = p("log", 0);
  static final double LOGU = p("logU", 1);
  static final double BOTH = p("bothT", 0);

  private final Settings.Metric metric;
  private final Scale scale;
  private final boolean level;
  private int n;
  private float[] count;
  private float[] offset;
  private float[] up;
  private float[] down;
  private float[] sus;
  private float[] susVar;
  private float[] swing;
  private float[] swingMean;
  private float[] swingVar;
  private float[] prev;
  private double peer = Double.NaN;
  private double levelPeer = Double.NaN;
  private double[] y;
  private double[] d;
  private double[] sorted;
  private double[] poolUp;

  PeerScorer(boolean interchangeable, Settings settings, Settings.Metric metric, int members) {
    this.metric = metric;
    level = interchangeable;
    scale =
        LOGT > 0
            ? new Scale(LOGU * Math.max(metric.minDeviation(), 1e-6))
            : metric.transform() == Transform.LOG ? new Scale(metric.unitFloor()) : Scale.LINEAR;
    allocate(members);
  }

  private void allocate(int members) {
    n = members;
    count = new float[n];
    offset = new float[n];
    up = new float[n];
    down = new float[n];
    sus = new float[n];
    susVar = new float[n];
    swing = new float[n];
    swingMean = new float[n];
    swingVar = new float[n];
    prev = new float[n];
    Arrays.fill(prev, Float.NaN);
    y = new double[n];
    d = new double[n];
    sorted = new double[n];
    poolUp = new double[n];
  }

  private float[][] all() {
    return new float[][] {count, offset, up, down, sus, susVar, swing, swingMean, swingVar, prev};
  }

  @Override
  public void members(int[] from) {
    float[][] old = all();
    allocate(from.length);
    float[][] now = all();
    for (int a = 0; a < old.length; a++) {
      for (int i = 0; i < from.length; i++) {
        if (from[i] >= 0) {
          now[a][i] = old[a][from[i]];
        }
      }
    }
  }

  @Override
  public void score(long bucket, double[] values, boolean[] expected, Judgement.Column to) {
    int k = 0;
    for (int i = 0; i < n; i++) {
      y[i] = scale.of(values[i]);
      if (!Double.isNaN(y[i])) {
        sorted[k++] = y[i];
      }
    }
    to.scale = scale;
    if (k < 3) {
      to.state = k == 0 ? GroupState.NO_DATA : GroupState.TOO_FEW;
      return;
    }
    double centre = Robust.median(sorted, k);
    double levelMad = Robust.MAD_FACTOR * Robust.medianDistanceOfSorted(sorted, k, centre);
    // Offset-corrected centre.
    k = 0;
    for (int i = 0; i < n; i++) {
      if (!Double.isNaN(y[i])) {
        sorted[k++] = y[i] - off(i);
      }
    }
    double c = Robust.median(sorted, k);
    double mad = Robust.MAD_FACTOR * Robust.medianDistanceOfSorted(sorted, k, c);
    peer = Double.isNaN(peer) ? mad : peer + (mad - peer) / PEER_N;
    levelPeer = Double.isNaN(levelPeer) ? levelMad : levelPeer + (levelMad - levelPeer) / PEER_N;
    double floor = Math.max(FLOOR * metric.minDeviation(), 1e-9);
    floor = Math.max(floor, REL * Math.abs(scale.of(0) - c));
    // Pool.
    k = 0;
    for (int i = 0; i < n; i++) {
      if (count[i] >= 12) {
        poolUp[k++] = 0.5 * (up[i] + down[i]);
      }
    }
    double pool = k >= 3 ? Robust.median(poolUp, k) : Math.pow(peer, POW);
    to.state = GroupState.JUDGED;
    to.judged = n;
    to.centre = c;
    to.spread = Math.sqrt(PEER_W * peer * peer + Math.pow(pool, 2 / POW) + floor * floor);
    for (int i = 0; i < n; i++) {
      if (Double.isNaN(y[i])) {
        continue;
      }
      double raw = y[i] - centre;
      double zLevel = raw / Math.sqrt(levelPeer * levelPeer + floor * floor);
      double r = y[i] - c - off(i);
      double a = SIDED > 0 ? (r >= 0 ? up[i] : down[i]) : 0.5 * (up[i] + down[i]);
      double own = Math.pow((count[i] * a + PRIOR_N * pool) / (count[i] + PRIOR_N), 2 / POW);
      double s = Math.sqrt(PEER_W * peer * peer + OWN_W * own + floor * floor);
      double z = r / s;
      to.expected[i] = c + off(i);
      to.up[i] = s;
      to.down[i] = s;
      to.ratio[i] =
          metric.minDeviation() > 0
              ? Math.abs(values[i] - scale.back(to.expected[i])) / metric.minDeviation()
              : Double.POSITIVE_INFINITY;
      double best = z;
      Evidence why = Evidence.LEVEL;
      // Sustained.
      double u = Math.max(-3, Math.min(3, z));
      sus[i] += (float) ((u - sus[i]) / SUS_N);
      if (SUS_W > 0) {
        double v = (count[i] * susVar[i] + PRIOR_N * 0.15) / (count[i] + PRIOR_N);
        double zs = SUS_W * sus[i] / Math.sqrt(v + 0.01);
        if (Math.abs(zs) > Math.abs(best) && count[i] > 36) {
          best = zs;
          why = Evidence.SUSTAINED;
        }
      }
      double zw = 0;
      if (!Float.isNaN(prev[i])) {
        double step = Math.min(4, Math.abs(r - prev[i]) / s);
        swing[i] += (float) ((step - swing[i]) / SWING_N);
        if (SWING_W > 0 && count[i] > 48) {
          double v = (count[i] * swingVar[i] + PRIOR_N * 0.1) / (count[i] + PRIOR_N);
          zw = SWING_W * (swing[i] - swingMean[i]) / Math.sqrt(v + 0.01);
          if (zw > Math.abs(best)) {
            best = Math.copySign(zw, 1);
            why = Evidence.SWINGS;
            to.ratio[i] =
                Math.max(to.ratio[i], swing[i] * s / Math.max(1e-9, metric.minDeviation()));
          }
        }
      }
      prev[i] = (float) r;
      to.score[i] = best;
      to.evidence[i] = why;
      if (Math.abs(z) < FREEZE) {
        boolean fresh = count[i] < 288;
        count[i] = (float) Math.min(OWN_N, count[i] + 1);
        if (!(fresh && Math.abs(zLevel) > LEVEL_GATE)) {
          double lim = CLIP * s;
          double e = Math.max(-lim, Math.min(lim, raw - offset[i]));
          offset[i] += (float) (e / Math.min(OFF_N, count[i]));
        }
        double lim = CLIP * Math.max(s, 1e-9);
        double g = Math.pow(Math.min(lim, Math.abs(r)), POW);
        double rate = 2 / Math.min(OWN_N, count[i] + 1);
        if (count[i] > 6) {
          if (r >= 0) {
            up[i] += (float) ((g - up[i]) * rate);
          } else {
            down[i] += (float) ((g - down[i]) * rate);
          }
        } else {
          up[i] += (float) ((g - up[i]) / count[i]);
          down[i] = up[i];
        }
        susVar[i] += (float) ((sus[i] * sus[i] - susVar[i]) / count[i]);
        swingMean[i] += (float) ((swing[i] - swingMean[i]) / count[i]);
        double w = swing[i] - swingMean[i];
        swingVar[i] += (float) ((w * w - swingVar[i]) / count[i]);
      }
    }
  }

  private double off(int i) {
    return level || USE_OFF == 0 ? 0 : offset[i] * count[i] / (count[i] + OFF_PRIOR);
  }

  @Override
  public void save(DataOutput out) throws IOException {
    out.writeDouble(peer);
    out.writeDouble(levelPeer);
    for (float[] a : all()) {
      for (float v : a) {
        out.writeFloat(v);
      }
    }
  }

  @Override
  public void restore(DataInput in) throws IOException {
    peer = in.readDouble();
    levelPeer = in.readDouble();
    for (float[] a : all()) {
      for (int i = 0; i < a.length; i++) {
        a[i] = in.readFloat();
      }
    }
  }
}
