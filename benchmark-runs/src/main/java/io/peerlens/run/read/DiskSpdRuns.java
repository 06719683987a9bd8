package io.peerlens.run.read;

import io.peerlens.run.Latencies;
import io.peerlens.run.Parameter;
import io.peerlens.run.Run.Direction;
import io.peerlens.run.Run.Series;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs of DiskSpd's spans. Files of one folder from different computers that were asked for the
 * same at the same time, as VMFleet's are, are machines of one run.
 */
final class DiskSpdRuns {

  private DiskSpdRuns() {}

  /** Runs of all spans of a folder. */
  static List<Draft> of(List<DiskSpdSpan> spans) {
    Map<String, List<List<DiskSpdSpan>>> groups = new LinkedHashMap<>();
    for (DiskSpdSpan span : spans) {
      List<List<DiskSpdSpan>> alike =
          groups.computeIfAbsent(span.sameness(), key -> new ArrayList<>());
      List<DiskSpdSpan> together =
          alike.stream().filter(one -> belongs(one, span)).findFirst().orElse(null);
      if (together == null) {
        together = new ArrayList<>();
        alike.add(together);
      }
      together.add(span);
    }
    List<Draft> runs = new ArrayList<>();
    groups.values().forEach(alike -> alike.forEach(one -> runs.add(draft(one))));
    return runs;
  }

  private static boolean belongs(List<DiskSpdSpan> machines, DiskSpdSpan span) {
    Instant first = machines.getFirst().called;
    Instant called = span.called;
    if (first == null || called == null || span.computer.isEmpty()) {
      return false;
    }
    // The same test again can begin only after the first has ended.
    double warmUp = Numbers.of(span.profile.get("Warmup"));
    double length = span.seconds + (Double.isNaN(warmUp) ? 0 : warmUp);
    return Math.abs(Duration.between(first, called).toSeconds()) < length
        && machines.stream()
            .noneMatch(one -> one.computer.equals(span.computer) || one.computer.isEmpty());
  }

  private static Draft draft(List<DiskSpdSpan> machines) {
    DiskSpdSpan first = machines.getFirst();
    String file = first.file.replaceFirst("\\.[^./]+$", "");
    String folder = file.contains("/") ? file.substring(0, file.lastIndexOf('/')) : "";
    Draft run = new Draft("diskspd", file);
    if (machines.size() > 1) {
      run.name = (folder.isEmpty() ? "diskspd" : folder) + " (" + machines.size() + " machines)";
    }
    run.version = first.version;
    double warmUp = Numbers.of(first.profile.get("Warmup"));
    if (first.called != null) {
      run.start = first.called.plusSeconds(Double.isNaN(warmUp) ? 0 : (long) warmUp);
    }
    run.length = Duration.ofMillis(Math.round(first.seconds * 1000));
    for (Direction direction : Direction.values()) {
      totals(run, machines, direction);
    }
    run.figure(
        "cpu", "%", machines.stream().mapToDouble(one -> one.cpu).average().orElse(Double.NaN));
    series(run, machines);
    parameters(run, machines);
    return run;
  }

  private static void totals(Draft run, List<DiskSpdSpan> machines, Direction direction) {
    run.figure(
        LatencyFigures.name(direction, "iops"),
        "IO/s",
        sum(machines, one -> one.ops(direction) / one.seconds));
    run.figure(
        LatencyFigures.name(direction, "throughput"),
        "B/s",
        sum(machines, one -> one.bytes(direction) / one.seconds));
    double ops = sum(machines, one -> one.ops(direction));
    if (ops <= 0) {
      return;
    }
    run.figure(
        LatencyFigures.name(direction, "latency"),
        "ms",
        sum(
            machines,
            one ->
                one.ops(direction) == 0
                    ? 0
                    : one.means.getOrDefault(direction, Double.NaN) * one.ops(direction) / ops));
    List<Latencies> distributions = new ArrayList<>();
    double max = 0;
    for (DiskSpdSpan machine : machines) {
      Latencies one = machine.distribution(direction);
      if (one != null) {
        distributions.add(one);
        max = Math.max(max, one.bounds()[one.bounds().length - 1]);
      } else if (machine.ops(direction) > 0) {
        return;
      }
    }
    Latencies all = Latencies.sum(direction, distributions);
    run.figure(LatencyFigures.name(direction, "latency_max"), "ms", max);
    if (machines.size() > 1) {
      LatencyFigures.add(run, all);
      run.remark(
          "Percentiles of several machines are of their percentiles' distributions added, by"
              + " operations; DiskSpd does not write its buckets.");
      return;
    }
    run.latencies.add(all);
    Map<Double, Double> given =
        machines.getFirst().percentiles.getOrDefault(direction, new TreeMap<>());
    LatencyFigures.PERCENTILES.forEach(
        (name, percentile) ->
            run.figure(
                LatencyFigures.name(direction, "latency_p" + name),
                "ms",
                given.getOrDefault(percentile, Double.NaN)));
  }

  private static double sum(List<DiskSpdSpan> machines, ToDoubleFunction<DiskSpdSpan> of) {
    return machines.stream().mapToDouble(of).sum();
  }

  private static void series(Draft run, List<DiskSpdSpan> machines) {
    boolean several = machines.size() > 1;
    List<Series> all = new ArrayList<>();
    for (DiskSpdSpan machine : machines) {
      String name = several ? machine.computer : "";
      all.addAll(machine.intervals.series(name, 0, 1e-3));
    }
    if (several) {
      Together.add(run, all);
    }
    all.forEach(run::series);
    for (DiskSpdSpan machine : machines) {
      String name = several ? machine.computer + " " : "";
      machine.parts.forEach(
          (part, intervals) -> intervals.series(name + part, 0, 1e-3).forEach(run::series));
    }
  }

  private static void parameters(Draft run, List<DiskSpdSpan> machines) {
    DiskSpdSpan first = machines.getFirst();
    List<Map<String, String>> targets = first.targets;
    run.parameter(Parameter.BLOCK_SIZE, values(targets, "BlockSize"));
    run.parameter(Parameter.READ_SHARE, shares(targets, "WriteRatio", true));
    run.parameter(Parameter.RANDOM_SHARE, random(targets));
    run.parameter(Parameter.QUEUE_DEPTH, values(targets, "RequestCount"));
    run.parameter(Parameter.THREADS, first.threads);
    run.parameter(Parameter.MACHINES, (double) machines.size());
    run.parameter(Parameter.DISKS, targets.isEmpty() ? Double.NaN : targets.size());
    run.parameter(Parameter.WARM_UP, first.profile.get("Warmup"));
    run.parameter(
        Parameter.WORKING_SET,
        sum(machines, one -> one.sizes.values().stream().mapToDouble(Double::doubleValue).sum()));
    run.parameter(Parameter.OUTSTANDING, outstanding(first) * machines.size());
    run.parameter(Parameter.RATE_LIMIT, limit(first) * machines.size());
    for (String name : new String[] {"DisableOSCache", "WriteThrough", "InterlockedSequential"}) {
      run.parameter(name, values(targets, name));
    }
    run.parameter("Duration", first.profile.get("Duration"));
  }

  /** Operations outstanding on a machine. */
  private static double outstanding(DiskSpdSpan span) {
    double threads = Numbers.of(span.profile.get("ThreadCount"));
    double requests = Numbers.of(span.profile.get("RequestCount"));
    if (threads > 0) {
      // A fixed number of threads for all files; -O is of a thread, -o of a thread and file.
      double each =
          requests > 0 ? requests : total(span.targets, one -> number(one, "RequestCount"));
      return threads * each;
    }
    return total(span.targets, one -> number(one, "ThreadsPerFile") * number(one, "RequestCount"));
  }

  /** Operations a second that a machine was told not to exceed; NaN = it was not. */
  private static double limit(DiskSpdSpan span) {
    double sum = 0;
    for (Map<String, String> target : span.targets) {
      double rate = number(target, "Throughput");
      if (!(rate > 0)) {
        continue;
      }
      // Of each thread on the target; without a unit it is bytes a millisecond.
      if (!target.getOrDefault("ThroughputUnit", "").equalsIgnoreCase("IOPS")) {
        rate = rate * 1000 / number(target, "BlockSize");
      }
      sum += rate * number(target, "ThreadsPerFile");
    }
    return sum > 0 ? sum : Double.NaN;
  }

  private static double number(Map<String, String> target, String name) {
    return Numbers.of(target.get(name));
  }

  private static double total(
      List<Map<String, String>> targets, ToDoubleFunction<Map<String, String>> of) {
    return targets.isEmpty() ? Double.NaN : targets.stream().mapToDouble(of).sum();
  }

  private static @Nullable String values(List<Map<String, String>> targets, String name) {
    Set<String> values = new LinkedHashSet<>();
    targets.forEach(one -> values.add(one.getOrDefault(name, "")));
    values.remove("");
    return values.isEmpty() ? null : String.join(" + ", values);
  }

  private static @Nullable String shares(
      List<Map<String, String>> targets, String name, boolean others) {
    Set<String> values = new LinkedHashSet<>();
    for (Map<String, String> target : targets) {
      double share = number(target, name);
      if (!Double.isNaN(share)) {
        values.add(Numbers.plain(others ? 100 - share : share));
      }
    }
    return values.isEmpty() ? null : String.join(" + ", values);
  }

  /** Random where there is an alignment for it ({@code Random}), in part where there is a ratio. */
  private static @Nullable String random(List<Map<String, String>> targets) {
    Set<String> values = new LinkedHashSet<>();
    for (Map<String, String> target : targets) {
      double ratio = number(target, "RandomRatio");
      values.add(
          !Double.isNaN(ratio) ? Numbers.plain(ratio) : target.containsKey("Random") ? "100" : "0");
    }
    return values.isEmpty() ? null : String.join(" + ", values);
  }
}
