package io.peerlens.benchmarks.accuracy;

import io.peerlens.benchmarks.Headline;
import io.peerlens.benchmarks.accuracy.Clusters.Interval;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleBiFunction;

/**
 * All outcomes, with intervals. The first detector is ours.
 *
 * @param detectors by name
 * @param sets by name
 */
record Results(List<String> detectors, List<String> sets, Map<Key, Outcome> outcomes) {

  record Key(String detector, String set, boolean kept) {}

  /** A figure of an outcome, given how often each of its places counts. */
  interface Figure extends ToDoubleBiFunction<Outcome, int[]> {}

  /** Ours beside the best of the others by the same figure. */
  record Comparison(
      double ours, Interval interval, String best, double other, double lead, Interval leads) {

    String row(String what) {
      return String.format(
          "| %s | %.2f (%s) | %.2f, %s | %+.2f (%s) |%n",
          what, ours, interval.text(false), other, best, lead, leads.text(true));
    }

    Headline headline(String what) {
      return new Headline(
          what,
          String.format("%.2f (%s)", ours, interval.text(false)),
          String.format("%.2f, %s", other, best),
          String.format("%+.2f (%s)", lead, leads.text(true)));
    }
  }

  Outcome of(String detector, String set, boolean kept) {
    return Objects.requireNonNull(outcomes.get(new Key(detector, set, kept)));
  }

  /** Whether the set has traces in this part. */
  boolean has(String set, boolean kept) {
    return outcomes.containsKey(new Key(detectors.getFirst(), set, kept));
  }

  String ours() {
    return detectors.getFirst();
  }

  List<String> others() {
    return detectors.subList(1, detectors.size());
  }

  /** Compares the mean of a figure over some sets; each detector has the same samples. */
  Comparison compare(List<String> which, boolean kept, Figure figure) {
    Map<String, double[]> samples = new HashMap<>();
    Map<String, Double> values = new HashMap<>();
    for (String detector : detectors) {
      List<double[]> each = new ArrayList<>();
      double sum = 0;
      for (String set : which) {
        Outcome outcome = of(detector, set, kept);
        Clusters clusters = new Clusters(outcome.traceOf(), set + kept);
        each.add(clusters.samples(times -> figure.applyAsDouble(outcome, times)));
        sum += figure.applyAsDouble(outcome, ones(outcome));
      }
      samples.put(detector, Clusters.mean(each));
      values.put(detector, sum / which.size());
    }
    String best = others().getFirst();
    for (String other : others()) {
      if (value(values, other) > value(values, best)) {
        best = other;
      }
    }
    double[] mine = Objects.requireNonNull(samples.get(ours()));
    double[] theirs = Objects.requireNonNull(samples.get(best));
    return new Comparison(
        value(values, ours()),
        Clusters.interval(mine),
        best,
        value(values, best),
        value(values, ours()) - value(values, best),
        Clusters.interval(Clusters.difference(mine, theirs)));
  }

  private static double value(Map<String, Double> values, String detector) {
    double value = Objects.requireNonNull(values.get(detector));
    return Double.isNaN(value) ? -1 : value;
  }

  private static int[] ones(Outcome outcome) {
    int[] ones = new int[outcome.traceOf().length];
    java.util.Arrays.fill(ones, 1);
    return ones;
  }
}
