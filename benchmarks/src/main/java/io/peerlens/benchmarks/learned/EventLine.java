package io.peerlens.benchmarks.learned;

import io.peerlens.benchmarks.learned.Bootstrap.Interval;
import io.peerlens.benchmarks.learned.Bootstrap.Lead;
import io.peerlens.benchmarks.learned.EventScorer.Counts;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * What a detector gives on several recordings, judged by events.
 *
 * @param name of the detector
 * @param ours whether it is one of Peerlens' own
 * @param counts of each recording
 * @param samples the same in each sample of recordings
 */
record EventLine(String name, boolean ours, List<Counts> counts, List<List<Counts>> samples) {

  /** F1 of all events of some recordings together. */
  double f1(IntPredicate on) {
    return only(counts, on).f1();
  }

  Interval interval(IntPredicate on) {
    return Bootstrap.interval(f1OfSamples(on));
  }

  /** How far this one is ahead of another in F1. */
  Lead over(EventLine other, IntPredicate on) {
    return new Lead(
        f1(on) - other.f1(on), Bootstrap.difference(f1OfSamples(on), other.f1OfSamples(on)));
  }

  private double[] f1OfSamples(IntPredicate on) {
    return samples.stream().mapToDouble(s -> only(s, on).f1()).toArray();
  }

  /** The sum over some recordings. */
  static Counts only(List<Counts> counts, IntPredicate on) {
    Counts sum = Counts.NONE;
    for (int s = 0; s < counts.size(); s++) {
      sum = on.test(s) ? sum.plus(counts.get(s)) : sum;
    }
    return sum;
  }
}
