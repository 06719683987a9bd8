package io.peerlens.run.reading;

import io.peerlens.baselines.compare.Direction;
import io.peerlens.baselines.compare.PeriodComparison;
import io.peerlens.baselines.compare.PeriodTest;
import io.peerlens.baselines.compare.PeriodVerdict;
import io.peerlens.run.Parameter;
import io.peerlens.run.Run;
import io.peerlens.run.Run.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of a run A against a run B, which is the base.
 *
 * <p>The intervals of their steady parts are compared as two periods of production are after a
 * change ({@link PeriodComparison}): ranks, errors from the slow movements, doubled, all metrics
 * held to one false discovery rate; a change of less than 3 % does not matter. Runs of different
 * intervals are brought to the wider one first, for means of longer intervals scatter less.
 *
 * <p>That shows whether these two runs differ, not whether two such runs always do. Where repeats
 * are known, the difference is held against their scatter, too: two runs differ by {@code t s
 * sqrt(2)} by themselves in one case of twenty.
 *
 * @param judgement of A
 * @param certainty {@code certain}, {@code very likely} or {@code likely} (p below 0.001, 0.01,
 *     0.05); null = no difference is shown
 * @param metrics what was compared by interval, what matters most first
 * @param totals figures of the whole runs that stand beside it, without statistics
 * @param differences of the parameters
 * @param scatterTimes how many times the scatter of repeats the first metric differs; null = the
 *     scatter or the difference is not known
 * @param withinScatter whether repeats may differ as much; null = not known
 * @param warnings reasons for doubt
 * @param sentence the verdict
 */
public record RunComparison(
    PeriodVerdict judgement,
    @Nullable String certainty,
    List<Metric> metrics,
    List<Total> totals,
    List<Difference> differences,
    @Nullable Double scatterTimes,
    @Nullable Boolean withinScatter,
    List<String> warnings,
    String sentence) {

  private static final double RELATIVE = 0.03;
  private static final double CERTAIN = 0.001;
  private static final double VERY_LIKELY = 0.01;

  /** Longer series are averaged to so many intervals. */
  private static final int MOST_INTERVALS = 2000;

  private static final double SAME_STEP = 1.01;

  private static final Map<String, Direction> COMPARED = new LinkedHashMap<>();

  static {
    COMPARED.put("iops", Direction.HIGHER_IS_BETTER);
    COMPARED.put("throughput", Direction.HIGHER_IS_BETTER);
    COMPARED.put("latency", Direction.LOWER_IS_BETTER);
    COMPARED.put("read_latency", Direction.LOWER_IS_BETTER);
    COMPARED.put("write_latency", Direction.LOWER_IS_BETTER);
    COMPARED.put("cpu", Direction.NEITHER);
  }

  private static final List<String> TOTALS =
      List.of(
          "iops",
          "throughput",
          "latency",
          "latency_p50",
          "latency_p95",
          "latency_p99",
          "latency_p99.9");

  public RunComparison {
    metrics = List.copyOf(metrics);
    totals = List.copyOf(totals);
    differences = List.copyOf(differences);
    warnings = List.copyOf(warnings);
  }

  /**
   * A metric that both have by interval.
   *
   * @param a median of the steady part of A; null = too few values
   * @param percent by how much A is higher, per cent of the median of B; null = not known
   * @param interval of {@code percent} at 95 %; null = no ends can be named
   * @param level whether its level differs
   * @param tail whether its highest values do
   * @param p adjusted for all metrics; null = not enough data
   */
  public record Metric(
      String name,
      String unit,
      PeriodVerdict judgement,
      PeriodVerdict level,
      PeriodVerdict tail,
      @Nullable Double a,
      @Nullable Double b,
      @Nullable Double percent,
      @Nullable Interval interval,
      @Nullable Double p) {

    boolean changed() {
      return judgement != PeriodVerdict.SAME && judgement != PeriodVerdict.NOT_ENOUGH_DATA;
    }
  }

  /**
   * A figure of the whole runs.
   *
   * @param percent by how much A is higher, per cent of B; null = B is 0
   */
  public record Total(String name, String unit, double a, double b, @Nullable Double percent) {}

  /**
   * A parameter in which they differ.
   *
   * @param a empty = the run does not say
   * @param b empty = the run does not say
   */
  public record Difference(String parameter, String a, String b) {}

  /**
   * Compares two runs.
   *
   * @param scatter of IOPS of repeats of these runs; null = not known
   */
  public static RunComparison of(Run a, Run b, @Nullable Scatter scatter) {
    SteadyState stateA = SteadyState.of(a);
    SteadyState stateB = SteadyState.of(b);
    List<Metric> metrics = metrics(a, stateA, b, stateB);
    List<Difference> differences =
        Settings.differences(a, b).stream()
            .map(pair -> new Difference(pair.name(), pair.a(), pair.b()))
            .toList();
    List<String> warnings = new ArrayList<>();
    warn(warnings, "A", stateA);
    warn(warnings, "B", stateB);
    PeriodVerdict judgement = judgement(metrics);
    Metric head = head(metrics, judgement);
    Double times = null;
    Boolean within = null;
    if (head != null && head.name().equals("iops") && head.percent() != null && scatter != null) {
      double size = Math.abs(head.percent());
      times = scatter.percent() == 0 ? null : Double.valueOf(size / scatter.percent());
      double alone =
          TDistribution.of(scatter.count() - 1.0).inverseSurvivalProbability(0.025)
              * scatter.percent()
              * Math.sqrt(2);
      within = size <= alone;
      if (within && head.changed()) {
        warnings.add(
            "Repeats differ as much by themselves: up to %s %%. Repeat both runs."
                .formatted(Wording.rough(alone)));
      }
    }
    List<Total> totals = totals(a, b);
    String certainty = head == null || !head.changed() ? null : certainty(head);
    return new RunComparison(
        judgement,
        certainty,
        metrics,
        totals,
        differences,
        times,
        within,
        warnings,
        ComparisonWords.sentence(
            judgement, certainty, head, metrics, totals, differences, times, within));
  }

  private static void warn(List<String> warnings, String which, SteadyState state) {
    if (state.judgement() != SteadyState.Judgement.STEADY) {
      warnings.add(which + ": " + state.sentence());
    }
  }

  private static List<Metric> metrics(Run a, SteadyState stateA, Run b, SteadyState stateB) {
    List<String> names = new ArrayList<>();
    List<String> units = new ArrayList<>();
    List<PeriodComparison.Metric> asked = new ArrayList<>();
    COMPARED.forEach(
        (name, direction) -> {
          Series ofA = RunFigures.series(a, name);
          Series ofB = RunFigures.series(b, name);
          if (ofA != null && ofB != null && !repeats(name, a, b)) {
            double step = Math.max(Intervals.step(ofA), Intervals.step(ofB));
            double longest = Math.max(Intervals.length(ofA), Intervals.length(ofB));
            step = Math.max(step, longest / MOST_INTERVALS);
            names.add(name);
            units.add(ofA.unit().isEmpty() ? Wording.unit(name) : ofA.unit());
            asked.add(
                new PeriodComparison.Metric(
                    Intervals.period(ofB, stateB.from(), step, SAME_STEP),
                    Intervals.period(ofA, stateA.from(), step, SAME_STEP),
                    direction,
                    RELATIVE,
                    0));
          }
        });
    List<PeriodComparison.Outcome> outcomes = PeriodComparison.compare(asked);
    List<Metric> metrics = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      metrics.add(metric(names.get(i), units.get(i), outcomes.get(i)));
    }
    return metrics;
  }

  /** Whether a metric says again what another one says. */
  private static boolean repeats(String name, Run a, Run b) {
    if (name.equals("throughput")) {
      Double sizeA = Settings.number(a, Parameter.BLOCK_SIZE);
      return RunFigures.series(a, "iops") != null
          && RunFigures.series(b, "iops") != null
          && sizeA != null
          && sizeA.equals(Settings.number(b, Parameter.BLOCK_SIZE));
    }
    return (name.equals("read_latency") && RunFigures.series(a, "write_latency") == null)
        || (name.equals("write_latency") && RunFigures.series(a, "read_latency") == null);
  }

  private static Metric metric(String name, String unit, PeriodComparison.Outcome outcome) {
    PeriodTest.Result test = outcome.test();
    double base = Math.abs(test.medianA());
    Double percent = base == 0 ? null : Wording.finite(100 * test.shift() / base);
    // Nothing can be fewer than none.
    double low =
        Double.isInfinite(test.low()) ? test.low() : Math.max(-100, 100 * test.low() / base);
    double high = 100 * test.high() / base;
    double p =
        outcome.level() == PeriodVerdict.SAME && outcome.tail() != PeriodVerdict.SAME
            ? outcome.tailP()
            : outcome.levelP();
    return new Metric(
        name,
        unit,
        outcome.judgement(),
        outcome.level(),
        outcome.tail(),
        Wording.finite(test.medianB()),
        Wording.finite(test.medianA()),
        percent,
        Interval.of(low, high),
        Wording.finite(p));
  }

  private static PeriodVerdict judgement(List<Metric> metrics) {
    boolean better = has(metrics, PeriodVerdict.BETTER);
    boolean worse = has(metrics, PeriodVerdict.WORSE);
    if (better != worse) {
      return better ? PeriodVerdict.BETTER : PeriodVerdict.WORSE;
    }
    if (better || has(metrics, PeriodVerdict.DIFFERENT)) {
      return PeriodVerdict.DIFFERENT;
    }
    return has(metrics, PeriodVerdict.SAME) ? PeriodVerdict.SAME : PeriodVerdict.NOT_ENOUGH_DATA;
  }

  private static boolean has(List<Metric> metrics, PeriodVerdict verdict) {
    return metrics.stream().anyMatch(one -> one.judgement() == verdict);
  }

  /** The metric that carries the verdict; null = none was compared. */
  private static @Nullable Metric head(List<Metric> metrics, PeriodVerdict judgement) {
    return metrics.stream()
        .filter(one -> one.judgement() == judgement)
        .findFirst()
        .or(() -> metrics.stream().filter(Metric::changed).findFirst())
        .or(() -> metrics.stream().findFirst())
        .orElse(null);
  }

  private static String certainty(Metric head) {
    double p = head.p() == null ? 1 : head.p();
    return p < CERTAIN ? "certain" : p < VERY_LIKELY ? "very likely" : "likely";
  }

  private static List<Total> totals(Run a, Run b) {
    List<Total> totals = new ArrayList<>();
    for (String name : TOTALS) {
      Double ofA = RunFigures.value(a, name);
      Double ofB = RunFigures.value(b, name);
      if (ofA != null && ofB != null) {
        totals.add(
            new Total(
                name,
                Wording.unit(name),
                ofA,
                ofB,
                ofB == 0 ? null : Wording.finite(100 * (ofA - ofB) / Math.abs(ofB))));
      }
    }
    return totals;
  }
}
