package io.peerlens.run.reading;

import io.peerlens.run.Run;
import io.peerlens.run.Run.Series;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Curve of a sweep: what was carried against its latency, a point for each value of the parameter.
 *
 * @param points in the order of the parameter
 * @param remarks what a reader should know, such as runs that were left out
 */
public record Curve(
    Sweep sweep, Load load, Latency latency, List<Point> points, List<String> remarks) {

  public Curve {
    points = List.copyOf(points);
    remarks = List.copyOf(remarks);
  }

  /** What is carried. */
  public enum Load {
    IOPS("iops", "IO/s"),
    THROUGHPUT("throughput", "B/s");

    private final String figure;
    private final String unit;

    Load(String figure, String unit) {
      this.figure = figure;
      this.unit = unit;
    }

    /** Name of the figure, as of {@link Run.Figure#name}. */
    public String figure() {
      return figure;
    }

    /** {@code IO/s} or {@code B/s}. */
    public String unit() {
      return unit;
    }
  }

  /** Which latency, in milliseconds. */
  public enum Latency {
    MEAN("latency", "mean"),
    P95("latency_p95", "p95"),
    P99("latency_p99", "p99");

    private final String figure;
    private final String words;

    Latency(String figure, String words) {
      this.figure = figure;
      this.words = words;
    }

    /** Name of the figure, as of {@link Run.Figure#name}. */
    public String figure() {
      return figure;
    }

    String words() {
      return words;
    }
  }

  /**
   * Mean of the repeats of a point, with their scatter.
   *
   * @param mean finite
   * @param range the least and the most of the repeats
   */
  public record Bar(double mean, Interval range) {}

  /**
   * A point. It is drawn hollow unless it is {@code STEADY}.
   *
   * @param value of the parameter
   * @param number the same as a number; null = it is text
   * @param latency milliseconds
   * @param steady the worst of the repeats
   * @param runs of which it is; more than one are repeats
   */
  public record Point(
      String value,
      @Nullable Double number,
      Bar load,
      Bar latency,
      SteadyState.Judgement steady,
      List<Run> runs) {

    public Point {
      runs = List.copyOf(runs);
    }

    /** Of how many runs it is. */
    public int repeats() {
      return runs.size();
    }
  }

  /**
   * A point against another one that is 100 %.
   *
   * @param load per cent of the load of the base; null = that is 0
   * @param latency per cent of the latency of the base; null = that is 0
   */
  public record Relative(Point point, @Nullable Double load, @Nullable Double latency) {}

  /**
   * Makes the curve of a sweep. Load and mean latency are those of the steady part where a run has
   * series of intervals and is steady; percentiles are those of the whole run, for no tool says
   * them by interval. Runs that lack one of both, or carried nothing, are left out, which a remark
   * says.
   */
  public static Curve of(Sweep sweep, Load load, Latency latency) {
    List<Point> points = new ArrayList<>();
    int without = 0;
    boolean parts = false;
    for (Sweep.Point values : sweep.points()) {
      List<Double> loads = new ArrayList<>();
      List<Double> latencies = new ArrayList<>();
      List<Run> runs = new ArrayList<>();
      SteadyState.Judgement worst = SteadyState.Judgement.STEADY;
      for (Run run : values.runs()) {
        SteadyState state = SteadyState.of(run);
        boolean part = state.judgement() == SteadyState.Judgement.STEADY && state.from() > 0;
        Double x = part ? steadyLoad(run, load, state) : RunFigures.value(run, load.figure());
        Double y =
            part && latency == Latency.MEAN
                ? steadyLatency(run, state)
                : RunFigures.value(run, latency.figure());
        if (x == null || y == null || x <= 0 || y < 0) {
          without++;
          continue;
        }
        parts |= part;
        loads.add(x);
        runs.add(run);
        latencies.add(y);
        worst = worse(worst, state.judgement());
      }
      if (!loads.isEmpty()) {
        points.add(
            new Point(values.value(), values.number(), bar(loads), bar(latencies), worst, runs));
      }
    }
    return new Curve(sweep, load, latency, points, remarks(sweep, load, latency, without, parts));
  }

  private static List<String> remarks(
      Sweep sweep, Load load, Latency latency, int without, boolean parts) {
    List<String> remarks = new ArrayList<>();
    if (without > 0) {
      remarks.add(
          "%d of %s left out: without %s or %s."
              .formatted(
                  without,
                  Wording.count(sweep.count(), "run", "runs"),
                  Wording.figure(load.figure()),
                  Wording.figure(latency.figure())));
    }
    if (parts && latency != Latency.MEAN) {
      remarks.add(
          "%s of the steady part, %s of the whole run."
              .formatted(Wording.figure(load.figure()), latency.words()));
    }
    return remarks;
  }

  private static SteadyState.Judgement worse(SteadyState.Judgement a, SteadyState.Judgement b) {
    if (a == SteadyState.Judgement.NOT_STEADY || b == SteadyState.Judgement.NOT_STEADY) {
      return SteadyState.Judgement.NOT_STEADY;
    }
    return a == SteadyState.Judgement.STEADY ? b : a;
  }

  private static @Nullable Double steadyLoad(Run run, Load load, SteadyState state) {
    Series series = RunFigures.series(run, load.figure());
    Double mean = series == null ? null : mean(series, state.from(), (i, value) -> 1.0);
    return mean == null ? RunFigures.value(run, load.figure()) : mean;
  }

  /** Each interval counts by its operations. */
  private static @Nullable Double steadyLatency(Run run, SteadyState state) {
    Series latency = RunFigures.series(run, "latency");
    Series iops = RunFigures.series(run, "iops");
    Double mean = null;
    if (latency != null && iops != null && latency.values().length == iops.values().length) {
      mean = mean(latency, state.from(), (i, value) -> iops.values()[i]);
    }
    return mean == null ? RunFigures.value(run, "latency") : mean;
  }

  private static @Nullable Double mean(
      Series series, double from, BiFunction<Integer, Double, Double> weight) {
    double sum = 0;
    double weights = 0;
    for (int i = 0; i < series.values().length; i++) {
      double value = series.values()[i];
      if (series.seconds()[i] > from && Double.isFinite(value)) {
        double one = weight.apply(i, value);
        if (Double.isFinite(one) && one > 0) {
          sum += value * one;
          weights += one;
        }
      }
    }
    return weights > 0 ? Wording.finite(sum / weights) : null;
  }

  private static Bar bar(Collection<Double> values) {
    double low = values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    double high = values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    double mean = values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    return new Bar(Math.clamp(mean, low, high), new Interval(low, high));
  }

  /**
   * All points against one of them.
   *
   * @param base one of {@code points}
   */
  public List<Relative> relativeTo(Point base) {
    return points.stream()
        .map(
            point ->
                new Relative(
                    point,
                    percent(point.load().mean(), base.load().mean()),
                    percent(point.latency().mean(), base.latency().mean())))
        .toList();
  }

  private static @Nullable Double percent(double value, double base) {
    return base == 0 ? null : Wording.finite(100 * value / base);
  }

  /** Whether the load falls somewhere while the latency rises. */
  public boolean foldsBack() {
    for (int i = 1; i < points.size(); i++) {
      if (points.get(i).load().mean() < points.get(i - 1).load().mean()
          && points.get(i).latency().mean() > points.get(i - 1).latency().mean()) {
        return true;
      }
    }
    return false;
  }

  /** IOPS and p95 of 7 runs that differ in outstanding IO only: 4K, all reads, random. */
  public String sentence() {
    String title = sweep.title();
    return "%s and %s of %s that differ in %s only%s."
        .formatted(
            Wording.sentence(Wording.figure(load.figure())),
            Wording.figure(latency.figure()),
            Wording.count(points.stream().mapToInt(Point::repeats).sum(), "run", "runs"),
            Wording.parameter(sweep.parameter()),
            title.isEmpty() ? "" : ": " + title);
  }
}
