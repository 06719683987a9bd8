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
 * @param sparklineTimes begin of each step of the sparklines, epoch milliseconds; null = not wanted
 * @param entries best first
 */
public record TopAnswer(
    @Nullable String unit,
    Level level,
    long ranked,
    long @Nullable [] sparklineTimes,
    List<Entry> entries) {

  /**
   * One object in the ranking.
   *
   * @param rank from 1
   * @param sparkline NaN = no value; null = not wanted
   */
  public record Entry(
      int rank,
      UUID id,
      String adapterKind,
      String objectKind,
      String name,
      double value,
      double @Nullable [] sparkline) {}
}
