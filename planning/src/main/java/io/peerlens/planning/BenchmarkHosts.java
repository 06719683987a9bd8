package io.peerlens.planning;

import io.peerlens.frame.Frames;
import io.peerlens.frame.Means;
import io.peerlens.planning.BenchmarkRunStore.Stored;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the hosts of a tested object did while a run was measured, by their own metrics, so that one
 * sees whether something other than storage was the limit. Thread-safe.
 */
final class BenchmarkHosts {

  private static final ObjectKind HOST = new ObjectKind("VMWARE", "HostSystem");

  /** More hosts are not looked at. */
  private static final int MOST_HOSTS = 256;

  private static final int MOST_NEAR = 20_000;
  private static final int MOST_BUCKETS = 500;
  private static final List<Duration> WIDTHS =
      List.of(Duration.ofMinutes(1), Duration.ofMinutes(5), Duration.ofHours(1));

  /** From this use on, in per cent, a host has little to give. */
  private static final double NEARLY_ALL = 90;

  /** From this share of lost packets on, in per cent, storage on the network suffers. */
  private static final double DROPPED = 0.1;

  /**
   * A metric of hosts, under the names of vRealize Operations.
   *
   * @param limit from this value on it may have been the limit of the test; NaN = it says nothing
   */
  private record Asked(String key, String name, String unit, double limit) {}

  private static final List<Asked> ASKED =
      List.of(
          new Asked("cpu|usage_average", "CPU usage", "%", NEARLY_ALL),
          new Asked("mem|usage_average", "Memory usage", "%", Double.NaN),
          new Asked("net|usage_average", "Network usage", "KB/s", Double.NaN),
          new Asked("net|droppedPct", "Dropped packets", "%", DROPPED),
          new Asked("disk|deviceLatency_average", "Device latency", "ms", Double.NaN),
          new Asked("disk|kernelLatency_average", "Kernel latency", "ms", Double.NaN));

  private final Frames frames;
  private final Means means;

  BenchmarkHosts(Frames frames, Means means) {
    this.frames = frames;
    this.means = means;
  }

  /**
   * A metric while a run was measured.
   *
   * @param mean over all hosts and the time of the run
   * @param before the same over as long a time before; null = nothing was reported
   * @param highest mean over the time of the run of the host that has the highest
   * @param hosts how many reported it
   */
  record Metric(
      String key,
      String name,
      String unit,
      double mean,
      @Nullable Double before,
      double highest,
      String highestHost,
      int hosts) {}

  /**
   * What is known.
   *
   * @param hosts how many the tested object has
   * @param sentence what the metrics say, or why there are none
   */
  record Answer(List<Metric> metrics, int hosts, String sentence) {}

  Answer during(Stored run) {
    Instant start = run.run().start();
    if (run.tested() == null) {
      return new Answer(List.of(), 0, "Not known: it is not said what was tested.");
    }
    if (start == null || run.run().length().isZero()) {
      return new Answer(List.of(), 0, "Not known: it is not said when the run began and ended.");
    }
    ObjectGraph graph = frames.objects();
    List<Integer> hosts = hosts(run.tested().id(), graph);
    if (hosts.isEmpty()) {
      return new Answer(
          List.of(), 0, "Not known: " + run.tested().name() + " has no host in the inventory.");
    }
    List<Metric> metrics = read(hosts, graph, start, run.run().length());
    return new Answer(metrics, hosts.size(), sentence(metrics, hosts.size()));
  }

  /** The object itself, else hosts below it, else those above it. */
  private static List<Integer> hosts(int object, ObjectGraph graph) {
    if (HOST.equals(graph.kindOf(object))) {
      return List.of(object);
    }
    List<Integer> below = near(object, graph, id -> graph.children(id, MOST_NEAR));
    return below.isEmpty() ? near(object, graph, id -> graph.parents(id, MOST_NEAR)) : below;
  }

  private static List<Integer> near(int object, ObjectGraph graph, IntFunction<int[]> next) {
    List<Integer> hosts = new ArrayList<>();
    Set<Integer> seen = new HashSet<>(List.of(object));
    ArrayDeque<Integer> open = new ArrayDeque<>(seen);
    while (!open.isEmpty() && hosts.size() < MOST_HOSTS && seen.size() < MOST_NEAR) {
      for (int id : next.apply(open.remove())) {
        if (seen.add(id)) {
          if (HOST.equals(graph.kindOf(id))) {
            hosts.add(id);
          } else {
            open.add(id);
          }
        }
      }
    }
    return hosts.size() > MOST_HOSTS ? hosts.subList(0, MOST_HOSTS) : hosts;
  }

  private List<Metric> read(
      List<Integer> hosts, ObjectGraph graph, Instant start, Duration length) {
    Duration width =
        WIDTHS.stream()
            .filter(one -> length.dividedBy(one) < MOST_BUCKETS)
            .findFirst()
            .orElse(WIDTHS.getLast());
    long step = width.toMillis();
    // Up to half a bucket before the start may count, never a time in which nothing was tested.
    long first = Math.round(start.toEpochMilli() / (double) step);
    long last = Math.round(start.plus(length).toEpochMilli() / (double) step);
    int buckets = (int) Math.clamp(last - first, 1, MOST_BUCKETS);
    int[] ids = hosts.stream().mapToInt(Integer::intValue).toArray();
    double[][][] values =
        means
            .read(
                List.of(new Means.Wanted(HOST, ASKED.stream().map(Asked::key).toList(), ids)),
                Instant.ofEpochMilli((first - buckets) * step),
                2 * buckets,
                width)
            .getFirst();
    List<Metric> metrics = new ArrayList<>();
    for (int m = 0; m < ASKED.size(); m++) {
      Metric metric = metric(ASKED.get(m), values[m], buckets, hosts, graph);
      if (metric != null) {
        metrics.add(metric);
      }
    }
    return metrics;
  }

  private static @Nullable Metric metric(
      Asked asked, double[][] values, int buckets, List<Integer> hosts, ObjectGraph graph) {
    double sum = 0;
    double highest = Double.NEGATIVE_INFINITY;
    int host = 0;
    int reported = 0;
    double before = 0;
    int known = 0;
    for (int i = 0; i < hosts.size(); i++) {
      double mean = mean(values, i, buckets, 2 * buckets);
      if (!Double.isNaN(mean)) {
        reported++;
        sum += mean;
        if (mean > highest) {
          highest = mean;
          host = hosts.get(i);
        }
      }
      double earlier = mean(values, i, 0, buckets);
      if (!Double.isNaN(earlier)) {
        before += earlier;
        known++;
      }
    }
    if (reported == 0) {
      return null;
    }
    return new Metric(
        asked.key(),
        asked.name(),
        asked.unit(),
        sum / reported,
        known == 0 ? null : Double.valueOf(before / known),
        highest,
        graph.name(HOST, graph.number(HOST, host)),
        reported);
  }

  private static double mean(double[][] values, int object, int from, int to) {
    double sum = 0;
    int count = 0;
    for (int b = from; b < to; b++) {
      if (!Double.isNaN(values[b][object])) {
        sum += values[b][object];
        count++;
      }
    }
    return count == 0 ? Double.NaN : sum / count;
  }

  private static String sentence(List<Metric> metrics, int hosts) {
    if (metrics.isEmpty()) {
      return hosts == 1
          ? "Not known: its host reported no metrics in this time."
          : "Not known: none of its %d hosts reported metrics in this time.".formatted(hosts);
    }
    List<String> limits = new ArrayList<>();
    for (Asked asked : ASKED) {
      metrics.stream()
          .filter(one -> one.key().equals(asked.key()) && one.highest() >= asked.limit())
          .forEach(
              one ->
                  limits.add(
                      "%s of %s was %s"
                          .formatted(
                              lower(one.name()),
                              one.highestHost(),
                              figure(one.highest(), one.unit()))));
    }
    if (!limits.isEmpty()) {
      String all = String.join(", and ", limits);
      return Character.toUpperCase(all.charAt(0))
          + all.substring(1)
          + ": it may have been the limit, not the storage.";
    }
    return metrics.stream()
        .filter(one -> one.key().equals(ASKED.getFirst().key()))
        .findFirst()
        .map(
            one ->
                "Hosts had CPU to spare: they used %s, at most %s (%s)."
                    .formatted(
                        figure(one.mean(), one.unit()),
                        figure(one.highest(), one.unit()),
                        one.highestHost()))
        .orElse("Nothing that is known was at its limit; the CPU is not known.");
  }

  private static String lower(String name) {
    return name.startsWith("CPU") ? name : name.toLowerCase(Locale.ROOT);
  }

  private static String figure(double value, String unit) {
    return String.format(Locale.ROOT, value < 10 ? "%.1f %s" : "%.0f %s", value, unit);
  }
}
