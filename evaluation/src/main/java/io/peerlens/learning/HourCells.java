package io.peerlens.learning;

import io.peerlens.store.Level;
import io.peerlens.store.SampleReader;
import io.peerlens.store.SampleReader.Part;
import io.peerlens.store.SampleRow;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Hourly roll-ups of some series over some hours: the least value, the mean and the greatest value
 * of each hour. Series {@code set * width + metric} has its hours one after the other.
 */
final class HourCells {

  private static final Set<Part> PARTS = Set.of(Part.MIN, Part.MAX);

  /** So many positions are picked out of rows by the database; of more, whole rows are sent. */
  private static final int FEW = 4;

  private final SetRange range;
  private final long firstHour;
  private final int hours;
  private final float[] min;
  private final float[] mean;
  private final float[] max;
  private final boolean[] any; // by set

  /** Cells without values. */
  HourCells(SetRange range, long firstHour, int hours) {
    this.range = range;
    this.firstHour = firstHour;
    this.hours = hours;
    int cells = Math.multiplyExact(Math.toIntExact(range.series()), hours);
    min = new float[cells];
    mean = new float[cells];
    max = new float[cells];
    Arrays.fill(min, Float.NaN);
    Arrays.fill(mean, Float.NaN);
    Arrays.fill(max, Float.NaN);
    any = new boolean[range.size()];
  }

  /**
   * Reads stored roll-ups.
   *
   * @param firstHour since 1970
   */
  static HourCells read(SampleReader reader, SetRange range, long firstHour, int hours) {
    HourCells cells = new HourCells(range, firstHour, hours);
    long from = Days.micros(firstHour);
    long to = Days.micros(firstHour + hours);
    if (range.width() <= FEW) {
      int[] positions = IntStream.range(range.first(), range.first() + range.width()).toArray();
      reader.read(
          Level.ONE_HOUR, range.sets(), positions, PARTS, from, to, row -> cells.take(row, 0));
    } else {
      reader.readWhole(
          Level.ONE_HOUR, range.sets(), PARTS, from, to, row -> cells.take(row, range.first()));
    }
    return cells;
  }

  private void take(SampleRow row, int firstIndex) {
    int set = Arrays.binarySearch(range.sets(), row.setId());
    int hour = (int) (row.time() / Level.ONE_HOUR.widthMicros() - firstHour);
    int width = Math.min(range.width(), row.width() - firstIndex);
    for (int m = 0; m < width; m++) {
      put(
          set,
          m,
          hour,
          (float) row.min(firstIndex + m),
          (float) row.avg(firstIndex + m),
          (float) row.max(firstIndex + m));
    }
  }

  /** Puts the values of an hour; what is no finite number of floats is none. */
  void put(int set, int metric, int hour, float low, float middle, float high) {
    if (Float.isFinite(low) && Float.isFinite(middle) && Float.isFinite(high)) {
      int at = (set * range.width() + metric) * hours + hour;
      min[at] = low;
      mean[at] = middle;
      max[at] = high;
      any[set] = true;
    }
  }

  SetRange range() {
    return range;
  }

  /** Whether a set has any value, those included that were taken out. */
  boolean hasValues(int set) {
    return any[set];
  }

  /**
   * Takes hours out, so that nothing is learned from them.
   *
   * @param fromHour since 1970, inclusive
   * @param toHour exclusive
   */
  void takeOut(int set, int metric, long fromHour, long toHour) {
    int from = (int) Math.clamp(fromHour - firstHour, 0, hours);
    int to = (int) Math.clamp(toHour - firstHour, 0, hours);
    if (from < to) {
      int at = (set * range.width() + metric) * hours;
      Arrays.fill(min, at + from, at + to, Float.NaN);
      Arrays.fill(mean, at + from, at + to, Float.NaN);
      Arrays.fill(max, at + from, at + to, Float.NaN);
    }
  }

  /**
   * Copies hours of a series.
   *
   * @param fromHour since 1970, of those that were read
   * @param into receives them, as many as it has room for
   */
  void copy(int set, int metric, long fromHour, Window into) {
    int at = (set * range.width() + metric) * hours;
    copy(min, at, fromHour, into.min());
    copy(mean, at, fromHour, into.mean());
    copy(max, at, fromHour, into.max());
  }

  private void copy(float[] from, int at, long fromHour, float[] into) {
    int skip = (int) (fromHour - firstHour);
    System.arraycopy(from, at + skip, into, 0, into.length);
  }

  /** Room for the hours that a band is learned from. */
  record Window(float[] min, float[] mean, float[] max) {
    Window(int hours) {
      this(new float[hours], new float[hours], new float[hours]);
    }
  }
}
