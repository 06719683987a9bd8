package io.peerlens.benchmarks.learned;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rules of the Numenta anomaly benchmark (Lavin and Ahmad, "Evaluating Real-time Anomaly
 * Detection Algorithms", ICMLA 2015, and the README of numenta/NAB).
 *
 * <p>The first 15 % of a file, at most 750 rows, are for learning. In a window the earliest row at
 * or above the threshold counts, the more the earlier it is: {@code 2 sigmoid(-5 y) - 1}, y from -1
 * at the left edge to nearly 0 at the right one, scaled so that the left edge is worth the
 * profile's weight of a true positive; a window without one costs its weight of a miss. A row
 * outside of windows costs up to the weight of a false positive: little right behind a window, all
 * of it more than three widths behind or before the first. The threshold is the one that is best
 * over all files; the sum is scaled so that 0 is a detector that never speaks and 100 a perfect
 * one.
 */
final class NabScorer {

  /** What a true positive, a miss and a false positive weigh. */
  enum Profile {
    STANDARD("standard", 1, 1, 0.11),
    LOW_FP("low FP", 1, 1, 0.22),
    LOW_FN("low FN", 1, 2, 0.11);

    final String text;
    final double tp;
    final double fn;
    final double fp;

    Profile(String text, double tp, double fn, double fp) {
      this.text = text;
      this.tp = tp;
      this.fn = fn;
      this.fp = fp;
    }
  }

  /**
   * Scores of one file.
   *
   * @param windows first and last row of each window
   * @param learning rows before the first that counts
   * @param scores one for each row; the higher, the more unusual
   */
  record Scored(int[][] windows, int learning, double[] scores) {

    static Scored of(Labelled series, double[] scores) {
      return new Scored(series.segments(), Sets.probation(series.rows()), scores);
    }
  }

  /**
   * One row that counts.
   *
   * @param score the higher, the more unusual
   * @param weight as a detection
   * @param window its window, or -1
   */
  record Row(double score, double weight, int window) {}

  private NabScorer() {}

  private static double scaled(double position) {
    return position >= 3 ? -1 : 2 / (1 + Math.exp(5 * position)) - 1;
  }

  /**
   * The weight of each row as a detection, without the profile's: in a window 0 to 1, outside -1 to
   * 0.
   */
  static double[] weights(int[][] windows, int rows) {
    double[] weights = new double[rows];
    double most = scaled(-1);
    int next = 0;
    int lastEnd = -1;
    int lastWidth = 0;
    for (int i = 0; i < rows; i++) {
      if (next < windows.length && i > windows[next][1]) {
        lastEnd = windows[next][1];
        lastWidth = windows[next][1] - windows[next][0] + 1;
        next++;
      }
      if (next < windows.length && i >= windows[next][0]) {
        double width = windows[next][1] - windows[next][0] + 1;
        weights[i] = scaled(-(windows[next][1] - i + 1) / width) / most;
      } else {
        weights[i] = lastEnd < 0 ? -1 : scaled((i - lastEnd) / (lastWidth - 1.0));
      }
    }
    return weights;
  }

  /** The same as the standard profile counts them. */
  static double[] standardWeights(int[][] windows, int rows) {
    double[] weights = weights(windows, rows);
    for (int i = 0; i < rows; i++) {
      weights[i] *= window(windows, i) < 0 ? Profile.STANDARD.fp : Profile.STANDARD.tp;
    }
    return weights;
  }

  private static int window(int[][] windows, int row) {
    for (int w = 0; w < windows.length; w++) {
      if (row >= windows[w][0] && row <= windows[w][1]) {
        return w;
      }
    }
    return -1;
  }

  static List<Row> rows(Scored file, Profile profile, int firstWindow) {
    double[] weights = weights(file.windows(), file.scores().length);
    List<Row> rows = new ArrayList<>(weights.length);
    for (int i = file.learning(); i < weights.length; i++) {
      int w = window(file.windows(), i);
      rows.add(
          new Row(
              file.scores()[i],
              weights[i] * (w < 0 ? profile.fp : profile.tp),
              w < 0 ? -1 : firstWindow + w));
    }
    return rows;
  }

  /** The sum of weights of one file at a threshold. */
  static double raw(Scored file, Profile profile, double threshold) {
    double sum = 0;
    double[] best = new double[file.windows().length];
    boolean[] counts = new boolean[best.length];
    Arrays.fill(best, -profile.fn);
    for (Row row : rows(file, profile, 0)) {
      if (row.window >= 0) {
        counts[row.window] = true;
      }
      if (row.score >= threshold) {
        if (row.window < 0) {
          sum += row.weight;
        } else {
          best[row.window] = Math.max(best[row.window], row.weight);
        }
      }
    }
    for (int w = 0; w < best.length; w++) {
      sum += counts[w] ? best[w] : 0;
    }
    return sum;
  }

  /** Rows outside of windows at or above a threshold. */
  static int falsePositives(Scored file, double threshold) {
    int count = 0;
    for (Row row : rows(file, Profile.STANDARD, 0)) {
      if (row.window < 0 && row.score >= threshold) {
        count++;
      }
    }
    return count;
  }

  /** Rows in windows at or above a threshold. */
  static int truePositives(Scored file, double threshold) {
    int count = 0;
    for (Row row : rows(file, Profile.STANDARD, 0)) {
      if (row.window >= 0 && row.score >= threshold) {
        count++;
      }
    }
    return count;
  }

  /** What a threshold that is given gives over all files, scaled. */
  static double normalised(List<Scored> files, Profile profile, double threshold) {
    double raw = 0;
    int windows = 0;
    for (Scored file : files) {
      raw += raw(file, profile, threshold);
      windows += windows(file);
    }
    return normalise(raw, windows, profile);
  }

  /** Windows of a file that do not lie in what is for learning. */
  static int windows(Scored file) {
    int windows = 0;
    for (int[] w : file.windows()) {
      windows += w[1] >= file.learning() ? 1 : 0;
    }
    return windows;
  }

  static double normalise(double raw, int windows, Profile profile) {
    double never = -profile.fn * windows;
    return 100 * (raw - never) / (profile.tp * windows - never);
  }
}
