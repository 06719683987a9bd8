package io.peerlens.baselines;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PatternsTest {

  private static final double RANGE = 10;

  /** The most that one round of values gives. */
  private static double round(Patterns patterns, double... values) {
    double most = 0;
    for (double value : values) {
      most = Math.max(most, patterns.next(value, RANGE));
    }
    return most;
  }

  @Test
  void aShapeOfKnownValuesInAnotherOrderIsNew() {
    Patterns patterns = new Patterns(4, 1, 1);
    for (int i = 0; i < 100; i++) {
      round(patterns, 0, 0, 9, 9);
    }
    assertThat(round(patterns, 0, 0, 9, 9)).isZero();
    assertThat(round(patterns, 0, 9, 0, 9)).isGreaterThan(1);
  }

  @Test
  void whatWasSeenOnceIsLessNewTheNextTime() {
    Patterns patterns = new Patterns(2, 1, 1);
    Random random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      patterns.next(random.nextDouble(), RANGE);
    }
    double first = round(patterns, 0.5, 8, 0.5);
    double second = round(patterns, 0.5, 8, 0.5);
    assertThat(first).isGreaterThan(1);
    assertThat(second).isLessThan(first / 2);
  }

  @Test
  void blocksAreMeansAndLookedAtWhenFull() {
    Patterns patterns = new Patterns(1, 2, 3);
    for (int i = 0; i < 600; i++) {
      patterns.next(i % 3, RANGE);
    }
    // The first two of a block change nothing yet, and its mean counts.
    assertThat(patterns.next(9, RANGE)).isZero();
    assertThat(patterns.next(9, RANGE)).isZero();
    double full = patterns.next(9, RANGE);
    assertThat(full).isGreaterThan(1);
    assertThat(patterns.next(1, RANGE)).isEqualTo(full);
  }

  @Test
  void theNumberOfBoxesIsBounded() {
    Patterns patterns = new Patterns(4, 1, 1);
    Random random = new Random(2);
    double mean = 0;
    for (int i = 0; i < 20_000; i++) {
      double novelty = patterns.next(random.nextDouble() * 1000, RANGE);
      assertThat(novelty).isBetween(0.0, 1.6);
      mean += i < 15_000 ? 0 : novelty / 5000;
    }
    // Nothing of it was seen before, and that is how it always was.
    assertThat(mean).isLessThan(0.1);
  }
}
