package io.peerlens.series;

import io.peerlens.store.Coverage;
import io.peerlens.store.Level;
import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import io.peerlens.store.SampleReader.Part;
import io.peerlens.store.SampleSource;
import io.peerlens.store.Segment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;

/**
 * Statistics of many series over one window: mean, least, greatest, last, number, sum and any
 * percentiles at once, of up to some ten thousand metric sets of one group. Memory grows with sets
 * x positions, not with what is read.
 *
 * <p>All but the percentiles come from the coarsest level that is exact. Of the percentiles, the
 * caller chooses: {@link Precision#EXACT} reads every raw sample that is kept, about a second for
 * each million; {@link Precision#QUICK} reads the sketches of whole hours instead, a row for an
 * hour, and raw samples only where hours are cut or not yet rolled up.
 *
 * <p>Thread-safe.
 */
public final class WindowStatistics {
  private static final Set<Part> PARTS =
      EnumSet.of(Part.AVG, Part.COUNT, Part.MIN, Part.MAX, Part.LAST);

  private final Supplier<Coverage> levels;
  private final SampleSource reader;
  private final PercentileReads percentiles;

  /** Reads by these levels and this reader. */
  @Autowired
  public WindowStatistics(LevelStates levels, SampleReader reader) {
    this(levels::read, reader);
  }

  /**
   * Reads samples of any source.
   *
   * @param levels what the levels hold, asked for at each reading
   */
  public WindowStatistics(Supplier<Coverage> levels, SampleSource reader) {
    this.levels = levels;
    this.reader = reader;
    this.percentiles = new PercentileReads(reader);
  }

  /** Precision of percentiles. */
  public enum Precision {
    /** From raw samples where they are kept. */
    EXACT,
    /** From sketches of hours, within their error. */
    QUICK
  }

  /**
   * Reads the statistics of a window.
   *
   * @param setIds metric sets, of one group; in any order
   * @param positions from 0, as in {@code metric_group.metrics}; ascending
   * @param from inclusive
   * @param to exclusive, after {@code from}
   * @param wanted percentiles; none = only the rest
   */
  public Statistics read(
      int[] setIds,
      int[] positions,
      Instant from,
      Instant to,
      List<Percentile> wanted,
      Precision precision) {
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException("from " + from + " is not before to " + to);
    }
    Coverage coverage = levels.get();
    long begin = Level.micros(from);
    long end = Level.micros(to);
    SetSlots slots = new SetSlots(Arrays.stream(setIds).sorted().distinct().toArray());
    int width = positions.length;
    int size = Math.multiplyExact(slots.setIds().length, width);
    Cells means = new Cells(Aggregation.AVG, size);
    Cells sums = new Cells(Aggregation.SUM, size);
    Cells least = new Cells(Aggregation.MIN, size);
    Cells greatest = new Cells(Aggregation.MAX, size);
    Cells last = new Cells(Aggregation.LAST, size);
    Cells counts = new Cells(Aggregation.COUNT, size);
    List<Segment> plan = coverage.plan(Level.ONE_HOUR, begin, end);
    for (Segment segment : plan) {
      reader.read(
          segment.level(),
          slots.setIds(),
          positions,
          PARTS,
          segment.from(),
          segment.to(),
          row -> {
            int cell = slots.of(row.setId()) * width;
            for (int i = 0; i < width; i++) {
              means.add(cell + i, row, i);
              sums.add(cell + i, row, i);
              least.add(cell + i, row, i);
              greatest.add(cell + i, row, i);
              last.add(cell + i, row, i);
              counts.add(cell + i, row, i);
            }
          });
    }
    PercentileReads.Answer found =
        wanted.isEmpty()
            ? null
            : percentiles(slots, positions, begin, end, coverage, wanted, precision);
    return new Statistics(
        slots,
        width,
        means.values(0, size),
        sums.values(0, size),
        least.values(0, size),
        greatest.values(0, size),
        last.values(0, size),
        counts.values(0, size),
        List.copyOf(wanted),
        found);
  }

  /**
   * Reads percentiles of a window and nothing else, which is quicker; the rest of what is returned
   * is NaN. The arguments are those of {@link #read}.
   */
  public Statistics percentiles(
      int[] setIds,
      int[] positions,
      Instant from,
      Instant to,
      List<Percentile> wanted,
      Precision precision) {
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException("from " + from + " is not before to " + to);
    }
    SetSlots slots = new SetSlots(Arrays.stream(setIds).sorted().distinct().toArray());
    int size = Math.multiplyExact(slots.setIds().length, positions.length);
    double[] none = new double[size];
    Arrays.fill(none, Double.NaN);
    return new Statistics(
        slots,
        positions.length,
        none,
        none,
        none,
        none,
        none,
        none,
        List.copyOf(wanted),
        percentiles(
            slots,
            positions,
            Level.micros(from),
            Level.micros(to),
            levels.get(),
            wanted,
            precision));
  }

  private PercentileReads.Answer percentiles(
      SetSlots slots,
      int[] positions,
      long begin,
      long end,
      Coverage coverage,
      List<Percentile> wanted,
      Precision precision) {
    List<PercentileReads.Place> places = new ArrayList<>();
    for (int set : slots.setIds()) {
      for (int position : positions) {
        places.add(new PercentileReads.Place(0, set, position));
      }
    }
    return percentiles.read(
        places,
        new long[] {begin, end},
        wanted,
        coverage,
        precision == Precision.EXACT
            ? PercentileReads.exact(coverage, Level.ONE_HOUR, begin, end)
            : PercentileReads.quick(coverage, begin, end));
  }

  /**
   * Statistics of a window by set and position. Values are NaN where there are no samples. A set is
   * named by its id, a position by its place among those that were asked for, from 0.
   */
  public static final class Statistics {
    private final SetSlots slots;
    private final int width;
    private final double[] means;
    private final double[] sums;
    private final double[] least;
    private final double[] greatest;
    private final double[] last;
    private final double[] counts;
    private final List<Percentile> wanted;
    private final PercentileReads.@Nullable Answer percentiles;

    private Statistics(
        SetSlots slots,
        int width,
        double[] means,
        double[] sums,
        double[] least,
        double[] greatest,
        double[] last,
        double[] counts,
        List<Percentile> wanted,
        PercentileReads.@Nullable Answer percentiles) {
      this.slots = slots;
      this.width = width;
      this.means = means;
      this.sums = sums;
      this.least = least;
      this.greatest = greatest;
      this.last = last;
      this.counts = counts;
      this.wanted = wanted;
      this.percentiles = percentiles;
    }

    /** Mean of all values, each weighing the same. */
    public double avg(int setId, int position) {
      return means[cell(setId, position)];
    }

    /** Sum of all values. */
    public double sum(int setId, int position) {
      return sums[cell(setId, position)];
    }

    /** Least value. */
    public double min(int setId, int position) {
      return least[cell(setId, position)];
    }

    /** Greatest value. */
    public double max(int setId, int position) {
      return greatest[cell(setId, position)];
    }

    /** The value latest in time. */
    public double last(int setId, int position) {
      return last[cell(setId, position)];
    }

    /** Number of values; 0 = none. */
    public long count(int setId, int position) {
      double count = counts[cell(setId, position)];
      return Double.isNaN(count) ? 0 : (long) count;
    }

    /**
     * A percentile.
     *
     * @throws IllegalArgumentException if it was not asked for
     */
    public double percentile(int setId, int position, Percentile percentile) {
      int at = wanted.indexOf(percentile);
      if (at < 0 || percentiles == null) {
        throw new IllegalArgumentException("p" + percentile.percent() + " was not asked for");
      }
      return percentiles.values()[at][cell(setId, position)];
    }

    /** Says what the percentiles were computed from; null = there are none. */
    public @Nullable PercentileOrigin origin(int setId, int position) {
      return percentiles == null ? null : percentiles.origins().get(cell(setId, position));
    }

    private int cell(int setId, int position) {
      int slot = slots.of(setId);
      if (slot < 0 || position < 0 || position >= width) {
        throw new IllegalArgumentException(
            "Set " + setId + ", position " + position + " was not asked for");
      }
      return slot * width + position;
    }
  }
}
