package io.peerlens.benchmarks.learned;

import io.peerlens.benchmarks.learned.NabScorer.Profile;
import io.peerlens.benchmarks.learned.NabScorer.Row;
import io.peerlens.benchmarks.learned.NabScorer.Scored;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The search for the one threshold that is best over all files, as the Numenta anomaly benchmark
 * does it: every score that occurs is tried. Files can count more than once or not at all, so that
 * samples of them need no sorting of their own.
 */
final class NabSweep {

  /**
   * The best threshold and what it gives.
   *
   * @param threshold rows at or above it are detections
   * @param raw sum of all weights
   * @param normalised 0 = never speaks, 100 = perfect
   */
  record Best(double threshold, double raw, double normalised) {}

  private final Profile profile;

  /** Rows that can change the sum, the highest score first. */
  private final double[] scores;

  private final double[] weights;
  private final int[] windows;
  private final int[] files;

  private final int allWindows;
  private final int[] windowsOfFile;
  private final int[] once;

  NabSweep(List<Scored> scored, Profile profile) {
    this.profile = profile;
    record Of(Row row, int file) {}
    List<Of> rows = new ArrayList<>();
    windowsOfFile = new int[scored.size()];
    int count = 0;
    for (int f = 0; f < scored.size(); f++) {
      int file = f;
      NabScorer.rows(scored.get(f), profile, count).forEach(r -> rows.add(new Of(r, file)));
      count += scored.get(f).windows().length;
      windowsOfFile[f] = NabScorer.windows(scored.get(f));
    }
    allWindows = count;
    rows.sort(Comparator.comparingDouble(o -> -o.row.score()));
    double[] best = new double[count];
    Arrays.fill(best, -profile.fn);
    // A row of a window that is worth no more than one with a higher score changes nothing.
    rows.removeIf(
        o -> {
          int window = o.row.window();
          if (window < 0) {
            return false;
          }
          boolean better = o.row.weight() > best[window];
          best[window] = Math.max(best[window], o.row.weight());
          return !better;
        });
    scores = rows.stream().mapToDouble(o -> o.row.score()).toArray();
    weights = rows.stream().mapToDouble(o -> o.row.weight()).toArray();
    windows = rows.stream().mapToInt(o -> o.row.window()).toArray();
    files = rows.stream().mapToInt(Of::file).toArray();
    once = new int[scored.size()];
    Arrays.fill(once, 1);
  }

  /** The best threshold over all files. */
  Best best() {
    return best(once);
  }

  /**
   * The best threshold over a sample of the files.
   *
   * @param times how often each file counts
   */
  Best best(int[] times) {
    double[] found = new double[allWindows];
    Arrays.fill(found, -profile.fn);
    int count = 0;
    for (int f = 0; f < times.length; f++) {
      count += times[f] * windowsOfFile[f];
    }
    double sum = -profile.fn * count;
    double missing = (profile.tp + profile.fn) * count;
    double most = sum;
    double threshold = Double.POSITIVE_INFINITY;
    for (int i = 0; i < scores.length; i++) {
      int n = times[files[i]];
      if (n > 0) {
        int window = windows[i];
        if (window < 0) {
          sum += n * weights[i];
        } else {
          double more = n * (weights[i] - found[window]);
          sum += more;
          missing -= more;
          found[window] = weights[i];
        }
      }
      if (sum > most && (i + 1 == scores.length || scores[i + 1] != scores[i])) {
        most = sum;
        threshold = scores[i];
      } else if (sum + missing < most) {
        break;
      }
    }
    return new Best(threshold, most, NabScorer.normalise(most, count, profile));
  }
}
