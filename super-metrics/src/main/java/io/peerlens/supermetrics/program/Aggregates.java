package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.Function;
import io.peerlens.supermetrics.formula.Operator;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Looping functions for all objects at once. Values are added part by part; NaN is no value. Each
 * function has loops of its own, since a choice for each value would cost more than the value.
 */
final class Aggregates {

  private final Function function;
  private final double[] result;
  private final double[] counts;
  private final Budget budget;

  /**
   * Begins with nothing.
   *
   * @param result one for each object, filled by this
   * @param counts of the same length, to work with
   */
  Aggregates(Function function, double[] result, double[] counts, Budget budget) {
    this.function = function;
    this.result = result;
    this.counts = counts;
    this.budget = budget;
    Arrays.fill(counts, 0);
    Arrays.fill(
        result,
        switch (function) {
          case MIN -> Double.POSITIVE_INFINITY;
          case MAX -> Double.NEGATIVE_INFINITY;
          default -> 0;
        });
  }

  /** Whether what a part guards is taken for an object. */
  private static boolean isTaken(double @Nullable [] guard, int row) {
    return guard == null || Operator.isTrue(guard[guard.length == 1 ? 0 : row]);
  }

  /**
   * Adds one value to each object.
   *
   * @param values one for each object, or a single one for all
   * @param guard for which objects; null = all
   */
  void add(double[] values, double @Nullable [] guard) {
    budget.each(result.length, (from, to) -> add(values, guard, from, to));
  }

  private void add(double[] values, double @Nullable [] guard, int from, int to) {
    boolean same = values.length == 1;
    for (int row = from; row < to; row++) {
      double value = values[same ? 0 : row];
      if (!Double.isNaN(value) && isTaken(guard, row)) {
        counts[row]++;
        switch (function) {
          case SUM, AVG -> result[row] += value;
          case MIN -> result[row] = Math.min(result[row], value);
          case MAX -> result[row] = Math.max(result[row], value);
          default -> {}
        }
      }
    }
  }

  /**
   * Adds the values of a set to each object.
   *
   * @param offsets where the members of each object are; of length 2 = the same for all objects
   * @param elements which value each member has; null = they have them in their own order
   * @param guard for which objects; null = all
   */
  void addSets(
      int[] offsets, int @Nullable [] elements, double[] values, double @Nullable [] guard) {
    boolean one = offsets.length == 2;
    for (int row = 0; row < result.length; row++) {
      if (isTaken(guard, row)) {
        int from = offsets[one ? 0 : row];
        int to = offsets[one ? 1 : row + 1];
        while (to - from > Budget.STRETCH) {
          addSet(row, from, from + Budget.STRETCH, elements, values);
          from += Budget.STRETCH;
          budget.check();
        }
        addSet(row, from, to, elements, values);
        budget.spent(to - from + 1);
      }
    }
  }

  private void addSet(int row, int from, int to, int @Nullable [] elements, double[] values) {
    switch (function) {
      case SUM, AVG -> sum(row, from, to, elements, values);
      case MIN -> min(row, from, to, elements, values);
      case MAX -> max(row, from, to, elements, values);
      default -> count(row, from, to, elements, values);
    }
  }

  private void sum(int row, int from, int to, int @Nullable [] elements, double[] values) {
    double sum = result[row];
    int count = 0;
    for (int i = from; i < to; i++) {
      double value = values[elements == null ? i : elements[i]];
      if (!Double.isNaN(value)) {
        sum += value;
        count++;
      }
    }
    result[row] = sum;
    counts[row] += count;
  }

  private void min(int row, int from, int to, int @Nullable [] elements, double[] values) {
    double least = result[row];
    int count = 0;
    for (int i = from; i < to; i++) {
      double value = values[elements == null ? i : elements[i]];
      if (!Double.isNaN(value)) {
        least = Math.min(least, value);
        count++;
      }
    }
    result[row] = least;
    counts[row] += count;
  }

  private void max(int row, int from, int to, int @Nullable [] elements, double[] values) {
    double greatest = result[row];
    int count = 0;
    for (int i = from; i < to; i++) {
      double value = values[elements == null ? i : elements[i]];
      if (!Double.isNaN(value)) {
        greatest = Math.max(greatest, value);
        count++;
      }
    }
    result[row] = greatest;
    counts[row] += count;
  }

  private void count(int row, int from, int to, int @Nullable [] elements, double[] values) {
    int count = 0;
    for (int i = from; i < to; i++) {
      double value = values[elements == null ? i : elements[i]];
      count += !Double.isNaN(value) ? 1 : 0;
    }
    counts[row] += count;
  }

  /**
   * Turns what was added into results.
   *
   * @param none what sum, avg, min and max are over nothing
   */
  void finish(double none) {
    for (int row = 0; row < result.length; row++) {
      double count = counts[row];
      result[row] =
          switch (function) {
            case COUNT -> count;
            case AVG -> count == 0 ? none : Operator.finite(result[row] / count);
            default -> count == 0 ? none : Operator.finite(result[row]);
          };
    }
  }
}
