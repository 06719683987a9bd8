package io.peerlens.profile;

import java.util.List;
import java.util.Locale;

/**
 * The profiles that hours fall into: a histogram of hours by size of blocks and share of reads, and
 * clusters of it.
 *
 * <p>The size of an hour is the mean of its operations, so an hour of 4K and 256K at once is in the
 * middle between them; see {@link LoadProfile}.
 *
 * <p>The clusters are those of k-medoids over the cells of the histogram, weighted by hours. A
 * distance of 1 is a doubling of the size or 20 points of reads. There are as many clusters, up to
 * 5, as are well separated: each has a mean silhouette of at least 0.5, which Kaufman and Rousseeuw
 * (Finding Groups in Data, 1990) call a reasonable structure, a medoid at least 1 from the others,
 * at least 1 % of the hours, and a name of its own. Otherwise there is one, and its spread says how
 * much it hides. Where hours are spread evenly, clusters are parts of what has no gaps: they say
 * where hours are, not that there are so many kinds of work.
 *
 * @param cells that hours fall into, by size and share of reads
 * @param clusters the one with most hours first; empty = there is no hour to place
 * @param hours that are placed: neither idle nor without size
 * @param withoutSize hours that are not idle, and whose size is not known
 * @param silhouette mean over all hours, 0.5 to 1; NaN = there is one cluster or none
 */
public record Mixture(
    List<Cell> cells, List<Cluster> clusters, int hours, int withoutSize, double silhouette) {

  /** Points of reads that a cell is wide. */
  static final int POINTS = 10;

  public Mixture {
    cells = List.copyOf(cells);
    clusters = List.copyOf(clusters);
  }

  /**
   * A cell of the histogram.
   *
   * @param blockSize the usual size that it is around: half a doubling to both sides
   * @param readPercent the share of reads that it is around: 5 points to both sides, 0 to 100
   * @param hours in it
   * @param operations of these hours
   * @param cluster which of {@link #clusters} it belongs to
   */
  public record Cell(long blockSize, int readPercent, int hours, double operations, int cluster) {}

  /**
   * Hours that are alike.
   *
   * @param name such as {@code 8K 70/30}: the usual size next to its mean, and the share of reads
   *     to 5 points
   * @param hours in it
   * @param shareOfHours among those that are placed
   * @param shareOfOperations among those of the hours that are placed
   * @param blockSize mean bytes of an operation
   * @param readBlockSize of reads; NaN = there are none
   * @param writeBlockSize of writes; NaN = there are none
   * @param readShare reads among operations
   * @param iops operations a second in these hours
   * @param spread root of the mean square of distances of its hours from its middle cell: 1 is a
   *     doubling of the size or 20 points of reads
   */
  public record Cluster(
      String name,
      int hours,
      double shareOfHours,
      double shareOfOperations,
      double blockSize,
      double readBlockSize,
      double writeBlockSize,
      double readShare,
      Distribution iops,
      double spread) {

    /** {@code 8K 70/30, 61 % of hours}. */
    public String label() {
      return name + ", " + percent(shareOfHours) + " of hours";
    }
  }

  static int readCell(double readShare) {
    return (int) Math.round(readShare * 100 / POINTS);
  }

  static String name(double blockSize, double readShare) {
    int reads = (int) Math.round(readShare * 20) * 5;
    return BlockSize.text(BlockSize.usual(blockSize)) + " " + reads + "/" + (100 - reads);
  }

  /** A share in words: {@code 61 %}, {@code 0.4 %}. */
  static String percent(double share) {
    double percent = share * 100;
    if (percent > 0 && percent < 0.05) {
      return "<0.1 %";
    }
    return String.format(
        Locale.ROOT, percent < 9.95 && percent > 0 ? "%.1f %%" : "%.0f %%", percent);
  }
}
