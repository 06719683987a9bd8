package io.peerlens.profile;

/**
 * What a machine read and wrote, by bucket. A column is as long as the grid, or empty where nothing
 * of it is known. NaN = no value; a negative or infinite one is taken as none, and counted. The
 * columns are not copied.
 *
 * @param readIops operations a second
 * @param writeIops operations a second
 * @param readBytes bytes a second
 * @param writeBytes bytes a second
 * @param readLatency milliseconds, mean of the operations of the bucket
 * @param writeLatency milliseconds
 */
public record IoSeries(
    Grid grid,
    double[] readIops,
    double[] writeIops,
    double[] readBytes,
    double[] writeBytes,
    double[] readLatency,
    double[] writeLatency) {

  public IoSeries {
    fits(grid, "read IOPS", readIops);
    fits(grid, "write IOPS", writeIops);
    fits(grid, "read throughput", readBytes);
    fits(grid, "write throughput", writeBytes);
    fits(grid, "read latency", readLatency);
    fits(grid, "write latency", writeLatency);
  }

  private static void fits(Grid grid, String what, double[] column) {
    if (column.length != 0 && column.length != grid.count()) {
      throw new IllegalArgumentException(
          "The column %s has %d values, and the grid has %d buckets"
              .formatted(what, column.length, grid.count()));
    }
  }
}
