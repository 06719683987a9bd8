package io.peerlens.threshold;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Frame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Levels and trigger for some of a threshold's objects: those of the threshold itself, or of one of
 * its overrides. Bounds are those of the moment that it was prepared for last.
 */
final class Profile {

  /** A level with its bounds at the moment. */
  private static final class Prepared {
    final int level;
    final @Nullable Bounds bounds;
    final @Nullable Bounds clear;
    final @Nullable Predicate<String> text;
    final long afterMillis;
    Side lower = Side.LOWEST;
    Side upper = Side.HIGHEST;
    Side clearLower = Side.LOWEST;
    Side clearUpper = Side.HIGHEST;

    Prepared(Operator operator, Level level, @Nullable Usual usual) {
      this.level = level.severity().level();
      Bound bound = level.bound();
      this.bounds = bound == null ? null : Bounds.of(operator, bound, level.upper(), usual);
      this.clear = bound == null ? null : clear(operator, level, bound, usual);
      this.text = level.text() == null ? null : TextTest.of(operator, level.text());
      Duration after = level.after();
      this.afterMillis = after == null ? 0 : after.toMillis();
    }

    private static @Nullable Bounds clear(
        Operator operator, Level level, Bound bound, @Nullable Usual usual) {
      if (level.clear() == null && level.clearUpper() == null) {
        return null;
      }
      return Bounds.of(
          operator,
          Objects.requireNonNullElse(level.clear(), bound),
          level.clearUpper() == null ? level.upper() : level.clearUpper(),
          usual);
    }

    void at(Frame frame, ObjectKind kind) {
      if (bounds != null) {
        Bounds.Range range = bounds.at(frame, kind);
        lower = range.lower();
        upper = range.upper();
        clearLower = lower;
        clearUpper = upper;
      }
      if (clear != null) {
        Bounds.Range range = clear.at(frame, kind);
        clearLower = range.lower();
        clearUpper = range.upper();
      }
    }

    boolean isKnown(int at) {
      return !Double.isNaN(lower.at(at))
          && !Double.isNaN(upper.at(at))
          && !Double.isNaN(clearLower.at(at))
          && !Double.isNaN(clearUpper.at(at));
    }
  }

  private final Operator operator;
  private final Trigger trigger;

  /** The worst first. */
  private final List<Prepared> levels = new ArrayList<>();

  /**
   * @param operator any, where the condition has none
   * @param usual null = no bound is learned
   */
  Profile(Operator operator, List<Level> levels, Trigger trigger, @Nullable Usual usual) {
    this.operator = operator;
    this.trigger = trigger;
    for (Level level : levels.reversed()) {
      this.levels.add(new Prepared(operator, level, usual));
    }
  }

  Trigger trigger() {
    return trigger;
  }

  void inputs(ObjectKind kind, java.util.Set<io.peerlens.supermetrics.program.Input> inputs) {
    for (Prepared level : levels) {
      if (level.bounds != null) {
        inputs.addAll(level.bounds.inputs(kind));
      }
      if (level.clear != null) {
        inputs.addAll(level.clear.inputs(kind));
      }
    }
  }

  /** Takes the bounds of a moment. */
  void prepare(Frame frame, ObjectKind kind) {
    levels.forEach(level -> level.at(frame, kind));
  }

  // ---------------------------------------------------------------------------------------
  // numbers

  /** Whether the values that violate nothing lie between two bounds. */
  boolean isBand() {
    return switch (operator) {
      case GT, GE, LT, LE, OUTSIDE -> true;
      default -> false;
    };
  }

  /** Whether all bounds are the same for all objects. */
  boolean isConstant() {
    return levels.stream()
        .allMatch(
            level -> level.lower instanceof Side.Constant && level.upper instanceof Side.Constant);
  }

  /** Where the lowest value lies that violates nothing; NaN = a bound is not known. */
  double low(int at) {
    double low = Double.NEGATIVE_INFINITY;
    for (Prepared level : levels) {
      double side = level.lower.at(at);
      low = Math.max(low, operator == Operator.LE ? Math.nextUp(side) : side); // NaN wins
    }
    return low;
  }

  /** Where the highest value lies that violates nothing; NaN = a bound is not known. */
  double high(int at) {
    double high = Double.POSITIVE_INFINITY;
    for (Prepared level : levels) {
      double side = level.upper.at(at);
      high = Math.min(high, operator == Operator.GE ? Math.nextDown(side) : side);
    }
    return high;
  }

  /** Whether all bounds of one are known at the moment. */
  boolean isKnown(int at) {
    for (Prepared level : levels) {
      if (!level.isKnown(at)) {
        return false;
      }
    }
    return true;
  }

  /** Level of the worst severity that a number violates; 0 = none. */
  int over(double value, int at) {
    for (Prepared level : levels) {
      if (violates(value, level.lower.at(at), level.upper.at(at))) {
        return level.level;
      }
    }
    return 0;
  }

  /** Level of the worst severity that a number holds; 0 = none. */
  int held(double value, int at) {
    for (Prepared level : levels) {
      if (violates(value, level.clearLower.at(at), level.clearUpper.at(at))) {
        return level.level;
      }
    }
    return 0;
  }

  private boolean violates(double value, double lower, double upper) {
    return switch (operator) {
      case GT -> value > upper;
      case GE -> value >= upper;
      case LT -> value < lower;
      case LE -> value <= lower;
      case EQ -> value == upper;
      case NE -> value != upper;
      case INSIDE -> value >= lower && value <= upper;
      case OUTSIDE -> value < lower || value > upper;
      default -> throw new IllegalStateException(operator + " is not for numbers");
    };
  }

  /** The bound of a severity, the lower one of a range or the learned one; NaN = there is none. */
  double bound(int severity, int at) {
    Prepared level = level(severity);
    if (level == null || level.text != null) {
      return Double.NaN;
    }
    if (level.bounds == null) {
      return level.afterMillis / 1e3;
    }
    if (level.bounds instanceof LearnedBounds learned) {
      return learned.lower(at);
    }
    return operator.isRange() || operator.isDownwards() ? level.lower.at(at) : level.upper.at(at);
  }

  /** The upper bound of a severity's range or the learned one; NaN = it has none. */
  double upper(int severity, int at) {
    Prepared level = level(severity);
    if (level == null || level.bounds == null) {
      return Double.NaN;
    }
    if (level.bounds instanceof LearnedBounds learned) {
      return learned.upper(at);
    }
    return operator.isRange() ? level.upper.at(at) : Double.NaN;
  }

  /** The level of a severity, or the worst below it. */
  private @Nullable Prepared level(int severity) {
    for (Prepared level : levels) {
      if (level.level <= severity) {
        return level;
      }
    }
    return null;
  }

  // ---------------------------------------------------------------------------------------
  // texts and times

  /** Level of the worst severity that a text violates; 0 = none. */
  int over(String text) {
    for (Prepared level : levels) {
      if (level.text != null && level.text.test(text)) {
        return level.level;
      }
    }
    return 0;
  }

  /** Level of the worst severity that it is to have had no sample for so long; 0 = none. */
  int overdue(long age) {
    for (Prepared level : levels) {
      if (age > level.afterMillis) {
        return level.level;
      }
    }
    return 0;
  }

  /** From which age on anything is violated. */
  long firstAge() {
    return levels.getLast().afterMillis;
  }
}
