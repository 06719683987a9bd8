package io.peerlens.planning;

import io.peerlens.frame.Frames;
import io.peerlens.frame.KeySets;
import io.peerlens.frame.Means;
import io.peerlens.ingest.key.MetricKey;
import io.peerlens.profile.Grid;
import io.peerlens.profile.IoSeries;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Reads what many machines asked of storage, a month of all of them after the other: rows are
 * stored in the order of time, so few machines at once would read nearly all of it again and again.
 * Kept as floats, which is as precise as means are.
 */
final class LoadHistory {

  private static final ObjectKind KIND = new ObjectKind("VMWARE", "VirtualMachine");

  /** Groups of metrics that have what a machine asks of storage, the best first. */
  private static final List<String> SOURCES = List.of("virtualDisk", "datastore");

  /** In the order of the parts of {@link IoSeries}. */
  private static final List<String> METRICS =
      List.of(
          "numberReadAveraged_average",
          "numberWriteAveraged_average",
          "read_average",
          "write_average",
          "totalReadLatency_average",
          "totalWriteLatency_average");

  /** Without latencies. */
  private static final int LOADS = 4;

  private static final float BYTES_OF_KB = 1024;

  /** Read at once, as long as a part of the tables of hours is. */
  private static final Duration WINDOW = Duration.ofDays(30);

  private static final int READ_LATENCY = 4;
  private static final int WRITE_LATENCY = 5;

  private final Frames frames;
  private final Means means;

  LoadHistory(Frames frames, Means means) {
    this.frames = frames;
    this.means = means;
  }

  /** Hears how much of what was asked for is read, 0 to 1; may throw to end it. */
  @FunctionalInterface
  interface Heard {
    void of(double share);
  }

  /** Bytes that a machine takes. */
  static long bytes(Grid grid) {
    return (long) grid.count() * METRICS.size() * Float.BYTES;
  }

  /** Values by machine, part and bucket. */
  static final class Columns {
    private final Grid grid;
    private final float[][][] values;

    Columns(Grid grid, int machines, int parts) {
      this.grid = grid;
      values = new float[machines][parts][grid.count()];
      for (float[][] machine : values) {
        for (float[] part : machine) {
          Arrays.fill(part, Float.NaN);
        }
      }
    }

    private boolean isEmpty(int machine) {
      for (float[] part : values[machine]) {
        for (float value : part) {
          if (!Float.isNaN(value)) {
            return false;
          }
        }
      }
      return true;
    }

    /** Those of a machine; latencies that were not read are not known. */
    IoSeries series(int machine) {
      return new IoSeries(
          grid,
          part(machine, 0, 1),
          part(machine, 1, 1),
          part(machine, 2, BYTES_OF_KB),
          part(machine, 3, BYTES_OF_KB),
          part(machine, 4, 1),
          part(machine, 5, 1));
    }

    private double[] part(int machine, int part, float factor) {
      if (part >= values[machine].length) {
        return new double[0];
      }
      float[] column = values[machine][part];
      double[] scaled = new double[column.length];
      for (int i = 0; i < scaled.length; i++) {
        scaled[i] = (double) column[i] * factor;
      }
      return scaled;
    }
  }

  /**
   * Reads machines; those that have nothing in the first source, from the next. Where a source
   * tells only single disks, as vCenter does, a machine's load is the sum of its disks, and its
   * latency their mean by operations.
   *
   * @param ids internal ids of machines
   * @param withLatency whether latencies are read
   */
  Columns read(int[] ids, Grid grid, boolean withLatency, Heard heard) {
    List<String> metrics = withLatency ? METRICS : METRICS.subList(0, LOADS);
    Columns columns = new Columns(grid, ids.length, metrics.size());
    int[] places = IntStream.range(0, ids.length).toArray();
    for (String source : SOURCES) {
      if (places.length > 0) {
        fill(columns, source, metrics, ids, places, heard);
      }
      places = IntStream.of(places).filter(columns::isEmpty).toArray();
      if (places.length > 0) {
        sum(columns, source, metrics, ids, places, heard);
      }
      places = IntStream.of(places).filter(columns::isEmpty).toArray();
    }
    return columns;
  }

  private void fill(
      Columns columns, String source, List<String> metrics, int[] ids, int[] places, Heard heard) {
    Grid grid = columns.grid;
    Duration width = grid.bucket().length();
    int each = (int) WINDOW.dividedBy(width);
    Means.Wanted wanted =
        new Means.Wanted(
            KIND,
            metrics.stream().map(metric -> source + "|" + metric).toList(),
            IntStream.of(places).map(it -> ids[it]).toArray());
    for (int first = 0; first < grid.count(); first += each) {
      int count = Math.min(each, grid.count() - first);
      heard.of((double) first / grid.count());
      double[][][] read = means.read(List.of(wanted), grid.at(first), count, width).getFirst();
      for (int part = 0; part < read.length; part++) {
        for (int bucket = 0; bucket < count; bucket++) {
          double[] row = read[part][bucket];
          for (int i = 0; i < row.length; i++) {
            // Counters are never below 0; what is comes from a counter that was set back.
            if (row[i] >= 0) {
              columns.values[places[i]][part][first + bucket] = (float) row[i];
            }
          }
        }
      }
    }
    heard.of(1);
  }

  /** Disks by instance, with the places of the machines that have them. */
  private Map<String, int[]> disks(String source, List<String> metrics, int[] ids, int[] places) {
    Map<Integer, Integer> placeOf = new HashMap<>();
    IntStream.of(places).forEach(place -> placeOf.put(ids[place], place));
    Map<String, SortedSet<Integer>> found = new TreeMap<>();
    for (String metric : metrics) {
      KeySets sets = frames.keySets(KIND, source + "|" + metric, true);
      for (int i = 0; sets != null && i < sets.sets().length; i++) {
        Integer place = placeOf.get(sets.objects()[i]);
        if (place != null && !sets.instances()[i].isEmpty()) {
          found.computeIfAbsent(sets.instances()[i], it -> new TreeSet<>()).add(place);
        }
      }
    }
    Map<String, int[]> disks = new TreeMap<>();
    found.forEach((disk, of) -> disks.put(disk, of.stream().mapToInt(Integer::intValue).toArray()));
    return disks;
  }

  private void sum(
      Columns columns, String source, List<String> metrics, int[] ids, int[] places, Heard heard) {
    Map<String, int[]> disks = disks(source, metrics, ids, places);
    if (disks.isEmpty()) {
      return;
    }
    List<Means.Wanted> wanted = new ArrayList<>();
    disks.forEach(
        (disk, of) ->
            wanted.add(
                new Means.Wanted(
                    KIND,
                    metrics.stream()
                        .map(metric -> new MetricKey(source, disk, metric).toString())
                        .toList(),
                    IntStream.of(of).map(place -> ids[place]).toArray())));
    List<int[]> of = List.copyOf(disks.values());
    Grid grid = columns.grid;
    Duration width = grid.bucket().length();
    int each = (int) WINDOW.dividedBy(width);
    for (int first = 0; first < grid.count(); first += each) {
      int count = Math.min(each, grid.count() - first);
      heard.of((double) first / grid.count());
      List<double[][][]> read = means.read(wanted, grid.at(first), count, width);
      for (int bucket = 0; bucket < count; bucket++) {
        for (int d = 0; d < read.size(); d++) {
          for (int i = 0; i < of.get(d).length; i++) {
            add(columns.values[of.get(d)[i]], first + bucket, read.get(d), bucket, i);
          }
        }
      }
    }
    heard.of(1);
  }

  /** Adds what a disk says of a bucket. */
  private static void add(float[][] to, int at, double[][][] read, int bucket, int i) {
    for (int part = READ_LATENCY; part < read.length; part++) {
      int load = part == WRITE_LATENCY ? 1 : 0;
      double operations = read[load][bucket][i];
      double latency = read[part][bucket][i];
      if (operations > 0 && latency >= 0) {
        // Before this disk's operations are added: the mean of those before it, and its own.
        double before = to[load][at] > 0 && to[part][at] >= 0 ? to[load][at] : 0;
        double sum = before == 0 ? 0 : to[part][at] * before;
        to[part][at] = (float) ((sum + latency * operations) / (before + operations));
      }
    }
    for (int part = 0; part < LOADS; part++) {
      double value = read[part][bucket][i];
      // Counters are never below 0; what is comes from a counter that was set back.
      if (value >= 0) {
        to[part][at] = Float.isNaN(to[part][at]) ? (float) value : to[part][at] + (float) value;
      }
    }
  }
}
