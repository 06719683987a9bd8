package io.peerlens.series;

import io.peerlens.store.Level;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A ranking.
 *
 * @param unit of the values; null = not known
 * @param level what most of the window was read from
 * @param ranked how many objects had a value
 * @param total values of all ranked objects added up; NaN = one is negative, so that parts of it
 *     say nothing
 * @param sparklineTimes start of each step of the sparklines, epoch milliseconds; null = not wanted
 * @param origin of percentiles: the least exact of all that are ranked; null = of other values
 * @param entries best first
 */
public record TopAnswer(
    @Nullable String unit,
    Level level,
    long ranked,
    double total,
    long @Nullable [] sparklineTimes,
    @Nullable PercentileOrigin origin,
    List<Entry> entries) {

  /**
   * One object in the ranking.
   *
   * @param rank from 1
   * @param mean of the window
   * @param peak largest value of the window
   * @param before the value of the window before; NaN = none, or not asked for
   * @param weekAgo the value a week ago; NaN = none, or not asked for
   * @param sparkline NaN = no value; null = not wanted
   * @param origin of a percentile; null = of another value
   */
  public record Entry(
      int rank,
      UUID id,
      String adapterKind,
      String objectKind,
      String name,
      double value,
      double mean,
      double peak,
      double before,
      double weekAgo,
      double @Nullable [] sparkline,
      @Nullable PercentileOrigin origin) {}
}
