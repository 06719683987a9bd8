package io.peerlens.run.reading;

import io.peerlens.run.Latencies;
import io.peerlens.run.Run;
import io.peerlens.run.Run.Direction;
import io.peerlens.run.Run.Figure;
import io.peerlens.run.Run.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Figures and series of a run as a whole, put together of reads and writes or of machines where the
 * tool reports only those. Mean latencies are weighted by IOPS; percentiles are those of added
 * distributions.
 */
public final class RunFigures {

  private static final String PERCENTILE = "latency_p";
  private static final String READ = "read_";
  private static final String WRITE = "write_";

  private RunFigures() {}

  /**
   * A figure by its name, as {@link Figure#name}.
   *
   * @return null = the run does not say it, and it does not follow from what it says
   */
  public static @Nullable Double value(Run run, String name) {
    Double own = own(run, name);
    if (own != null) {
      return own;
    }
    if (name.contains(PERCENTILE)) {
      return percentile(run, name);
    }
    if (name.startsWith(READ) || name.startsWith(WRITE)) {
      return null;
    }
    Double reads = own(run, READ + name);
    Double writes = own(run, WRITE + name);
    return switch (name) {
      case "iops", "throughput" -> sum(reads, writes);
      case "latency" -> weighted(reads, own(run, READ + "iops"), writes, own(run, WRITE + "iops"));
      default -> null;
    };
  }

  private static @Nullable Double own(Run run, String name) {
    Figure figure = run.figure(name);
    return figure == null ? null : Wording.finite(figure.value());
  }

  private static @Nullable Double sum(@Nullable Double a, @Nullable Double b) {
    return a == null ? b : b == null ? a : Wording.finite(a + b);
  }

  private static @Nullable Double weighted(
      @Nullable Double a, @Nullable Double weightA, @Nullable Double b, @Nullable Double weightB) {
    if (a == null || (weightA != null && weightA == 0)) {
      return b;
    }
    if (b == null || (weightB != null && weightB == 0)) {
      return a;
    }
    if (weightA == null || weightB == null) {
      return null;
    }
    return Wording.finite((a * weightA + b * weightB) / (weightA + weightB));
  }

  private static @Nullable Double percentile(Run run, String name) {
    Direction direction =
        name.startsWith(READ)
            ? Direction.READ
            : name.startsWith(WRITE) ? Direction.WRITE : Direction.BOTH;
    Double percent =
        Settings.number(name.substring(name.indexOf(PERCENTILE) + PERCENTILE.length()));
    if (percent == null || percent < 0 || percent > 100) {
      return null;
    }
    List<Latencies> of = all(run, direction);
    if (of.isEmpty() && direction == Direction.BOTH) {
      of = new ArrayList<>(all(run, Direction.READ));
      List<Latencies> writes = all(run, Direction.WRITE);
      if (of.isEmpty() ? does(run, READ) : writes.isEmpty() && does(run, WRITE)) {
        // The distribution of one half says nothing of the whole.
        return null;
      }
      of.addAll(writes);
    }
    return of.isEmpty() ? null : Wording.finite(Latencies.sum(direction, of).percentile(percent));
  }

  private static List<Latencies> all(Run run, Direction direction) {
    return run.latencies().stream().filter(one -> one.direction() == direction).toList();
  }

  private static boolean does(Run run, String direction) {
    Double iops = own(run, direction + "iops");
    return iops == null || iops > 0;
  }

  /**
   * The series of a metric of the run as a whole.
   *
   * @return null = the run has none, and none follows from those of machines or of reads and writes
   */
  public static @Nullable Series series(Run run, String metric) {
    List<Series> own = run.series().stream().filter(one -> one.metric().equals(metric)).toList();
    for (Series one : own) {
      if (one.instance().isEmpty()) {
        return one;
      }
    }
    if (!own.isEmpty()) {
      return ofMachines(run, metric, own);
    }
    if (metric.startsWith(READ) || metric.startsWith(WRITE)) {
      return null;
    }
    Series reads = series(run, READ + metric);
    Series writes = series(run, WRITE + metric);
    if (reads == null || writes == null) {
      return reads == null ? writes : reads;
    }
    return switch (metric) {
      case "iops", "throughput" -> combined(metric, List.of(reads, writes), null);
      case "latency" -> {
        Series readIops = series(run, READ + "iops");
        Series writeIops = series(run, WRITE + "iops");
        yield readIops == null || writeIops == null
            ? null
            : combined(metric, List.of(reads, writes), List.of(readIops, writeIops));
      }
      default -> null;
    };
  }

  private static @Nullable Series ofMachines(Run run, String metric, List<Series> machines) {
    if (metric.endsWith("iops") || metric.endsWith("throughput") || metric.equals("outstanding")) {
      return combined(metric, machines, null);
    }
    if (!metric.endsWith("latency")) {
      return null;
    }
    String counts = metric.replace("latency", "iops");
    List<Series> weights = new ArrayList<>();
    for (Series machine : machines) {
      run.series().stream()
          .filter(one -> one.metric().equals(counts) && one.instance().equals(machine.instance()))
          .findFirst()
          .ifPresent(weights::add);
    }
    return weights.size() == machines.size() ? combined(metric, machines, weights) : null;
  }

  /** The sum, or with weights the mean; null = their intervals are not the same. */
  private static @Nullable Series combined(
      String metric, List<Series> parts, @Nullable List<Series> weights) {
    double[] seconds = parts.getFirst().seconds();
    List<Series> all = new ArrayList<>(parts);
    if (weights != null) {
      all.addAll(weights);
    }
    for (Series one : all) {
      if (!Arrays.equals(one.seconds(), seconds)) {
        return null;
      }
    }
    double[] values = new double[seconds.length];
    for (int i = 0; i < values.length; i++) {
      double sum = 0;
      double weight = 0;
      for (int p = 0; p < parts.size(); p++) {
        double value = parts.get(p).values()[i];
        double share = weights == null ? 1 : weights.get(p).values()[i];
        // Nothing was done, so it has no latency.
        sum += weights != null && share == 0 ? 0 : value * share;
        weight += share;
      }
      values[i] = weights == null ? sum : weight == 0 ? Double.NaN : sum / weight;
    }
    return new Series(metric, "", parts.getFirst().unit(), seconds, values);
  }
}
