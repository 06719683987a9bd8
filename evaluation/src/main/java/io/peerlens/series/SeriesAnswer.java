package io.peerlens.series;

import io.peerlens.ingest.key.MetricKey;
import io.peerlens.store.Level;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Series on one shared grid. Times are epoch milliseconds.
 *
 * @param from start of the first step
 * @param to end of the last step
 * @param step width of a step in milliseconds
 * @param level what most of the window was read from
 * @param times start of each step
 * @param lines in the order of the request: objects, then metrics
 */
public record SeriesAnswer(
    long from, long to, long step, Level level, long[] times, List<Line> lines) {

  /**
   * One metric of one object.
   *
   * @param unit null = not known
   * @param values one for each step; NaN = none
   * @param min least values, when asked for
   * @param max greatest values, when asked for
   * @param origin of percentiles; null = of other values, or there are none
   */
  public record Line(
      UUID object,
      MetricKey metric,
      @Nullable String unit,
      double[] values,
      double @Nullable [] min,
      double @Nullable [] max,
      @Nullable PercentileOrigin origin) {}
}
