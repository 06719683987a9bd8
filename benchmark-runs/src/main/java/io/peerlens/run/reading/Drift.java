package io.peerlens.run.reading;

import io.peerlens.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Drift against reference runs: whether the newest repeat misses them by more than repeats differ
 * by themselves.
 *
 * <p>A figure is missed when it is on the bad side of the interval in which one more repeat would
 * lie with a probability of 95 %: {@code mean ± t s sqrt(1 + 1/n)}, with Student's t of n - 1
 * degrees of freedom (the prediction interval of a normal distribution), and by at least {@value
 * #MATTERS} %. So a figure that has not changed is missed in at most one case of forty.
 *
 * <p>One reference run says nothing of the scatter. Then a miss of more than {@value #FALLBACK} %
 * counts, and the sentence says so.
 *
 * @param judgement whether the newest run is as good as the references
 * @param checks by figure
 * @param sentence what is to be said, such as in an alert
 */
public record Drift(Judgement judgement, List<Check> checks, String sentence) {

  /** The smallest miss that matters, per cent; the same as in comparisons. */
  static final double MATTERS = 3;

  /** A miss that counts without a known scatter, per cent. */
  static final double FALLBACK = 10;

  private static final double CONFIDENCE = 0.95;
  private static final List<String> FIGURES =
      List.of("iops", "throughput", "latency", "latency_p95", "latency_p99");

  public Drift {
    checks = List.copyOf(checks);
  }

  /** What became of it. */
  public enum Judgement {
    HELD,
    MISSED,
    /** No references, other parameters, or no figure in common. */
    NOT_KNOWN
  }

  /**
   * A figure of the newest run against the references.
   *
   * @param expected mean of the references
   * @param references how many say the figure
   * @param interval in which a repeat is expected; null = one reference only
   * @param worse by how much it is worse than expected, per cent; below 0 = better
   */
  public record Check(
      String figure,
      String unit,
      double value,
      double expected,
      int references,
      @Nullable Interval interval,
      double worse,
      boolean missed) {

    String words() {
      // "IOPS 171,000" needs no unit.
      String in = unit.equals("IO/s") ? "" : unit;
      boolean higherIsBetter = higherIsBetter(figure);
      String within =
          interval == null
              ? ""
              : ", %s %s within their scatter"
                  .formatted(
                      higherIsBetter ? "at least" : "at most",
                      Wording.estimate(
                          higherIsBetter ? Math.max(0, interval.low()) : interval.high(), in));
      return "%s %s, expected %s%s (%s %% %s)"
          .formatted(
              Wording.figure(figure),
              Wording.value(value, in),
              Wording.estimate(expected, in),
              within,
              Wording.rough(Math.abs(worse)),
              worse >= 0 ? "worse" : "better");
    }
  }

  private static boolean higherIsBetter(String figure) {
    return figure.equals("iops") || figure.equals("throughput");
  }

  /** Whether somebody has to be told. */
  public boolean alert() {
    return judgement == Judgement.MISSED;
  }

  /**
   * Whether what two runs measured is the same, so that one can be held against the other. Versions
   * may differ, for they may be the reason of a drift.
   */
  public static boolean comparable(Run newest, Run reference) {
    return other(newest, reference).isEmpty();
  }

  /**
   * Compares the newest run with references.
   *
   * @param candidates references, without the newest; those of other parameters do not count
   */
  public static Drift of(Run newest, List<Run> candidates) {
    if (candidates.isEmpty()) {
      return unknown("there is no reference run");
    }
    List<Run> references = candidates.stream().filter(one -> comparable(newest, one)).toList();
    if (references.isEmpty()) {
      Run first = candidates.getFirst();
      return unknown("the reference " + first.name() + " had another " + other(newest, first));
    }
    List<Check> checks = new ArrayList<>();
    for (String figure : FIGURES) {
      boolean again =
          figure.equals("throughput")
              && checks.stream().anyMatch(check -> check.figure().equals("iops"));
      Double value = RunFigures.value(newest, figure);
      List<Double> values = Sweeps.values(references, figure);
      if (value != null && !again) {
        Check check = check(figure, value, values);
        if (check != null) {
          checks.add(check);
        }
      }
    }
    if (checks.isEmpty()) {
      return unknown("the runs have no figure in common");
    }
    List<Check> missed = checks.stream().filter(Check::missed).toList();
    String state =
        SteadyState.of(newest).judgement() == SteadyState.Judgement.NOT_STEADY
            ? " The newest run was not steady."
            : "";
    boolean alone = references.size() == 1;
    String of = alone ? "the reference run" : "the %d reference runs".formatted(references.size());
    String margin =
        alone
            ? " One reference run shows no scatter, so more than %s %% counts as missed."
                .formatted(Wording.number(FALLBACK))
            : "";
    String told =
        (missed.isEmpty() ? checks.stream().limit(1) : missed.stream())
            .map(Check::words)
            .collect(Collectors.joining("; "));
    return new Drift(
        missed.isEmpty() ? Judgement.HELD : Judgement.MISSED,
        checks,
        "%s %s: %s.%s%s"
            .formatted(missed.isEmpty() ? "As good as" : "Worse than", of, told, margin, state));
  }

  private static Drift unknown(String why) {
    return new Drift(Judgement.NOT_KNOWN, List.of(), "Not known whether it drifts: " + why + ".");
  }

  /** In what that counts the two differ; empty = in nothing. */
  private static String other(Run newest, Run reference) {
    Set<String> both = newest.parameters().keySet();
    return Settings.differences(newest, reference).stream()
        .filter(
            pair ->
                pair.name().equals(Settings.TOOL)
                    || (Settings.COMMON.contains(pair.name())
                        && both.contains(pair.name())
                        && reference.parameters().containsKey(pair.name())))
        .limit(3)
        .map(
            pair ->
                "%s, %s instead of %s"
                    .formatted(
                        Wording.parameter(pair.name()),
                        Wording.parameterValue(pair.name(), pair.b()),
                        Wording.parameterValue(pair.name(), pair.a())))
        .collect(Collectors.joining("; "));
  }

  private static @Nullable Check check(String figure, double value, List<Double> references) {
    int n = references.size();
    double mean = references.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    if (n == 0 || !(mean > 0) || !Double.isFinite(mean)) {
      return null;
    }
    double sign = higherIsBetter(figure) ? 1 : -1;
    double worse = sign * (mean - value) / mean * 100;
    if (!Double.isFinite(worse)) {
      return null;
    }
    String unit = Wording.unit(figure);
    if (n == 1) {
      return new Check(figure, unit, value, mean, 1, null, worse, worse > FALLBACK);
    }
    double squares = references.stream().mapToDouble(one -> (one - mean) * (one - mean)).sum();
    double reach =
        TDistribution.of(n - 1.0).inverseSurvivalProbability((1 - CONFIDENCE) / 2)
            * Math.sqrt(squares / (n - 1) * (1 + 1.0 / n));
    Interval interval = Interval.of(mean - reach, mean + reach);
    if (interval == null) {
      return null;
    }
    boolean beyond = sign > 0 ? value < interval.low() : value > interval.high();
    return new Check(figure, unit, value, mean, n, interval, worse, beyond && worse >= MATTERS);
  }
}
