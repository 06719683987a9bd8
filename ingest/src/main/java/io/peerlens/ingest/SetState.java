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

  private void grow(int count) {
    int old = counterTime.length;
    counterTime = Arrays.copyOf(counterTime, count);
    counterValue = Arrays.copyOf(counterValue, count);
    Arrays.fill(counterTime, old, count, Long.MIN_VALUE);
  }
}
