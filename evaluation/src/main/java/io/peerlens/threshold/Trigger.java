package io.peerlens.threshold;

import java.time.Duration;

/**
 * Samples that it takes to open and to close a symptom.
 *
 * @param violations how many of the last samples must violate
 * @param of how many samples are looked at, at most 60
 * @param minimumDuration how long the first of the violating samples must be back
 * @param clearAfter after how many samples in a row that do not hold its severity it falls
 */
public record Trigger(int violations, int of, Duration minimumDuration, int clearAfter) {

  /** One sample opens, one closes. */
  public static final Trigger AT_ONCE = new Trigger(1, 1, Duration.ZERO, 1);

  /** How many samples a history may hold. */
  public static final int MOST_SAMPLES = 60;

  public Trigger {
    if (violations < 1 || of < violations || of > MOST_SAMPLES || clearAfter < 1) {
      throw new IllegalArgumentException(
          "%d of %d samples, clear after %d".formatted(violations, of, clearAfter));
    }
  }
}
