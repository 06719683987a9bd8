package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.Function;
import io.peerlens.supermetrics.formula.Operator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/**
 * Operators and functions on columns, from one index to below another. One loop for each operator,
 * so that the compiler can make vector instructions of it; {@link Operator#apply} says what each
 * does to one pair.
 *
 * <p>Adding {@code r * 0} to a result r makes NaN of an infinite one and changes no other.
 */
final class Arithmetic {

  private Arithmetic() {}

  static void binary(Operator operator, double[] a, double[] b, double[] out, int from, int to) {
    switch (operator) {
      case ADD -> {
        for (int i = from; i < to; i++) {
          double r = a[i] + b[i];
          out[i] = r + r * 0.0;
        }
      }
      case SUBTRACT -> {
        for (int i = from; i < to; i++) {
          double r = a[i] - b[i];
          out[i] = r + r * 0.0;
        }
      }
      case MULTIPLY -> {
        for (int i = from; i < to; i++) {
          double r = a[i] * b[i];
          out[i] = r + r * 0.0;
        }
      }
      case DIVIDE -> {
        for (int i = from; i < to; i++) {
          double r = a[i] / b[i];
          out[i] = r + r * 0.0;
        }
      }
      case LESS -> {
        for (int i = from; i < to; i++) {
          out[i] = (a[i] < b[i] ? 1.0 : 0.0) + a[i] * 0.0 + b[i] * 0.0;
        }
      }
      case LESS_OR_EQUAL -> {
        for (int i = from; i < to; i++) {
          out[i] = (a[i] <= b[i] ? 1.0 : 0.0) + a[i] * 0.0 + b[i] * 0.0;
        }
      }
      case GREATER -> {
        for (int i = from; i < to; i++) {
          out[i] = (a[i] > b[i] ? 1.0 : 0.0) + a[i] * 0.0 + b[i] * 0.0;
        }
      }
      case GREATER_OR_EQUAL -> {
        for (int i = from; i < to; i++) {
          out[i] = (a[i] >= b[i] ? 1.0 : 0.0) + a[i] * 0.0 + b[i] * 0.0;
        }
      }
      case EQUAL -> {
        for (int i = from; i < to; i++) {
          out[i] = (a[i] == b[i] ? 1.0 : 0.0) + a[i] * 0.0 + b[i] * 0.0;
        }
      }
      case NOT_EQUAL -> {
        for (int i = from; i < to; i++) {
          out[i] = (a[i] != b[i] ? 1.0 : 0.0) + a[i] * 0.0 + b[i] * 0.0;
        }
      }
      case AND -> {
        for (int i = from; i < to; i++) {
          out[i] = a[i] == 0 ? 0.0 : (b[i] != 0 ? 1.0 : 0.0) + a[i] * 0.0 + b[i] * 0.0;
        }
      }
      case OR -> {
        for (int i = from; i < to; i++) {
          out[i] =
              a[i] != 0 && !Double.isNaN(a[i])
                  ? 1.0
                  : (b[i] != 0 ? 1.0 : 0.0) + a[i] * 0.0 + b[i] * 0.0;
        }
      }
      case REMAINDER -> {
        for (int i = from; i < to; i++) {
          out[i] = a[i] % b[i];
        }
      }
      case EQUALS, CONTAINS, STARTS_WITH, ENDS_WITH ->
          throw new IllegalStateException(operator + " compares texts");
    }
  }

  static void negative(double[] a, double[] out, int from, int to) {
    for (int i = from; i < to; i++) {
      out[i] = -a[i];
    }
  }

  static void not(double[] a, double[] out, int from, int to) {
    for (int i = from; i < to; i++) {
      out[i] = (a[i] == 0 ? 1.0 : 0.0) + a[i] * 0.0;
    }
  }

  static void choice(
      double[] condition, double[] yes, double[] no, double[] out, int from, int to) {
    for (int i = from; i < to; i++) {
      double c = condition[i];
      out[i] = Double.isNaN(c) ? Double.NaN : c != 0 ? yes[i] : no[i];
    }
  }

  static void apply(Function function, double[] a, double[] out, int from, int to) {
    switch (function) {
      case FLOOR -> {
        for (int i = from; i < to; i++) {
          out[i] = Math.floor(a[i]);
        }
      }
      case CEIL -> {
        for (int i = from; i < to; i++) {
          out[i] = Math.ceil(a[i]);
        }
      }
      case ABS -> {
        for (int i = from; i < to; i++) {
          out[i] = Math.abs(a[i]);
        }
      }
      default -> {
        DoubleUnaryOperator operator = function.unary();
        for (int i = from; i < to; i++) {
          out[i] = Operator.finite(operator.applyAsDouble(a[i]));
        }
      }
    }
  }

  static void apply(Function function, double[] a, double[] b, double[] out, int from, int to) {
    DoubleBinaryOperator operator = function.binary();
    for (int i = from; i < to; i++) {
      // pow(NaN, 0) is 1 in Java; here a missing operand leaves nothing
      out[i] =
          Double.isNaN(a[i]) || Double.isNaN(b[i])
              ? Double.NaN
              : Operator.finite(operator.applyAsDouble(a[i], b[i]));
    }
  }

  /** A number from 0 to below 1 that depends on all three arguments and nothing else. */
  static double random(long seed, long time, long object) {
    long z = seed + 0x9e3779b97f4a7c15L * (object + 1) + 0xd1b54a32d192ed03L * time;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    z ^= z >>> 31;
    return (z >>> 11) * 0x1.0p-53;
  }
}
