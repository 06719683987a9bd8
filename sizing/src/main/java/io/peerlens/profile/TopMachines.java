package io.peerlens.profile;

import io.peerlens.profile.LoadProfile.PeakMachine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The machines with most operations of each bucket, found while machines are added one after
 * another, so that nothing is read twice when the peaks are known. As long as operations are known
 * of no machine, those with most bytes.
 */
final class TopMachines {

  /** So many of each bucket. */
  private static final int MOST = 5;

  /** Bytes that a bucket takes here. */
  static final int BYTES_A_BUCKET = MOST * (Float.BYTES + Integer.BYTES);

  /** Places of machines in the list, {@value #MOST} of each bucket, the highest first. */
  private final int[] machines;

  /** What they have; negative = the place is free. */
  private final float[] values;

  private final List<Machine> known = new ArrayList<>();
  private boolean ofBytes = true;

  TopMachines(int buckets) {
    machines = new int[buckets * MOST];
    values = new float[buckets * MOST];
    Arrays.fill(values, -1);
  }

  /**
   * Adds a machine.
   *
   * @param hasIops whether both its reads and its writes a second are known in any hour
   */
  void add(Machine machine, IoSeries series, boolean hasIops) {
    if (ofBytes && hasIops) {
      // Bytes of machines before are no measure any more: they have no operations.
      ofBytes = false;
      Arrays.fill(values, -1);
      known.clear();
    }
    double[] reads = ofBytes ? series.readBytes() : series.readIops();
    double[] writes = ofBytes ? series.writeBytes() : series.writeIops();
    if (reads.length == 0 || writes.length == 0 || hasIops == ofBytes) {
      return;
    }
    int place = known.size();
    known.add(machine);
    for (int bucket = 0; bucket < reads.length; bucket++) {
      double value = reads[bucket] + writes[bucket];
      if (reads[bucket] >= 0 && writes[bucket] >= 0 && value < Double.POSITIVE_INFINITY) {
        put(bucket * MOST, place, (float) value);
      }
    }
  }

  private void put(int first, int machine, float value) {
    int at = first + MOST;
    while (at > first && value > values[at - 1]) {
      at--;
    }
    for (int i = first + MOST - 1; i > at; i--) {
      values[i] = values[i - 1];
      machines[i] = machines[i - 1];
    }
    if (at < first + MOST) {
      values[at] = value;
      machines[at] = machine;
    }
  }

  /**
   * The machines with most of a bucket, the one with most first; those that had nothing are not
   * among them.
   *
   * @param total of all machines, in the same measure
   */
  List<PeakMachine> of(int bucket, double total) {
    List<PeakMachine> top = new ArrayList<>();
    for (int i = bucket * MOST; i < (bucket + 1) * MOST && values[i] > 0; i++) {
      Machine machine = known.get(machines[i]);
      top.add(
          new PeakMachine(
              machine.id(),
              machine.name(),
              ofBytes ? Double.NaN : values[i],
              ofBytes ? values[i] : Double.NaN,
              Math.min(1, values[i] / total)));
    }
    return top;
  }
}
