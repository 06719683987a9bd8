package io.peerlens.baselines.compare;

import java.util.List;

/**
 * Performance index: one number for what a change did to the goal of an object: 50 = nothing, 100 =
 * at least twice as good, 0 = at least twice as bad.
 *
 * <pre>
 * index = 50 + 50 * sum(w * g) / sum(w)
 * g     = (2 * gain(level) + gain(tail)) / 3
 * gain  = log2(before / after), within -1 and 1; with the sign turned where higher is better;
 *         0 where no difference that matters is shown
 * </pre>
 *
 * <p>The level is before = the median before, after = that plus the shift; the tail is the 95th
 * percentiles. w is the weight of a metric in the goal. Metrics without enough data do not count.
 */
public final class PerformanceIndex {

  private static final double NEUTRAL = 50;

  private PerformanceIndex() {}

  /**
   * A metric of the goal.
   *
   * @param weight above 0
   */
  public record Part(PeriodComparison.Outcome outcome, Direction direction, double weight) {}

  /** The index, from 0 to 100; NaN = no metric of the goal had enough data. */
  public static double of(List<Part> parts) {
    double sum = 0;
    double weights = 0;
    for (Part part : parts) {
      PeriodComparison.Outcome outcome = part.outcome();
      if (outcome.judgement() != PeriodVerdict.NOT_ENOUGH_DATA) {
        PeriodTest.Result test = outcome.test();
        double level = gain(outcome.level(), test.medianA(), test.medianA() + test.shift());
        double tail = gain(outcome.tail(), test.p95A(), test.p95B());
        sum += part.weight() * sign(part.direction()) * (2 * level + tail) / 3;
        weights += part.weight();
      }
    }
    return weights == 0 ? Double.NaN : NEUTRAL + NEUTRAL * sum / weights;
  }

  private static int sign(Direction direction) {
    return direction.good(-1);
  }

  /** Above 0 = lower than before. */
  private static double gain(PeriodVerdict judgement, double before, double after) {
    if (judgement == PeriodVerdict.SAME) {
      return 0;
    }
    double a = Math.max(0, before);
    double b = Math.max(0, after);
    return a == b ? 0 : Math.clamp(Math.log(a / b) / Math.log(2), -1, 1);
  }
}
