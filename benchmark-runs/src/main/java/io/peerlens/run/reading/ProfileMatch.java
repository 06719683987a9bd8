package io.peerlens.run.reading;

import io.peerlens.run.Parameter;
import io.peerlens.run.Run;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Likeness of a run to the load that was really there: the share of hours that look like the run.
 *
 * <p>An hour looks like a run when both have the same nearest place on a grid: block sizes of
 * powers of two (their mean size over the hour, rounded in log2: 4K takes 2.8K to 5.7K) and read
 * shares in steps of {@value #STEP} points (70 takes 65 to 75).
 *
 * @param test where the run is on the grid; null = it does not say its block size or read share
 * @param percent of the hours with a known load that look like the run; null = not known
 * @param most where most hours are; null = there are none
 * @param mostPercent of the hours that are there
 * @param hours with a known load
 * @param without hours with no load or an unknown one
 */
public record ProfileMatch(
    @Nullable Cell test,
    @Nullable Double percent,
    @Nullable Cell most,
    @Nullable Double mostPercent,
    double hours,
    double without) {

  private static final int STEP = 10;
  private static final double WHOLE = 100;

  /** Block sizes from 512 bytes to 1 GiB, all others are at its ends. */
  private static final int LEAST = 9;

  private static final int MOST = 30;

  /**
   * A place on the grid.
   *
   * @param log2 of the block size in bytes
   * @param reads read share, a multiple of 10
   */
  public record Cell(int log2, int reads) {

    /** In words: 8K 70/30, 4K all reads. */
    public String words() {
      return Wording.blockSize(Math.pow(2, log2)) + " " + mixture(reads);
    }
  }

  /**
   * The place of a block size and a read share.
   *
   * @return null = one of them is not known: not finite, a size of 0 or less, a share beyond 0 to
   *     100
   */
  public static @Nullable Cell cell(double blockSize, double readShare) {
    if (!(blockSize > 0)
        || !Double.isFinite(blockSize)
        || !(readShare >= 0 && readShare <= WHOLE)) {
      return null;
    }
    long log2 = Math.round(Math.log(blockSize) / Math.log(2));
    return new Cell((int) Math.clamp(log2, LEAST, MOST), (int) Math.round(readShare / STEP) * STEP);
  }

  static String mixture(double reads) {
    return reads >= WHOLE
        ? "all reads"
        : reads <= 0 ? "all writes" : Wording.number(reads) + "/" + Wording.number(WHOLE - reads);
  }

  /**
   * Where a run is: by its parameters, else by what it measured.
   *
   * @return null = it does not say
   */
  public static @Nullable Cell cell(Run run) {
    Double size = Settings.number(run, Parameter.BLOCK_SIZE);
    if (size == null) {
      size = ratio(RunFigures.value(run, "throughput"), RunFigures.value(run, "iops"));
    }
    Double share = Settings.number(run, Parameter.READ_SHARE);
    if (share == null) {
      Double reads = ratio(RunFigures.value(run, "read_iops"), RunFigures.value(run, "iops"));
      share = reads == null ? null : Double.valueOf(Math.min(WHOLE, WHOLE * reads));
    }
    return size == null || share == null ? null : cell(size, share);
  }

  private static @Nullable Double ratio(@Nullable Double a, @Nullable Double b) {
    return a == null || b == null || b == 0 ? null : Wording.finite(a / b);
  }

  /**
   * Compares a run with hours of a load.
   *
   * @param blockSizes mean bytes of an operation; not finite or 0 = no load
   * @param readShares as many, 0 to 100
   * @param hours as many: for how many hours it was so, at least 0
   * @throws IllegalArgumentException when the arrays differ in length or hours are below 0
   */
  public static ProfileMatch of(Run run, double[] blockSizes, double[] readShares, double[] hours) {
    if (blockSizes.length != readShares.length || blockSizes.length != hours.length) {
      throw new IllegalArgumentException(
          "%d block sizes, %d read shares and %d hours; give as many of each"
              .formatted(blockSizes.length, readShares.length, hours.length));
    }
    Map<Cell, Double> byCell = new HashMap<>();
    double known = 0;
    double without = 0;
    for (int i = 0; i < hours.length; i++) {
      if (!(hours[i] >= 0) || !Double.isFinite(hours[i])) {
        throw new IllegalArgumentException(
            "%s hours at place %d; hours are at least 0".formatted(hours[i], i));
      }
      Cell cell = cell(blockSizes[i], readShares[i]);
      if (cell == null) {
        without += hours[i];
      } else {
        byCell.merge(cell, hours[i], Double::sum);
        known += hours[i];
      }
    }
    Cell test = cell(run);
    if (known == 0) {
      return new ProfileMatch(test, null, null, null, 0, without);
    }
    Cell most = null;
    double longest = 0;
    for (Map.Entry<Cell, Double> one : byCell.entrySet()) {
      double time = one.getValue();
      if (time > longest || (time == longest && most != null && first(one.getKey(), most))) {
        most = one.getKey();
        longest = time;
      }
    }
    return new ProfileMatch(
        test,
        test == null ? null : Double.valueOf(WHOLE * byCell.getOrDefault(test, 0.0) / known),
        most,
        WHOLE * longest / known,
        known,
        without);
  }

  private static boolean first(Cell a, Cell b) {
    return a.log2() != b.log2() ? a.log2() < b.log2() : a.reads() > b.reads();
  }

  /** The test was 4K all reads; 0.4 % of the hours look like that. Most, 61 %, are 8K 70/30. */
  public String sentence() {
    if (test == null) {
      return "Whether the hours look like the test is not known: it does not say its block size or read share.";
    }
    if (percent == null || most == null || mostPercent == null) {
      return "The test was %s; no hour with a known load is there to compare."
          .formatted(test.words());
    }
    String like =
        percent == 0
            ? "no hour looks like that."
            : Wording.share(percent) + " of the hours look like that.";
    return "The test was %s; %s%s"
        .formatted(
            test.words(),
            like,
            most.equals(test)
                ? ""
                : (mostPercent > WHOLE / 2 ? " Most, %s, are %s." : " The most common, %s, are %s.")
                    .formatted(Wording.share(mostPercent), most.words()));
  }
}
