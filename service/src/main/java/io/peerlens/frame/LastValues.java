package io.peerlens.frame;

import io.peerlens.frame.MetricSets.Group;
import io.peerlens.frame.MetricSets.Sets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The last value of some metrics of every set of a group, moved on from moment to moment as rows
 * are told, in any order. Times are microseconds since 1970.
 */
final class LastValues {

  /** Spacing is judged by so many of a set's newest points. */
  private static final int POINTS = 6;

  private final Group group;
  private final @Nullable Object instances;
  private final Sets sets;
  private final int[] positions;
  private final double[][] values; // by position, then set
  private final long[][] times;
  private final long @Nullable [] points; // newest times of each set, descending

  /**
   * @param instances what the sets were chosen by
   * @param positions ascending
   * @param withSpacing whether it will be asked if values are fresh
   */
  LastValues(
      Group group, @Nullable Object instances, Sets sets, int[] positions, boolean withSpacing) {
    this.group = group;
    this.instances = instances;
    this.sets = sets;
    this.positions = positions;
    this.values = new double[positions.length][sets.ids().length];
    this.times = new long[positions.length][sets.ids().length];
    for (double[] column : values) {
      Arrays.fill(column, Double.NaN);
    }
    this.points = withSpacing ? new long[sets.ids().length * POINTS] : null;
  }

  Group group() {
    return group;
  }

  Sets sets() {
    return sets;
  }

  int[] positions() {
    return positions;
  }

  /** Whether it holds what is wanted, of the same sets. */
  boolean serves(
      @Nullable Object wantedInstances, Sets wanted, int[] wantedPositions, boolean spacing) {
    return sets == wanted
        && java.util.Objects.equals(instances, wantedInstances)
        && Arrays.equals(positions, wantedPositions)
        && (points != null || !spacing);
  }

  /** Tells a value of a row; what is older than known changes nothing. */
  void tell(int index, int place, long time, double value) {
    if (!Double.isNaN(value) && time >= times[index][place]) {
      times[index][place] = time;
      values[index][place] = value;
    }
  }

  /** Tells that a set has a raw row of a time. */
  void tellPoint(int place, long time) {
    long[] newest = points;
    if (newest == null) {
      return;
    }
    int from = place * POINTS;
    int at = from;
    while (at < from + POINTS && newest[at] > time) {
      at++;
    }
    if (at == from + POINTS || newest[at] == time) {
      return;
    }
    System.arraycopy(newest, at, newest, at + 1, from + POINTS - 1 - at);
    newest[at] = time;
  }

  /**
   * The last value of a metric at a place.
   *
   * @param after older values count no more
   */
  double value(int index, int place, long after) {
    return times[index][place] > after ? values[index][place] : Double.NaN;
  }

  long time(int index, int place) {
    return times[index][place];
  }

  /**
   * Whether the last value is younger than the usual time between points: the median of the newest
   * ones, at least one cycle.
   */
  boolean isFresh(int index, int place, long tick, long cycle) {
    long[] newest = points;
    if (newest == null) {
      return true;
    }
    long[] gaps = new long[POINTS - 1];
    int count = 0;
    for (int i = place * POINTS; i < place * POINTS + POINTS - 1 && newest[i + 1] > 0; i++) {
      gaps[count++] = newest[i] - newest[i + 1];
    }
    Arrays.sort(gaps, 0, count);
    long usual = count == 0 ? cycle : Math.max(cycle, gaps[count / 2]);
    return tick - times[index][place] < usual;
  }
}
