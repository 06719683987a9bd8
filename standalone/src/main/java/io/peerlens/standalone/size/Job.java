package io.peerlens.standalone.size;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Work that repeats.
 *
 * @param load what comes, in words
 * @param used share of what one process, part, shard or job can do; above 1 it needs several
 * @param of what one of them is, in words
 * @param count how many of them keep it at half of that; 1 where it cannot be spread
 * @param spread whether a setting spreads it
 * @param cores that are busy on average, those of the database included
 * @param setting what to set, in words; empty = nothing
 * @param growsWith what it grows with
 * @param beyond the largest that was ever measured, where this is more; null = it is not more
 * @param formula how {@code used} is calculated
 * @param costs unit costs behind it
 */
public record Job(
    String name,
    String load,
    Range used,
    String of,
    int count,
    boolean spread,
    Range cores,
    String setting,
    Grows growsWith,
    @Nullable String beyond,
    String formula,
    List<Cost> costs) {

  /** What a load grows with. */
  public enum Grows {
    METRICS,
    OBJECTS,
    FLOWS,
    ALL
  }
}
