package io.peerlens.threshold;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The range that a level leaves to values, lower and upper side, at any moment. */
interface Bounds {

  /** Columns that a frame must hold. */
  Set<Input> inputs(ObjectKind kind);

  /** Where both sides are at the moment of a frame; valid until it is asked again. */
  Range at(Frame frame, ObjectKind kind);

  /** Both sides at a moment. */
  record Range(Side lower, Side upper) {}

  /**
   * The bounds of a level.
   *
   * @param bound the lower one of a range
   * @param upper for an operator that takes a range
   * @param usual what learned bounds are taken of; null = there are none
   */
  static Bounds of(Operator operator, Bound bound, @Nullable Bound upper, @Nullable Usual usual) {
    if (bound instanceof Bound.Learned learned) {
      return new LearnedBounds(operator, learned, Objects.requireNonNull(usual));
    }
    OneSide first = OneSide.of(bound);
    if (upper != null) {
      return new Both(first, OneSide.of(upper));
    }
    if (operator == Operator.EQ || operator == Operator.NE) {
      return new Both(first, first);
    }
    return operator.isDownwards() ? new Both(first, OneSide.NONE) : new Both(OneSide.NONE, first);
  }

  /** Values of two bounds. */
  final class Both implements Bounds {
    private final OneSide lower;
    private final OneSide upper;

    private Both(OneSide lower, OneSide upper) {
      this.lower = lower;
      this.upper = upper;
    }

    @Override
    public Set<Input> inputs(ObjectKind kind) {
      Set<Input> inputs = new HashSet<>();
      lower.input(kind, inputs);
      upper.input(kind, inputs);
      return inputs;
    }

    @Override
    public Range at(Frame frame, ObjectKind kind) {
      return new Range(lower.at(frame, kind, Side.LOWEST), upper.at(frame, kind, Side.HIGHEST));
    }
  }

  /** A bound; keeps an array where its values have to be computed. */
  final class OneSide {
    private static final OneSide NONE = new OneSide(null);

    private final @Nullable Bound bound;
    private double[] computed = {};

    private OneSide(@Nullable Bound bound) {
      this.bound = bound;
    }

    private static OneSide of(Bound bound) {
      return new OneSide(bound);
    }

    private void input(ObjectKind kind, Set<Input> inputs) {
      if (bound instanceof Bound.OfKey ofKey) {
        inputs.add(new Input(kind, ofKey.key(), false, false));
      }
    }

    private Side at(Frame frame, ObjectKind kind, Side otherwise) {
      return switch (bound) {
        case null -> otherwise;
        case Bound.Fixed(double value) -> new Side.Constant(value);
        case Bound.OfKey ofKey -> column(frame.column(kind, ofKey.key()), ofKey);
        case Bound.Learned learned ->
            throw new IllegalStateException(learned + " beside a bound that is not learned");
      };
    }

    private Side column(@Nullable Column column, Bound.OfKey ofKey) {
      if (column == null) {
        return Side.UNKNOWN;
      }
      if (ofKey.factor() == 1 && ofKey.offset() == 0) {
        return new Side.PerObject(column.numbers());
      }
      double[] numbers = column.numbers();
      if (computed.length != numbers.length) {
        computed = new double[numbers.length];
      }
      for (int i = 0; i < numbers.length; i++) {
        computed[i] = numbers[i] * ofKey.factor() + ofKey.offset();
      }
      return new Side.PerObject(computed);
    }
  }
}
