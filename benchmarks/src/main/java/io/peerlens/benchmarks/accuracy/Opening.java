package io.peerlens.benchmarks.accuracy;

/**
 * The life of an event as the product has it, seen from the other end: the highest threshold at
 * which an event would open. An event opens at T when three of the last four scores reach T on one
 * side, or the last two 3 T; so the opening score of a bucket is the larger of the third largest of
 * the last four and a third of the smaller of the last two. All detectors get the same life.
 */
final class Opening {

  private static final int CLOSES_AFTER = 6;
  private static final int COOLDOWN = 6;

  private Opening() {}

  /** The opening score of every bucket; 0 where nobody was judged. */
  static float[] of(float[] scores) {
    float[] opening = new float[scores.length];
    float[] last = new float[4];
    int n = 0;
    for (int t = 0; t < scores.length; t++) {
      if (Float.isNaN(scores[t])) {
        continue;
      }
      last[n++ & 3] = scores[t];
      if (n >= 3) {
        float now = scores[t];
        float before = last[(n - 2) & 3];
        int sign = now < 0 ? -1 : 1;
        float best = third(last, Math.min(n, 4), sign);
        float two = Math.min(now * sign, before * sign) / 3;
        opening[t] = Math.min(now * sign, Math.max(best, two));
      }
    }
    return opening;
  }

  private static float third(float[] last, int n, int sign) {
    float a = Float.NEGATIVE_INFINITY;
    float b = a;
    float c = a;
    for (int i = 0; i < n; i++) {
      float v = last[i] * sign;
      if (v > a) {
        c = b;
        b = a;
        a = v;
      } else if (v > b) {
        c = b;
        b = v;
      } else if (v > c) {
        c = v;
      }
    }
    return c;
  }

  /** How many events there are from a bucket on at this threshold. */
  static int events(float[] scores, float[] opening, int from, double threshold) {
    int events = 0;
    int calm = 0;
    int closed = Integer.MIN_VALUE / 2;
    boolean open = false;
    for (int t = from; t < scores.length; t++) {
      if (Float.isNaN(scores[t])) {
        continue;
      }
      if (open) {
        calm = Math.abs(scores[t]) < 0.6 * threshold ? calm + 1 : 0;
        if (calm >= CLOSES_AFTER) {
          open = false;
          closed = t;
        }
      } else if (opening[t] >= threshold) {
        open = true;
        calm = 0;
        if (t - closed > COOLDOWN) {
          events++;
        }
      }
    }
    return events;
  }
}
