package io.peerlens.benchmarks.accuracy;

import io.peerlens.benchmarks.Headline;
import io.peerlens.benchmarks.accuracy.Clusters.Interval;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
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

  /**
   * Compares the mean of a figure over some sets. Each detector has the same samples, and sets that
   * are cut from the same groups have the same groups in a sample.
   */
  Comparison compare(List<String> which, boolean kept, Figure figure) {
    double ours = mean(ours(), which, kept, figure);
    String best = others().getFirst();
    double most = Double.NaN;
    for (String other : others()) {
      double theirs = mean(other, which, kept, figure);
      if (!(theirs <= most) && !Double.isNaN(theirs)) {
        most = theirs;
        best = other;
      }
    }
    double[] mine = samples(ours(), which, kept, figure);
    double[] theirs = samples(best, which, kept, figure);
    return new Comparison(
        ours,
        Clusters.interval(mine),
        best,
        most,
        ours - most,
        Clusters.interval(Clusters.difference(mine, theirs)));
  }

  private double mean(String detector, List<String> which, boolean kept, Figure figure) {
    return which.stream()
        .map(set -> of(detector, set, kept))
        .mapToDouble(o -> figure.applyAsDouble(o, o.ones()))
        .average()
        .orElse(Double.NaN);
  }

  /** Events per member-week on the unchanged traces, at the shipped threshold; mean of sets. */
  double perWeek(String detector, List<String> which, boolean kept) {
    return mean(detector, which, kept, (outcome, times) -> outcome.perWeek());
  }

  private double[] samples(String detector, List<String> which, boolean kept, Figure figure) {
    Map<String, Set<String>> groups = new HashMap<>();
    for (String set : which) {
      groups
          .computeIfAbsent(source(set), k -> new TreeSet<>())
          .addAll(of(detector, set, kept).groupOf());
    }
    List<double[]> each = new ArrayList<>();
    for (String set : which) {
      Outcome outcome = of(detector, set, kept);
      Set<String> drawn = Objects.requireNonNull(groups.get(source(set)));
      each.add(
          new Clusters(outcome.groupOf(), drawn, set + kept)
              .samples(times -> figure.applyAsDouble(outcome, times)));
    }
    return Clusters.mean(each);
  }

  /** Whose traces: the first word of the name of a set. */
  private static String source(String set) {
    return set.split(" ", 2)[0];
  }
}
