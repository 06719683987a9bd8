package io.peerlens.store;

import io.peerlens.store.SampleReader.Newest;
import io.peerlens.store.SampleReader.Part;
import io.peerlens.store.SampleReader.RowHandler;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Raw samples that are held in memory, such as those of an example. Each set has one position.
 * {@link Coverage#RAW_ONLY} plans how to read them. Thread-safe, if what it is interrupted by is.
 */
public final class MemorySamples implements SampleSource {

  /** How far apart the samples of a value that holds are. */
  public static final long EVERY = 60_000_000;

  /**
   * Samples of a value that holds, in one window, are given in so many rows at most; each then
   * stands for several samples, and counts as many.
   */
  private static final int MOST_ROWS = 10_000;

  /** Samples of a set. */
  private sealed interface Course {}

  /** Some samples, oldest first. */
  private record Listed(long[] times, double[] values) implements Course {}

  /** A sample at every full minute before a moment. */
  private record Holding(double value, long until) implements Course {}

  private final Map<Integer, Course> courses;
  private final Runnable interrupt;

  private MemorySamples(Builder builder) {
    this.courses = Map.copyOf(builder.courses);
    this.interrupt = builder.interrupt;
  }

  /** Builder from the samples of each set. */
  public static final class Builder {

    private final Map<Integer, Course> courses = new HashMap<>();
    private Runnable interrupt = () -> {};

    /**
     * Adds samples.
     *
     * @param times microseconds since 1970, in any order
     * @param values one for each time
     */
    public Builder samples(int setId, long[] times, double[] values) {
      int[] order =
          IntStream.range(0, times.length)
              .boxed()
              .sorted(Comparator.comparingLong(i -> times[i]))
              .mapToInt(Integer::intValue)
              .toArray();
      courses.put(
          setId,
          new Listed(
              Arrays.stream(order).mapToLong(i -> times[i]).toArray(),
              Arrays.stream(order).mapToDouble(i -> values[i]).toArray()));
      return this;
    }

    /**
     * Adds a value that holds at every minute, from always.
     *
     * @param until microseconds since 1970; the last sample is a minute before
     */
    public Builder holding(int setId, double value, long until) {
      courses.put(setId, new Holding(value, until));
      return this;
    }

    /** What is called before the samples of a set are read; it may throw to end the reading. */
    public Builder interrupt(Runnable by) {
      this.interrupt = by;
      return this;
    }

    public MemorySamples build() {
      return new MemorySamples(this);
    }
  }

  public static Builder builder() {
    return new Builder();
  }

  @Override
  public void read(
      Level level,
      int @Nullable [] setIds,
      int[] positions,
      Set<Part> parts,
      long from,
      long to,
      RowHandler handler) {
    if (level != Level.RAW) {
      throw new IllegalArgumentException("only raw samples are held, not " + level.label());
    }
    SampleRow row = new SampleRow();
    int[] sets =
        setIds != null ? setIds : courses.keySet().stream().mapToInt(Integer::intValue).toArray();
    for (int set : sets) {
      interrupt.run();
      Course course = courses.get(set);
      if (course != null) {
        row.setId = set;
        try {
          read(course, positions, from, to, row, handler);
        } catch (SQLException e) {
          throw new IllegalStateException("A row could not be handled: " + e.getMessage(), e);
        }
      }
    }
  }

  private static void read(
      Course course, int[] positions, long from, long to, SampleRow row, RowHandler handler)
      throws SQLException {
    switch (course) {
      case Listed listed -> {
        for (int i = first(listed.times(), from); i < listed.times().length; i++) {
          if (listed.times()[i] >= to) {
            return;
          }
          give(row, positions, listed.times()[i], 1, listed.values()[i], handler);
        }
      }
      case Holding holding -> {
        // The samples are so many minutes before the end.
        long newest = newestMinute(holding, to);
        long oldest = Math.floorDiv(holding.until() - from, EVERY);
        long each = Math.max(1, Math.ceilDiv(oldest - newest, MOST_ROWS));
        for (long at = oldest; at > newest; at -= each) {
          int samples = (int) Math.min(each, at - newest);
          give(row, positions, holding.until() - at * EVERY, samples, holding.value(), handler);
        }
        if (oldest >= newest) {
          give(row, positions, holding.until() - newest * EVERY, 1, holding.value(), handler);
        }
      }
    }
  }

  private static long newestMinute(Holding holding, long before) {
    return Math.floorDiv(holding.until() - Math.min(before, holding.until()), EVERY) + 1;
  }

  /** Where the first of some ascending times is that is not before a moment. */
  private static int first(long[] times, long from) {
    int low = 0;
    int high = times.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (times[middle] < from) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static void give(
      SampleRow row, int[] positions, long time, int samples, double value, RowHandler handler)
      throws SQLException {
    row.begin(positions.length);
    row.time = time;
    row.samples = samples;
    for (int i = 0; i < positions.length; i++) {
      row.avg[i] = positions[i] == 0 ? value : Double.NaN;
    }
    handler.row(row);
  }

  @Override
  public Newest newest(int[] setIds, int[] positions, long from, long before) {
    Newest newest = new Newest(new long[setIds.length], new double[setIds.length]);
    Arrays.fill(newest.values(), Double.NaN);
    for (int pair = 0; pair < setIds.length; pair++) {
      interrupt.run();
      Course course = positions[pair] == 0 ? courses.get(setIds[pair]) : null;
      switch (course) {
        case null -> {}
        case Listed listed -> {
          int at = first(listed.times(), before) - 1;
          if (at >= 0 && listed.times()[at] >= from) {
            newest.times()[pair] = listed.times()[at];
            newest.values()[pair] = listed.values()[at];
          }
        }
        case Holding holding -> {
          long at = holding.until() - newestMinute(holding, before) * EVERY;
          if (at >= from) {
            newest.times()[pair] = at;
            newest.values()[pair] = holding.value();
          }
        }
      }
    }
    return newest;
  }
}
