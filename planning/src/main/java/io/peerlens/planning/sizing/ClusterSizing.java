package io.peerlens.planning.sizing;

import io.peerlens.baselines.TimeRemaining;
import io.peerlens.planning.sizing.ClusterState.Part;
import io.peerlens.profile.BusinessHours;
import io.peerlens.sizing.Amounts;
import io.peerlens.sizing.Amounts.Supply;
import io.peerlens.sizing.Answer;
import io.peerlens.sizing.BusyTime;
import io.peerlens.sizing.Cluster;
import io.peerlens.sizing.Forecast.Trend;
import io.peerlens.sizing.Grid;
import io.peerlens.sizing.Reclaimable;
import io.peerlens.sizing.SizingRule;
import io.peerlens.sizing.VmsRemaining;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Load of the machines of one cluster, gathered machine by machine. Not thread-safe. */
final class ClusterSizing {

  /** Hours that load and growth are read of, up to now: as many as growth is measured over. */
  static final int HOURS = TimeRemaining.HISTORY_DAYS * 24;

  /** No hour of a cluster is more important than another. */
  private static final BusinessHours ALWAYS =
      new BusinessHours(
          EnumSet.allOf(DayOfWeek.class), LocalTime.MIN, LocalTime.MIN, ZoneOffset.UTC);

  private final List<Load> loads = new ArrayList<>();
  private final List<Reclaimable.Vm> reclaimable = new ArrayList<>();

  /** Floats, as means are, because a cluster has thousands of them. */
  private record Load(UUID object, float[] cpuMhz, float[] memoryGb, double diskGb) {}

  /**
   * Capacity of a cluster beside its hosts.
   *
   * @param diskGb NaN = not known
   * @param usedDiskGb hour by hour, of the last {@link #HOURS}
   */
  record Capacity(List<Part> hosts, double diskGb, double[] usedDiskGb, int hostFailures) {}

  /**
   * Adds a machine; only one that runs is a load.
   *
   * @param recommended whether it is among those that get recommendations
   */
  void add(UUID object, History history, MachineSizing.Result result, boolean recommended) {
    if (result.running()) {
      loads.add(
          new Load(
              object,
              newest(history.column(Measure.CPU)),
              newest(history.column(Measure.CONSUMED)),
              history.last(Measure.Last.DISK_GB)));
    }
    Reclaimable.Vm vm = result.vm();
    if (vm != null && recommended) {
      reclaimable.add(vm);
    }
  }

  private static float[] newest(double[] column) {
    float[] newest = new float[HOURS];
    Arrays.fill(newest, Float.NaN);
    for (int back = 1; back <= Math.min(HOURS, column.length); back++) {
      newest[HOURS - back] = (float) column[column.length - back];
    }
    return newest;
  }

  /**
   * The state of the cluster.
   *
   * @param end of the hours, seconds since 1970
   * @param orphanedDiskGb on datastores of the cluster alone; NaN = not known
   */
  ClusterState state(Capacity capacity, long end, double orphanedDiskGb) {
    Grid grid = new Grid(end - HOURS * 3600L, 3600, HOURS, ALWAYS);
    Amounts shared = new Amounts(0, 0, capacity.diskGb(), Double.NaN);
    Cluster cluster =
        new Cluster(
            capacity.hosts().stream().map(Part::amounts).toList(),
            shared,
            capacity.hostFailures(),
            Amounts.NONE);
    BusyTime cpu = busy(grid, loads.stream().map(Load::cpuMhz).toList());
    BusyTime memory = busy(grid, loads.stream().map(Load::memoryGb).toList());
    double disk = History.last(capacity.usedDiskGb());
    Amounts used = new Amounts(level(cpu), level(memory), disk, Double.NaN);
    List<Part> vms = new ArrayList<>();
    for (int i = 0; i < loads.size(); i++) {
      vms.add(
          new Part(
              loads.get(i).object(),
              new Amounts(each(cpu, i), each(memory, i), loads.get(i).diskGb(), Double.NaN)));
    }
    Map<Supply, Trend> trends = new EnumMap<>(Supply.class);
    trend(Supply.CPU, used, sums(loads.stream().map(Load::cpuMhz).toList()), cluster, trends);
    trend(Supply.MEMORY, used, sums(loads.stream().map(Load::memoryGb).toList()), cluster, trends);
    trend(Supply.DISK, used, capacity.usedDiskGb(), cluster, trends);
    Answer<VmsRemaining> remaining =
        VmsRemaining.of(
            cluster, used, vms.stream().map(Part::amounts).toList(), SizingRule.USUAL.seed());
    VmsRemaining known = remaining.orNull();
    return new ClusterState(
        capacity.hosts(),
        shared,
        capacity.hostFailures(),
        used,
        trends,
        vms,
        known,
        remaining instanceof Answer.NotKnown<VmsRemaining>(String because)
            ? because
            : known == null ? "" : known.reason(),
        Reclaimable.of(reclaimable, orphanedDiskGb));
  }

  private static @Nullable BusyTime busy(Grid grid, List<float[]> columns) {
    return columns.isEmpty()
        ? null
        : BusyTime.of(grid, columns.stream().map(ClusterSizing::doubles).toArray(double[][]::new))
            .orNull();
  }

  private static double[] doubles(float[] column) {
    double[] wide = new double[column.length];
    for (int i = 0; i < wide.length; i++) {
      wide[i] = column[i];
    }
    return wide;
  }

  private static double level(@Nullable BusyTime busy) {
    return busy == null ? Double.NaN : busy.level();
  }

  private static double each(@Nullable BusyTime busy, int machine) {
    return busy == null ? Double.NaN : busy.each()[machine];
  }

  private static double[] sums(List<float[]> columns) {
    double[] sums = new double[HOURS];
    for (int h = 0; h < HOURS; h++) {
      int known = 0;
      for (float[] column : columns) {
        if (!Float.isNaN(column[h])) {
          sums[h] += column[h];
          known++;
        }
      }
      sums[h] = known == 0 ? Double.NaN : sums[h];
    }
    return sums;
  }

  /** Growth as of capacity (docs/capacity.md): by the highest hour of each day. */
  private static void trend(
      Supply supply, Amounts used, double[] hourly, Cluster cluster, Map<Supply, Trend> trends) {
    double level = used.of(supply);
    if (Double.isNaN(level)) {
      return;
    }
    double[] daily = new double[TimeRemaining.HISTORY_DAYS];
    Arrays.fill(daily, Double.NaN);
    for (int h = 0; h < hourly.length; h++) {
      int day = h / 24;
      daily[day] = Double.isNaN(daily[day]) ? hourly[h] : fmax(daily[day], hourly[h]);
    }
    TimeRemaining measured = TimeRemaining.of(daily, cluster.usable(supply));
    trends.put(
        supply,
        measured == null
            ? Trend.flat(level)
            : new Trend(level, measured.perDay(), measured.perDayLeast(), measured.perDayMost()));
  }

  private static double fmax(double a, double b) {
    return Double.isNaN(b) ? a : Math.max(a, b);
  }
}
