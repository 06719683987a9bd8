package io.peerlens.profile;

import io.peerlens.profile.Mixture.Cell;
import io.peerlens.profile.Mixture.Cluster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Hours placed in the cells of a histogram, and the clusters of these. */
final class MixtureBuilder {

  private static final int SIZES = BlockSize.MOST_LOG2 - BlockSize.LEAST_LOG2 + 1;
  private static final int READS = 100 / Mixture.POINTS + 1;
  private static final int MOST_CLUSTERS = 5;

  /** Kaufman and Rousseeuw (1990), table 4: from here on a structure is reasonable. */
  private static final double REASONABLE = 0.5;

  private static final double LEAST_SHARE = 0.01;

  /** Medoids that are nearer are one profile: a doubling of the size, or 20 points of reads. */
  private static final double LEAST_DISTANCE = 1 - 1e-9;

  /** Share of reads that is as far as a doubling of the size. */
  private static final double READS_OF_A_DOUBLING = 0.2;

  private static final int NOWHERE = -1;

  private final HourSums sums;
  private final double[] iops;

  /** Cell of each hour. */
  private final int[] cellOf;

  private final Totals[] totals = new Totals[SIZES * READS];
  private int placed;
  private int withoutSize;

  /** What hours have in common that are taken together. */
  private static final class Totals {
    int hours;
    double operations;
    double reads;
    double sizedReads;
    double sizedReadBytes;
    double sizedWrites;
    double sizedWriteBytes;
    double log2Size;
    double readShare;

    /** Sum of the squares of where hours are. */
    double squares;

    void add(Totals other) {
      hours += other.hours;
      operations += other.operations;
      reads += other.reads;
      sizedReads += other.sizedReads;
      sizedReadBytes += other.sizedReadBytes;
      sizedWrites += other.sizedWrites;
      sizedWriteBytes += other.sizedWriteBytes;
      log2Size += other.log2Size;
      readShare += other.readShare;
      squares += other.squares;
    }

    /** Where the hours are in the mean: size in doublings. */
    double x() {
      return log2Size / hours;
    }

    /** Where the hours are in the mean: share of reads, in units that a doubling is. */
    double y() {
      return readShare / hours / READS_OF_A_DOUBLING;
    }

    /** Mean square of the distance of the hours from where they are in the mean. */
    double variance() {
      return Math.max(0, squares / hours - x() * x() - y() * y());
    }

    double blockSize() {
      return (sizedReadBytes + sizedWriteBytes) / (sizedReads + sizedWrites);
    }
  }

  /**
   * @param iops operations a second of each hour; NaN = not known, or the hour does not count
   */
  MixtureBuilder(HourSums sums, double[] iops) {
    this.sums = sums;
    this.iops = iops;
    cellOf = new int[iops.length];
    Arrays.fill(cellOf, NOWHERE);
  }

  Mixture build(double idleIops) {
    for (int i = 0; i < iops.length; i++) {
      if (iops[i] >= idleIops && iops[i] > 0) {
        place(i);
      }
    }
    List<Integer> used = new ArrayList<>();
    for (int c = 0; c < totals.length; c++) {
      if (totals[c] != null) {
        used.add(c);
      }
    }
    if (used.isEmpty()) {
      return new Mixture(List.of(), List.of(), 0, withoutSize, Double.NaN);
    }
    return cluster(used.stream().mapToInt(Integer::intValue).toArray());
  }

  private void place(int hour) {
    double operations = sums.sizedReads[hour] + sums.sizedWrites[hour];
    double bytes = sums.sizedReadBytes[hour] + sums.sizedWriteBytes[hour];
    if (!(operations > 0) || !(bytes > 0)) {
      withoutSize++;
      return;
    }
    double readShare = sums.readIops[hour] / iops[hour];
    double size = bytes / operations;
    int cell =
        (BlockSize.nearest(size) - BlockSize.LEAST_LOG2) * READS + Mixture.readCell(readShare);
    Totals at = totals[cell];
    if (at == null) {
      at = new Totals();
      totals[cell] = at;
    }
    double seconds = sums.grid.bucket().seconds();
    at.hours++;
    at.operations += iops[hour] * seconds;
    at.reads += sums.readIops[hour] * seconds;
    at.sizedReads += sums.sizedReads[hour] * seconds;
    at.sizedReadBytes += sums.sizedReadBytes[hour] * seconds;
    at.sizedWrites += sums.sizedWrites[hour] * seconds;
    at.sizedWriteBytes += sums.sizedWriteBytes[hour] * seconds;
    double x = BlockSize.log2(size);
    double y = readShare / READS_OF_A_DOUBLING;
    at.log2Size += x;
    at.readShare += readShare;
    at.squares += x * x + y * y;
    cellOf[hour] = cell;
    placed++;
  }

  private Mixture cluster(int[] used) {
    int n = used.length;
    double[] weight = new double[n];
    double[][] distance = new double[n][n];
    // Between two hours of two cells, or of one: root of the mean square. Without what hours of a
    // cell are apart, each cell would be a perfect cluster.
    double[][] ofHours = new double[n][n];
    for (int i = 0; i < n; i++) {
      Totals one = totals[used[i]];
      weight[i] = one.hours;
      for (int j = 0; j <= i; j++) {
        Totals other = totals[used[j]];
        double apart = Math.hypot(one.x() - other.x(), one.y() - other.y());
        distance[i][j] = apart;
        distance[j][i] = apart;
        ofHours[i][j] = Math.sqrt(apart * apart + one.variance() + other.variance());
        ofHours[j][i] = ofHours[i][j];
      }
    }
    Medoids chosen = Medoids.of(distance, weight, 1);
    double silhouette = Double.NaN;
    for (int k = Math.min(MOST_CLUSTERS, n); k > 1; k--) {
      Medoids medoids = Medoids.of(distance, weight, k);
      double[] silhouettes = medoids.silhouettes(ofHours, weight);
      if (Arrays.stream(silhouettes).allMatch(it -> it >= REASONABLE)
          && apart(medoids, distance)
          && named(medoids, used)) {
        chosen = medoids;
        silhouette = 0;
        for (int i = 0; i < n; i++) {
          silhouette += weight[i] * silhouettes[medoids.cluster()[i]] / placed;
        }
        break;
      }
    }
    return result(chosen, used, distance, silhouette);
  }

  private static boolean apart(Medoids medoids, double[][] distance) {
    for (int one : medoids.medoids()) {
      for (int other : medoids.medoids()) {
        if (one != other && distance[one][other] < LEAST_DISTANCE) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether all clusters are large enough and have names of their own. */
  private boolean named(Medoids medoids, int[] used) {
    Set<String> names = new HashSet<>();
    for (Totals one : sums(medoids, used)) {
      if (one.hours < LEAST_SHARE * placed
          || !names.add(Mixture.name(one.blockSize(), one.reads / one.operations))) {
        return false;
      }
    }
    return true;
  }

  private Totals[] sums(Medoids medoids, int[] used) {
    Totals[] sums = new Totals[medoids.medoids().length];
    for (int m = 0; m < sums.length; m++) {
      sums[m] = new Totals();
    }
    for (int i = 0; i < used.length; i++) {
      sums[medoids.cluster()[i]].add(totals[used[i]]);
    }
    return sums;
  }

  private Mixture result(Medoids medoids, int[] used, double[][] distance, double silhouette) {
    Totals[] each = sums(medoids, used);
    double[] spread = new double[each.length];
    int[] clusterOf = new int[totals.length];
    for (int i = 0; i < used.length; i++) {
      int m = medoids.cluster()[i];
      Totals one = totals[used[i]];
      double apart = distance[i][medoids.medoids()[m]];
      spread[m] += one.hours * (apart * apart + one.variance()) / each[m].hours;
      clusterOf[used[i]] = m;
    }
    double operations = Arrays.stream(each).mapToDouble(it -> it.operations).sum();
    Integer[] order = new Integer[each.length];
    Arrays.setAll(order, m -> m);
    Arrays.sort(order, Comparator.comparingInt(m -> -each[m].hours));
    List<Cluster> clusters = new ArrayList<>();
    int[] position = new int[each.length];
    for (int m : order) {
      position[m] = clusters.size();
      Totals one = each[m];
      clusters.add(
          new Cluster(
              Mixture.name(one.blockSize(), one.reads / one.operations),
              one.hours,
              (double) one.hours / placed,
              one.operations / operations,
              one.blockSize(),
              ratio(one.sizedReadBytes, one.sizedReads),
              ratio(one.sizedWriteBytes, one.sizedWrites),
              one.reads / one.operations,
              Distribution.of(sums.grid, hoursOf(m, clusterOf)),
              Math.sqrt(spread[m])));
    }
    List<Cell> cells = new ArrayList<>();
    for (int c : used) {
      cells.add(
          new Cell(
              1L << (BlockSize.LEAST_LOG2 + c / READS),
              c % READS * Mixture.POINTS,
              totals[c].hours,
              totals[c].operations,
              position[clusterOf[c]]));
    }
    return new Mixture(cells, clusters, placed, withoutSize, silhouette);
  }

  private double[] hoursOf(int cluster, int[] clusterOf) {
    double[] column = new double[iops.length];
    for (int i = 0; i < column.length; i++) {
      column[i] = cellOf[i] != NOWHERE && clusterOf[cellOf[i]] == cluster ? iops[i] : Double.NaN;
    }
    return column;
  }

  static double ratio(double above, double below) {
    return below > 0 ? above / below : Double.NaN;
  }
}
