package io.peerlens.ingest;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A metric set as the decoder knows it, with the last values of its counters. */
final class SetState {

  /** A counter that rests for longer than this starts anew: an average over it would mislead. */
  private static final long MAX_GAP_MICROS = 3_600_000_000L;

  final int id;
  final ObjectState object;

  /** The newest stored row when the set was met, from which counters go on. */
  private final Catalog.@Nullable LastRow lastRow;

  private long[] counterTime = {};
  private double[] counterValue = {};

  SetState(int id, ObjectState object, Catalog.@Nullable LastRow lastRow) {
    this.id = id;
    this.object = object;
    this.lastRow = lastRow;
  }

  /**
   * Takes a counter's value and gives its increase for each second since the last one, NaN when
   * that is unknown: the first value, one out of order, or one after a long gap. A counter that
   * fell was reset to zero in between, as Prometheus' {@code rate} assumes.
   */
  double rate(FieldSlot slot, double value, long timeMicros) {
    int counter = slot.counter;
    if (counter >= counterTime.length) {
      grow(counter + 1);
    }
    long before = counterTime[counter];
    double valueBefore = counterValue[counter];
    if (before == Long.MIN_VALUE && lastRow != null && slot.position < lastRow.values().length) {
      before = lastRow.timeMicros();
      valueBefore = lastRow.values()[slot.position];
    }
    if (before != Long.MIN_VALUE && timeMicros <= before) {
      return Double.NaN;
    }
    counterTime[counter] = timeMicros;
    counterValue[counter] = value;
    if (before == Long.MIN_VALUE
        || Double.isNaN(valueBefore)
        || timeMicros - before > MAX_GAP_MICROS) {
      return Double.NaN;
    }
    double increase = value >= valueBefore ? value - valueBefore : value;
    return increase * 1e6 / (timeMicros - before);
  }

  // Counters of OpenTelemetry, by position of the metric.
  private long[] sumTime = {};
  private double[] sumValue = {};

  /** No value was stored before which counts. */
  private static final long FORGOTTEN = Long.MIN_VALUE + 1;

  // The row that was last written to, within one resource of a record.
  private long rowPass = -1;
  private long rowTime;
  private int row;

  /** The row of this set in a batch, which is not sought again within one pass. */
  int row(SampleBatch batch, long timeMicros, int width, long pass) {
    if (rowPass != pass || rowTime != timeMicros) {
      row = batch.row(id, timeMicros, width);
      rowPass = pass;
      rowTime = timeMicros;
    }
    return row;
  }

  /**
   * As {@link #rate(FieldSlot, double, long)}, of a counter that also says since when it counts: a
   * start after the last value is a reset, even when the value did not fall.
   *
   * @param startMicros 0 = not known
   */
  double rate(int position, double value, long timeMicros, long startMicros) {
    if (position >= sumTime.length) {
      growSums(position + 1);
    }
    long before = sumTime[position];
    double valueBefore = sumValue[position];
    if (before == Long.MIN_VALUE && lastRow != null && position < lastRow.values().length) {
      before = lastRow.timeMicros();
      valueBefore = lastRow.values()[position];
    }
    boolean isKnown = before > FORGOTTEN;
    if (isKnown && timeMicros <= before) {
      return Double.NaN;
    }
    sumTime[position] = timeMicros;
    sumValue[position] = value;
    if (!isKnown || Double.isNaN(valueBefore) || timeMicros - before > MAX_GAP_MICROS) {
      return Double.NaN;
    }
    if (startMicros > before) {
      return startMicros < timeMicros ? value * 1e6 / (timeMicros - startMicros) : Double.NaN;
    }
    double increase = value >= valueBefore ? value - valueBefore : value;
    return increase * 1e6 / (timeMicros - before);
  }

  /** Forgets the last value of a counter of OpenTelemetry: the next one starts anew. */
  void forget(int position) {
    if (position >= sumTime.length) {
      growSums(position + 1);
    }
    sumTime[position] = FORGOTTEN;
  }

  private void growSums(int count) {
    int old = sumTime.length;
    sumTime = Arrays.copyOf(sumTime, count);
    sumValue = Arrays.copyOf(sumValue, count);
    Arrays.fill(sumTime, old, count, Long.MIN_VALUE);
  }

  private void grow(int count) {
    int old = counterTime.length;
    counterTime = Arrays.copyOf(counterTime, count);
    counterValue = Arrays.copyOf(counterValue, count);
    Arrays.fill(counterTime, old, count, Long.MIN_VALUE);
  }
}
