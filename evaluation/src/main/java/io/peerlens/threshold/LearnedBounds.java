package io.peerlens.threshold;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import java.util.Set;

/** Learned bounds of a level. They are asked for by indexes of {@link Usual}. */
final class LearnedBounds implements Bounds {

  private final Bound.Learned bound;
  private final Usual usual;
  private final Range range;

  LearnedBounds(Operator operator, Bound.Learned bound, Usual usual) {
    this.bound = bound;
    this.usual = usual;
    this.range =
        new Range(
            operator == Operator.GT ? Side.LOWEST : this::lowest,
            operator == Operator.LT ? Side.HIGHEST : this::highest);
  }

  @Override
  public Set<Input> inputs(ObjectKind kind) {
    return Set.of();
  }

  @Override
  public Range at(Frame frame, ObjectKind kind) {
    return range;
  }

  /** Lower learned bound; NaN = nothing is learned. */
  double lower(int at) {
    return usual.lower(at) - bound.sensitivity().margin() * usual.spread(at);
  }

  /** Upper learned bound; NaN = nothing is learned. */
  double upper(int at) {
    return usual.upper(at) + bound.sensitivity().margin() * usual.spread(at);
  }

  private double lowest(int at) {
    double end = lower(at);
    return end - deviation(end, usual.lower(at));
  }

  private double highest(int at) {
    double end = upper(at);
    return end + deviation(end, usual.upper(at));
  }

  /** What was learned was rounded to a float, which must not put the value itself beyond it. */
  private double deviation(double end, float learned) {
    double least =
        Math.max(bound.minimumDeviation(), bound.minimumRelativeDeviation() * Math.abs(end));
    return Math.max(least, Math.ulp(learned));
  }
}
