package io.peerlens.sizing;

/**
 * Rule by which a size is chosen.
 *
 * <p>A size is a trade: what is unused is paid for all day, and an hour in which demand was over it
 * hurts. {@code hourPrice} says how much: 0.3 = an hour a week over the size is as bad as 30 % of
 * the size unused. A fixed percentile makes the same trade for a steady machine, whose p99 is close
 * to its p95, and for one with rare bursts; the price makes it for each by what it costs there.
 * Fixed headroom on top buys less than a higher price does (benchmark "Right-sizing on public
 * traces"), so there is none unless somebody asks for it.
 *
 * @param hourPrice of an hour a week of CPU over the size, as a share of the size
 * @param memoryHourPrice the same of memory, where being over means paging or the end of a process
 * @param headroom that is added to the need in any case, as a share of it; 0.1 = 10 %
 * @param growthDays days for which a growth that is certain is added
 * @param fewestVcpus no size is below it, but a machine that has fewer keeps its own
 * @param leastMemoryGb the same of memory
 * @param seed of the intervals
 */
public record SizingRule(
    double hourPrice,
    double memoryHourPrice,
    double headroom,
    int growthDays,
    int fewestVcpus,
    double leastMemoryGb,
    long seed) {

  /** The usual rule. Any price from 0.05 to 1 is on the better side of fixed percentiles there. */
  public static final SizingRule USUAL = new SizingRule(0.3, 1, 0, 30, 2, 2, 24);

  /** Days with values that a recommendation needs: each day of the week once, and again. */
  public static final int FEWEST_DAYS = 14;

  /**
   * A rule.
   *
   * @throws IllegalArgumentException a number is negative, no number, or absurd
   */
  public SizingRule {
    check(hourPrice, 1e-6, 100, "hourPrice");
    check(memoryHourPrice, 1e-6, 100, "memoryHourPrice");
    check(headroom, 0, 2, "headroom");
    check(growthDays, 0, 366, "growthDays");
    check(fewestVcpus, 1, 64, "fewestVcpus");
    check(leastMemoryGb, 0.25, 1024, "leastMemoryGb");
  }

  private static void check(double value, double least, double most, String name) {
    if (!(value >= least && value <= most)) {
      throw new IllegalArgumentException(
          name + " is " + value + ". Use a number from " + least + " to " + most + ".");
    }
  }
}
