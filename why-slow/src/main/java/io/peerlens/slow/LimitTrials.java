package io.peerlens.slow;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * What other limits would have done to a disk, from its history.
 *
 * <p>A limit cuts a step in which more is asked for, counted in 32 KB. The latency that it makes is
 * estimated from the steps in which no limit delayed: a machine keeps as many operations in flight
 * as it did (asked for times latency, as Little's law has it), so where only a part of them is let
 * through each takes longer by as much. It is never below what was measured without a delay.
 *
 * @param rows ascending; no limit last
 * @param needed the limit that the 95th percentile of what was asked for needs, rounded up to 10; 0
 *     = too little history
 * @param censored whether in some steps today's limit hid how much more was asked for, so that
 *     figures of higher limits are lower bounds
 * @param first first step with data
 */
public record LimitTrials(List<Row> rows, long needed, boolean censored, int first) {

  /**
   * A limit that is tried.
   *
   * @param limit 0 = none
   * @param minutesCut minutes in which it cuts
   * @param share of the minutes with data
   * @param p95 95th percentile of the latency in ms; NaN = not known
   * @param estimated whether this is an estimate; that of today's limit is one where it was set
   *     later than the history begins
   */
  public record Row(
      long limit,
      boolean now,
      boolean forP95,
      long minutesCut,
      double share,
      double p95,
      boolean estimated) {}

  private static final double P95 = 0.95;
  private static final double NEAR = 0.98;
  private static final long ROUND = 10;

  /** Steps that history needs. */
  private static final int LEAST = 288;

  public LimitTrials {
    rows = List.copyOf(rows);
  }

  /** Nothing is known. */
  public static LimitTrials none() {
    return new LimitTrials(List.of(), 0, false, 0);
  }

  /**
   * @param disk its limit is that of today; its series are the history
   * @param stepSeconds length of a step
   */
  public static LimitTrials of(DiskLimit disk, int stepSeconds) {
    double[] asked = disk.counted();
    double[] sorted = Robust.sorted(asked, 0, asked.length);
    if (sorted.length < LEAST) {
      return none();
    }
    long needed = roundUp(Robust.quantile(sorted, P95));
    long now = Math.round(disk.limit());
    TreeSet<Long> limits = new TreeSet<>(List.of(now, needed, roundUp(disk.limit() / 2), now * 2));
    limits.remove(0L);
    boolean censored = false;
    for (double one : asked) {
      censored |= one >= NEAR * disk.limit() && one <= disk.limit() / NEAR;
    }
    double[] free = free(disk);
    double typical = Robust.quantile(Robust.sorted(free, 0, free.length), 0.5);
    List<Row> rows = new ArrayList<>();
    for (long limit : limits) {
      rows.add(row(disk, limit, limit == now, limit == needed, typical, stepSeconds));
    }
    rows.add(row(disk, 0, false, false, typical, stepSeconds));
    int first = 0;
    while (Double.isNaN(asked[first])) {
      first++;
    }
    return new LimitTrials(rows, needed, censored, first);
  }

  private static long roundUp(double value) {
    return (long) Math.ceil(value / ROUND) * ROUND;
  }

  /** Latencies in the steps in which the limit did not delay. */
  private static double[] free(DiskLimit disk) {
    double[] free = disk.latency().clone();
    for (int i = 0; i < free.length; i++) {
      if (LimitReading.bindsAt(disk, i)) {
        free[i] = Double.NaN;
      }
    }
    return free;
  }

  private static Row row(
      DiskLimit disk, long limit, boolean now, boolean forP95, double typical, int stepSeconds) {
    double[] latency = new double[disk.counted().length];
    int known = 0;
    int cut = 0;
    int count = 0;
    boolean estimated = !now;
    for (int i = 0; i < latency.length; i++) {
      double asked = disk.counted()[i];
      if (Double.isNaN(asked)) {
        continue;
      }
      known++;
      boolean cuts = limit > 0 && asked > limit;
      cut += cuts ? 1 : 0;
      double measured = disk.latency()[i];
      boolean binds = LimitReading.bindsAt(disk, i);
      double without = binds ? Math.min(measured, typical) : measured;
      boolean inForce = now && (binds || !cuts);
      double is = inForce ? measured : cuts ? without * asked / limit : without;
      estimated |= !inForce;
      if (!Double.isNaN(is)) {
        latency[count++] = is;
      }
    }
    double[] sorted = Robust.sorted(latency, 0, count);
    return new Row(
        limit,
        now,
        forP95,
        Math.round(cut * stepSeconds / 60.0),
        (double) cut / known,
        Robust.quantile(sorted, P95),
        estimated);
  }
}
