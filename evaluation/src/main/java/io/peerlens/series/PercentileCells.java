package io.peerlens.series;

import io.peerlens.series.PercentileOrigin.From;
import io.peerlens.store.SampleRow;
import io.peerlens.store.ValueSketch;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values on the way to become percentiles of each cell. They are kept as they are, and a cell that
 * takes in a stored sketch becomes one. Cells without a value stay NaN.
 *
 * <p>Memory goes by the number of values, not of cells: values lie in the order in which they come,
 * and are sorted by cell at the end.
 */
final class PercentileCells {
  private static final int FIRST_ROOM = 4096;

  /** Too many values to be kept at once: fewer cells have to be read. */
  static final class FullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FullException(int values) {
      super("More than " + values + " values at once", null, false, false);
    }
  }

  private final int size;
  private final int most;
  private final long[] counts;
  private final long[] ofMeans;
  private final byte[] worst;
  private @Nullable ValueSketch @Nullable [] sketches;

  // The values that are kept; times is empty while each of them stands for itself.
  private int kept;
  private int[] cellOf;
  private double[] values;
  private int[] times = {};

  /**
   * @param size number of cells
   * @param most how many values are kept; a single cell that has more becomes a sketch
   */
  PercentileCells(int size, int most) {
    this.size = size;
    this.most = most;
    counts = new long[size];
    ofMeans = new long[size];
    worst = new byte[size];
    cellOf = new int[Math.min(most, FIRST_ROOM)];
    values = new double[cellOf.length];
  }

  /**
   * Takes a raw sample into a cell.
   *
   * @throws FullException if several cells have more values than are kept
   */
  void addRaw(int cell, SampleRow row, int index) {
    double value = row.avg(index);
    if (!Double.isNaN(value)) {
      add(cell, value, 1, From.RAW);
    }
  }

  /**
   * Takes a bucket into a cell: by its sketch if it has one, else by its mean as often as it has
   * values.
   *
   * @throws FullException if several cells have more values than are kept
   */
  void addBucket(int cell, SampleRow row, int index) {
    int count = row.count(index);
    byte[] sketch = row.sketch(index);
    if (count == 0) {
      return;
    }
    if (sketch == null) {
      add(cell, row.avg(index), count, isEven(row, index) ? From.SKETCH : From.MEANS);
      return;
    }
    ValueSketch into = sketch(cell);
    long before = into.count();
    into.add(sketch, row.min(index), row.max(index));
    note(cell, into.count() - before, From.SKETCH);
  }

  /** Whether a bucket says what all of its values are: it has one, or they are equal. */
  static boolean isEven(SampleRow row, int index) {
    return row.count(index) == 1 || row.min(index) == row.max(index);
  }

  private void add(int cell, double value, int count, From from) {
    note(cell, count, from);
    ValueSketch sketch = sketches == null ? null : sketches[cell];
    if (sketch == null && kept == most) {
      if (size > 1) {
        throw new FullException(most);
      }
      sketch = sketch(cell);
      for (int i = 0; i < kept; i++) {
        sketch.add(values[i], times.length == 0 ? 1 : times[i]);
      }
      kept = 0;
      note(cell, 0, From.SKETCH);
    }
    if (sketch != null) {
      sketch.add(value, count);
    } else {
      keep(cell, value, count);
    }
  }

  private void keep(int cell, double value, int count) {
    if (kept == values.length) {
      int room = Math.min(most, 2 * kept);
      cellOf = Arrays.copyOf(cellOf, room);
      values = Arrays.copyOf(values, room);
      if (times.length > 0) {
        times = Arrays.copyOf(times, room);
      }
    }
    if (count != 1 && times.length == 0) {
      times = new int[values.length];
      Arrays.fill(times, 0, kept, 1);
    }
    cellOf[kept] = cell;
    values[kept] = value;
    if (times.length > 0) {
      times[kept] = count;
    }
    kept++;
  }

  private void note(int cell, long count, From from) {
    counts[cell] += count;
    if (from == From.MEANS) {
      ofMeans[cell] += count;
    }
    worst[cell] = (byte) Math.max(worst[cell], from.ordinal());
  }

  private ValueSketch sketch(int cell) {
    if (sketches == null) {
      sketches = new ValueSketch[size];
    }
    ValueSketch sketch = sketches[cell];
    if (sketch == null) {
      sketch = new ValueSketch();
      sketches[cell] = sketch;
    }
    return sketch;
  }

  /** Receiver of the percentiles of a cell that has values. */
  @FunctionalInterface
  interface Receiver {
    /**
     * @param count number of values
     * @param ofMeans how many of them only means stand for
     * @param found the percentiles, in the order in which they were asked for; used again
     */
    void take(int cell, long count, long ofMeans, From worst, double[] found);
  }

  /** Gives the percentiles of each cell that has values. Nothing can be added afterwards. */
  void finish(List<Percentile> percentiles, Receiver receiver) {
    int[] ends = sortByCell();
    double[] found = new double[percentiles.size()];
    for (int cell = 0; cell < size; cell++) {
      if (counts[cell] == 0) {
        continue;
      }
      int from = cell == 0 ? 0 : ends[cell - 1];
      int to = ends[cell];
      ValueSketch sketch = sketches == null ? null : sketches[cell];
      if (sketch != null) {
        for (int i = from; i < to; i++) {
          sketch.add(values[i], times.length == 0 ? 1 : times[i]);
        }
        for (int p = 0; p < found.length; p++) {
          found[p] = sketch.atRank(percentiles.get(p).rank(counts[cell]));
        }
      } else if (times.length == 0) {
        Arrays.sort(values, from, to);
        for (int p = 0; p < found.length; p++) {
          found[p] = values[from + (int) percentiles.get(p).rank(counts[cell]) - 1];
        }
      } else {
        sortTogether(from, to);
        for (int p = 0; p < found.length; p++) {
          found[p] = values[at(from, percentiles.get(p).rank(counts[cell]))];
        }
      }
      receiver.take(cell, counts[cell], ofMeans[cell], From.values()[worst[cell]], found);
    }
  }

  /** Sorts what is kept by cell; returns the end of each. */
  private int[] sortByCell() {
    int[] ends = new int[size];
    for (int i = 0; i < kept; i++) {
      ends[cellOf[i]]++;
    }
    int sum = 0;
    for (int cell = 0; cell < size; cell++) {
      int begin = sum;
      sum += ends[cell];
      ends[cell] = begin;
    }
    double[] sorted = new double[kept];
    int[] sortedTimes = new int[times.length == 0 ? 0 : kept];
    for (int i = 0; i < kept; i++) {
      int to = ends[cellOf[i]]++;
      sorted[to] = values[i];
      if (sortedTimes.length > 0) {
        sortedTimes[to] = times[i];
      }
    }
    cellOf = new int[0];
    values = sorted;
    times = sortedTimes;
    return ends;
  }

  private int at(int from, long rank) {
    int at = from;
    long below = times[at];
    while (below < rank) {
      at++;
      below += times[at];
    }
    return at;
  }

  /** Sorts values and their times by value, as a heap: in place, and never slow. */
  private void sortTogether(int from, int to) {
    int length = to - from;
    for (int root = length / 2 - 1; root >= 0; root--) {
      sink(from, root, length);
    }
    for (int end = length - 1; end > 0; end--) {
      swap(from, from + end);
      sink(from, 0, end);
    }
  }

  private void sink(int from, int start, int end) {
    int root = start;
    while (2 * root + 1 < end) {
      int child = 2 * root + 1;
      if (child + 1 < end && values[from + child] < values[from + child + 1]) {
        child++;
      }
      if (values[from + root] >= values[from + child]) {
        return;
      }
      swap(from + root, from + child);
      root = child;
    }
  }

  private void swap(int a, int b) {
    double value = values[a];
    values[a] = values[b];
    values[b] = value;
    int time = times[a];
    times[a] = times[b];
    times[b] = time;
  }
}
