package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.Expr;
import io.peerlens.supermetrics.formula.Function;
import io.peerlens.supermetrics.formula.Operator;
import io.peerlens.supermetrics.formula.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Conditions of {@code where} on whole columns. A value is a number, a text or missing; a missing
 * one makes every test missing, and what is not true is left out.
 */
final class Conditions {

  /** Lookup of another key of the objects; one value for each tested value. */
  @FunctionalInterface
  interface OtherKeys {
    Column column(String key);
  }

  private final Column tested;
  private final OtherKeys others;
  private final Buffers buffers;
  private final Budget budget;
  private final List<double[]> taken = new ArrayList<>();
  private final int length;

  Conditions(Column tested, OtherKeys others, Buffers buffers, Budget budget) {
    this.tested = tested;
    this.others = others;
    this.buffers = buffers;
    this.budget = budget;
    this.length = tested.length();
  }

  private double[] take() {
    double[] array = buffers.take(length);
    taken.add(array);
    return array;
  }

  /** Gives back every array that a test has used, that of its result too. */
  void close() {
    taken.forEach(buffers::give);
    taken.clear();
  }

  /** 1 where the condition holds, 0 where not, NaN where something is missing. */
  double[] test(Expr condition) {
    return column(condition).numbers();
  }

  private Column column(Expr expr) {
    return switch (expr) {
      case Expr.Number(double value, Span at) -> {
        double[] numbers = take();
        Arrays.fill(numbers, value);
        yield Column.of(numbers);
      }
      case Expr.Text(String value, Span at) -> {
        String[] texts = new String[length];
        Arrays.fill(texts, value);
        double[] numbers = take();
        Arrays.fill(numbers, Column.number(value));
        yield new Column(numbers, texts, null);
      }
      case Expr.Value value -> tested;
      case Expr.OtherKey(String key, Span at) -> others.column(key);
      case Expr.Fresh(Expr of, Span at) -> fresh(column(of));
      case Expr.Negative(Expr of, Span at) -> {
        double[] out = take();
        double[] a = column(of).numbers();
        budget.each(length, (from, to) -> Arithmetic.negative(a, out, from, to));
        yield Column.of(out);
      }
      case Expr.Not(Expr of, Span at) -> {
        double[] out = take();
        double[] a = column(of).numbers();
        budget.each(length, (from, to) -> Arithmetic.not(a, out, from, to));
        yield Column.of(out);
      }
      case Expr.Binary(Operator operator, Expr left, Expr right, Span at) ->
          binary(operator, left, right);
      case Expr.Conditional(Expr condition, Expr yes, Expr no, Span at) -> {
        double[] out = take();
        double[] chosen = column(condition).numbers();
        double[] a = column(yes).numbers();
        double[] b = column(no).numbers();
        budget.each(length, (from, to) -> Arithmetic.choice(chosen, a, b, out, from, to));
        yield Column.of(out);
      }
      case Expr.Call(Function function, List<Expr> arguments, Span at) -> {
        double[] out = take();
        double[] first = column(arguments.getFirst()).numbers();
        if (arguments.size() == 1) {
          budget.each(length, (from, to) -> Arithmetic.apply(function, first, out, from, to));
        } else {
          double[] second = column(arguments.get(1)).numbers();
          budget.each(
              length, (from, to) -> Arithmetic.apply(function, first, second, out, from, to));
        }
        yield Column.of(out);
      }
      case Expr.Array array -> throw notHere(array);
      case Expr.Named named -> throw notHere(named);
      case Expr.Alias alias -> throw notHere(alias);
      case Expr.Entry entry -> throw notHere(entry);
      case Expr.Bad bad -> throw notHere(bad);
    };
  }

  private static IllegalStateException notHere(Expr expr) {
    return new IllegalStateException("no part of a condition: " + expr);
  }

  private Column binary(Operator operator, Expr leftExpr, Expr rightExpr) {
    Column left = column(leftExpr);
    double[] out = take();
    if (operator.isTextTest() && rightExpr instanceof Expr.Text(String text, Span at)) {
      set(out, i -> test(operator, left.text(i), text));
      return Column.of(out);
    }
    Column right = column(rightExpr);
    if (operator.isTextTest()) {
      set(out, i -> test(operator, left.text(i), right.text(i)));
    } else if (operator == Operator.EQUAL || operator == Operator.NOT_EQUAL) {
      boolean asText = leftExpr instanceof Expr.Text || rightExpr instanceof Expr.Text;
      set(out, i -> equal(operator, left, right, i, asText));
    } else {
      double[] a = left.numbers();
      double[] b = right.numbers();
      budget.each(length, (from, to) -> Arithmetic.binary(operator, a, b, out, from, to));
    }
    return Column.of(out);
  }

  private void set(double[] out, IntToDoubleFunction value) {
    budget.each(
        length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            out[i] = value.applyAsDouble(i);
          }
        });
  }

  private static double test(Operator operator, @Nullable String value, @Nullable String of) {
    return value == null || of == null ? Double.NaN : operator.test(value, of) ? 1 : 0;
  }

  /** Equality of numbers where both are numbers, of texts where both are or one is in quotes. */
  private static double equal(Operator operator, Column left, Column right, int i, boolean asText) {
    double a = left.numbers()[i];
    double b = right.numbers()[i];
    boolean equal;
    if (!asText && !Double.isNaN(a) && !Double.isNaN(b)) {
      equal = a == b;
    } else if (asText || (left.isText(i) && right.isText(i))) {
      String first = left.text(i);
      String second = right.text(i);
      if (first == null || second == null) {
        return Double.NaN;
      }
      equal = first.equals(second);
    } else {
      return Double.NaN; // something is missing, or a text is compared with a number
    }
    return equal == (operator == Operator.EQUAL) ? 1 : 0;
  }

  private Column fresh(Column of) {
    double[] out = take();
    set(out, i -> !of.isPresent(i) ? Double.NaN : of.isFresh(i) ? 1 : 0);
    return Column.of(out);
  }
}
