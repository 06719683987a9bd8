package io.peerlens.run;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One run of a benchmark: one set of parameters, measured once. Whatever the tool, latencies are in
 * milliseconds, throughput in bytes a second (MB of tools that mean 1,048,576 are converted), sizes
 * in bytes, shares in per cent.
 *
 * @param tool such as {@code fio}, {@code vdbench}, {@code hcibench}, {@code diskspd}
 * @param version of the tool; empty = it does not say
 * @param name unique within what was read, such as the folder and the job
 * @param start null = the tool does not say
 * @param length of what was measured; zero = it does not say
 * @param parameters by {@link Parameter} names and, beyond those, the tool's own; as text
 * @param series by interval; empty where the tool reports none
 * @param figures totals, by {@link Figure} names
 * @param latencies distributions, for reads, writes and both, as far as the tool gives them
 * @param remarks what a reader should know, such as what was left out
 */
public record Run(
    String tool,
    String version,
    String name,
    @Nullable Instant start,
    Duration length,
    SortedMap<String, String> parameters,
    List<Series> series,
    List<Figure> figures,
    List<Latencies> latencies,
    List<String> remarks) {

  public Run {
    parameters = new TreeMap<>(parameters);
    series = List.copyOf(series);
    figures = List.copyOf(figures);
    latencies = List.copyOf(latencies);
    remarks = List.copyOf(remarks);
  }

  /** What a part of a run does. */
  public enum Direction {
    READ,
    WRITE,
    BOTH
  }

  /**
   * Values of a metric over a run.
   *
   * @param metric {@code iops}, {@code read_iops}, {@code write_iops}, {@code throughput}, {@code
   *     read_throughput}, {@code write_throughput}, {@code latency}, {@code read_latency}, {@code
   *     write_latency}, {@code latency_max}, {@code outstanding}, {@code cpu}, or the tool's own
   * @param instance the machine or job it is of; empty = the run as a whole
   * @param unit {@code IO/s}, {@code B/s}, {@code ms}, {@code %} or empty
   * @param seconds ends of the intervals, after the start of the run, ascending
   * @param values as many; NaN = none
   */
  public record Series(
      String metric, String instance, String unit, double[] seconds, double[] values) {

    public Series {
      if (seconds.length != values.length) {
        throw new IllegalArgumentException(
            "%s has %d times and %d values".formatted(metric, seconds.length, values.length));
      }
    }
  }

  /**
   * A total of a run.
   *
   * @param name as of {@link Series#metric}, or {@code latency_p50}, {@code latency_p95}, {@code
   *     latency_p99}, {@code latency_p99.9} with {@code read_} or {@code write_} before it
   * @param value what is right, as far as it can be known; NaN = it cannot be known from what the
   *     tool wrote
   * @param toolValue what the tool says, where that is something else; null = it says the same, or
   *     nothing
   * @param reason why the tool is wrong, or why {@code value} cannot be known; empty otherwise
   */
  public record Figure(
      String name, String unit, double value, @Nullable Double toolValue, String reason) {

    /** A figure about which the tool is right. */
    public static Figure of(String name, String unit, double value) {
      return new Figure(name, unit, value, null, "");
    }

    /** A figure that cannot be known from what the tool wrote. */
    public static Figure unknown(String name, String unit, String reason) {
      return new Figure(name, unit, Double.NaN, null, reason);
    }

    /** The same figure beside what the tool says of it. */
    public Figure beside(double toolValue, String reason) {
      return new Figure(name, unit, value, toolValue, reason);
    }
  }

  /** A total by its name; null = there is none. */
  public @Nullable Figure figure(String name) {
    return figures.stream().filter(one -> one.name().equals(name)).findFirst().orElse(null);
  }
}
