package io.peerlens.baselines.compare;

import java.util.ArrayList;
import java.util.List;

/**
 * Comparison of several metrics between two periods, as one question: each metric is asked for its
 * level and for its tail, and all these answers together are held to a false discovery rate of
 * {@value #RATE} ({@link FalseDiscovery}).
 */
public final class PeriodComparison {

  /** False discovery rate: at most this share of the reported differences is none, on average. */
  public static final double RATE = 0.05;

  private PeriodComparison() {}

  /**
   * A metric to compare.
   *
   * @param relative the smallest change that matters, as a share of the larger of both values: 0.03
   *     = 3 %
   * @param absolute the smallest change that matters, in the metric's unit; both must be reached
   */
  public record Metric(
      Period before, Period after, Direction direction, double relative, double absolute) {}

  /**
   * Outcome for a metric.
   *
   * @param levelP adjusted for all that was asked together; NaN = not enough data
   * @param tailP the same for the tail
   * @param judgement of the level; where that is the same, of the tail
   */
  public record Outcome(
      PeriodTest.Result test,
      double levelP,
      double tailP,
      PeriodVerdict level,
      PeriodVerdict tail,
      PeriodVerdict judgement) {}

  /** The outcomes, in the order of the metrics. */
  public static List<Outcome> compare(List<Metric> metrics) {
    int n = metrics.size();
    List<PeriodTest.Result> tests = new ArrayList<>(n);
    double[] p = new double[2 * n];
    for (int i = 0; i < n; i++) {
      PeriodTest.Result test = PeriodTest.compare(metrics.get(i).before(), metrics.get(i).after());
      tests.add(test);
      p[2 * i] = test.level().p();
      p[2 * i + 1] = test.tail().p();
    }
    double[] adjusted = FalseDiscovery.adjust(p);
    List<Outcome> outcomes = new ArrayList<>(n);
    for (int i = 0; i < n; i++) {
      outcomes.add(outcome(metrics.get(i), tests.get(i), adjusted[2 * i], adjusted[2 * i + 1]));
    }
    return outcomes;
  }

  private static Outcome outcome(
      Metric metric, PeriodTest.Result test, double levelP, double tailP) {
    PeriodVerdict level =
        judge(
            metric,
            levelP,
            test.shift(),
            Math.max(Math.abs(test.medianA()), Math.abs(test.medianB())));
    PeriodVerdict tail =
        judge(
            metric,
            tailP,
            agreeing(test.p95B() - test.p95A(), test.tail().effect()),
            Math.max(Math.abs(test.p95A()), Math.abs(test.p95B())));
    return new Outcome(
        test, levelP, tailP, level, tail, level == PeriodVerdict.SAME ? tail : level);
  }

  /** The change, or none where more values are in the tail although its edge went down. */
  private static double agreeing(double change, double effect) {
    return change * effect > 0 ? change : 0;
  }

  private static PeriodVerdict judge(Metric metric, double p, double change, double scale) {
    if (Double.isNaN(p)) {
      return PeriodVerdict.NOT_ENOUGH_DATA;
    }
    boolean matters =
        change != 0
            && Math.abs(change) >= metric.relative() * scale
            && Math.abs(change) >= metric.absolute();
    if (p > RATE || !matters) {
      return PeriodVerdict.SAME;
    }
    return switch (metric.direction().good(change)) {
      case 1 -> PeriodVerdict.BETTER;
      case -1 -> PeriodVerdict.WORSE;
      default -> PeriodVerdict.DIFFERENT;
    };
  }
}
