package io.peerlens.source.state;

import io.peerlens.api.model.SourceTrend;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Trend of what came of a source in the last six hours, in steps of five minutes. */
final class Trend {

  private static final long STEP = 300;
  private static final int STEPS = 72;

  /** So much of a step has to be over before its mean says anything. */
  private static final long ENOUGH = 60;

  private final long[] counts = new long[STEPS + 1];
  private final long first;
  private final double over; // seconds of the step that has not ended

  /**
   * @param delay until what came is reported
   */
  Trend(Instant now, Duration delay) {
    this.first = from(now).getEpochSecond();
    this.over = now.getEpochSecond() - (first + STEPS * STEP) - delay.toSeconds();
  }

  private Trend(long first, double over) {
    this.first = first;
    this.over = over;
  }

  /** Both together; they are of the same moment. */
  Trend plus(Trend other) {
    Trend sum = new Trend(first, over);
    for (int i = 0; i <= STEPS; i++) {
      sum.counts[i] = counts[i] + other.counts[i];
    }
    return sum;
  }

  /** From when on something has to be known. */
  static Instant from(Instant now) {
    return Instant.ofEpochSecond(Math.floorDiv(now.getEpochSecond(), STEP) * STEP - STEPS * STEP);
  }

  /** Adds what came in a step. */
  void add(Instant bucket, long count) {
    int step = (int) Math.floorDiv(bucket.getEpochSecond() - first, STEP);
    if (step >= 0 && step <= STEPS) {
      counts[step] += count;
    }
  }

  /** The mean of the last minutes: of the step before this one, and of what is over of this one. */
  double perSecond(Instant since) {
    double begun = Math.max(0, since.getEpochSecond() - (first + (STEPS - 1) * STEP));
    double seconds = Math.max(10, STEP + Math.max(0, over) - begun);
    return (counts[STEPS - 1] + counts[STEPS]) / seconds;
  }

  SourceTrend answer() {
    boolean enough = over >= ENOUGH;
    int begin = enough ? 1 : 0;
    List<Double> means = new ArrayList<>();
    for (int step = begin; step < begin + STEPS; step++) {
      means.add(counts[step] / (step == STEPS ? over : STEP));
    }
    return new SourceTrend(Instant.ofEpochSecond(first + begin * STEP), STEP, means);
  }
}
