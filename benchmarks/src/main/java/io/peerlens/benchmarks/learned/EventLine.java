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
 * @param anew the same where thresholds and ways are chosen anew in each sample
 */
record EventLine(
    String name,
    boolean ours,
    List<Counts> counts,
    List<List<Counts>> samples,
    List<List<Counts>> anew) {

  /** F1 of all events of some recordings together. */
  double f1(IntPredicate on) {
    return only(counts, on).f1();
  }

  /** Of F1, choices as they are. */
  Interval interval(IntPredicate on) {
    return Bootstrap.interval(f1(samples, on));
  }

  /** How far this one is ahead of another in F1, choices as they are. */
  Lead over(EventLine other, IntPredicate on) {
    return new Lead(
        f1(on) - other.f1(on), Bootstrap.difference(f1(samples, on), f1(other.samples, on)));
  }

  /** The interval of that with choices anew in each sample. */
  Interval overAnew(EventLine other, IntPredicate on) {
    return Bootstrap.difference(f1(anew, on), f1(other.anew, on));
  }

  private static double[] f1(List<List<Counts>> samples, IntPredicate on) {
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
