package io.peerlens.benchmarks.accuracy;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What can be wrong with a member. "One" is {@link Trace#amplitude}: 10 points of CPU. */
enum Fault {
  // The eight of the first measurement (D2).
  PLUS_1("+10 points (+1)", true),
  PLUS_3("+30 points (+3)", true),
  SATURATED("saturated at 95 % (10)", true),
  SPIKE_15("spike of 15 minutes, +30", true),
  TIMES_3("x 3", true),
  RAMP_3("ramp to +30", true),
  DEAD("dead: 0", true),
  OSCILLATION("oscillation +-20", true),
  // Those that F1 adds.
  TIMES_1_5("x 1.5", false),
  TIMES_0_3("x 0.3", false),
  MINUS_1("-10 points (-1)", false),
  STUCK("stuck at one value", false),
  LAG("out of phase by 3 h", false),
  NOISE("noise x 5", false),
  NEW_WRONG("new member, +30 from its first hour", false),
  DRIFT("drift to +30 over 3 days", false),
  SWAP("two members swapped", false),
  TWO("two members +30", false),
  QUARTER("a quarter of six or more +30", false),
  // By size, in minimum deviations of the trace.
  UP_1(1),
  UP_1_5(1.5),
  UP_2(2),
  UP_3(3),
  UP_5(5),
  DOWN_1(-1),
  DOWN_1_5(-1.5),
  DOWN_2(-2),
  DOWN_3(-3),
  DOWN_5(-5);

  final String text;

  /** Whether it is one of the eight that the first aim was stated for, which are easy. */
  final boolean core;

  /** In minimum deviations, down below 0; 0 for the faults that have a kind instead. */
  final double size;

  Fault(String text, boolean core) {
    this.text = text;
    this.core = core;
    size = 0;
  }

  Fault(double size) {
    text = String.format(java.util.Locale.ROOT, "%+.1f minimum deviations", size);
    core = false;
    this.size = size;
  }

  /** The faults that have a kind, not only a size. */
  static List<Fault> kinds() {
    return Arrays.stream(values()).filter(f -> f.size == 0).toList();
  }

  /** Those that differ in size alone, upwards or downwards. */
  static List<Fault> sizes(boolean up) {
    return Arrays.stream(values()).filter(f -> up ? f.size > 0 : f.size < 0).toList();
  }

  /** How many buckets it lasts. */
  int length(Random random) {
    int length = 12 + random.nextInt(61);
    return switch (this) {
      case SPIKE_15 -> 3;
      case NEW_WRONG -> 72;
      case DRIFT -> 3 * 288;
      default -> length;
    };
  }

  /** Whether a trace is long enough for it and the fault can be told from nothing at all. */
  boolean fits(Trace trace, int start, int length) {
    return start + length + 12 < trace.buckets()
        && (this != DRIFT || trace.buckets() > 1000)
        && (this != QUARTER || trace.members() >= 6);
  }

  /** Changes the rows from..to in place. */
  void inject(Trace trace, double[][] rows, int start, int length, int member, Random random) {
    double one = trace.amplitude();
    int half = 2 + random.nextInt(4);
    int other = (member + 1 + random.nextInt(trace.members() - 1)) % trace.members();
    double stuck = rows[start][member];
    double[] own = new double[length];
    for (int k = 0; k < length; k++) {
      own[k] = rows[start + k][member];
    }
    for (int k = 0; k < length; k++) {
      double[] row = rows[start + k];
      double x = row[member];
      double y =
          switch (this) {
            case PLUS_1 -> x + one;
            case PLUS_3, SPIKE_15, NEW_WRONG, TWO, QUARTER -> x + 3 * one;
            case MINUS_1 -> x - one;
            case SATURATED -> trace.percent() ? 95 + (k % 3) : 10 * one;
            case TIMES_3 -> 3 * x;
            case TIMES_1_5 -> 1.5 * x;
            case TIMES_0_3 -> 0.3 * x;
            case RAMP_3, DRIFT -> x + 3 * one * (k + 1) / length;
            case DEAD -> 0;
            case OSCILLATION -> x + (k / half % 2 == 0 ? 2 : -2) * one;
            case STUCK -> stuck;
            case LAG -> start + k >= 36 ? trace.values()[start + k - 36][member] : x;
            case NOISE -> x + 4 * (x - mean(own, k));
            case SWAP -> row[other];
            default -> x + size * trace.minDeviation();
          };
      if (!Double.isNaN(x)) {
        if (this == SWAP && !Double.isNaN(y)) {
          row[other] = x;
        }
        row[member] = Math.max(0, Math.min(trace.top(), y));
        if (this == QUARTER) {
          for (int m = 1; m < trace.members() / 4; m++) {
            int at = (member + m) % trace.members();
            row[at] = Math.max(0, Math.min(trace.top(), row[at] + 3 * one));
          }
        }
        if (this == TWO) {
          row[other] = Math.max(0, Math.min(trace.top(), row[other] + 3 * one));
        }
      }
    }
  }

  /** The mean of the 13 values around k. */
  private static double mean(double[] own, int k) {
    double sum = 0;
    int n = 0;
    for (int i = Math.max(0, k - 6); i <= Math.min(own.length - 1, k + 6); i++) {
      if (!Double.isNaN(own[i])) {
        sum += own[i];
        n++;
      }
    }
    return n == 0 ? own[k] : sum / n;
  }
}
