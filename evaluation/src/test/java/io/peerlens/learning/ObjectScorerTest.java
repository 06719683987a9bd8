package io.peerlens.learning;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.baselines.ObjectScore;
import io.peerlens.learning.ObjectScorer.Period;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Scores of one object, and the periods in which it is unusual. */
class ObjectScorerTest {

  private static final Instant START = Instant.parse("2026-11-02T00:00:00Z");
  private static final int DAYS = 14 * 288;

  private final ObjectScorer scorer = new ObjectScorer(ZoneOffset.UTC);
  private final Random random = new Random(7);
  private int step;

  /** Values of six metrics with a rhythm and noise; some of them doubled. */
  private double next(int... doubled) {
    double[] values = new double[6];
    for (int m = 0; m < values.length; m++) {
      values[m] = 50 + 10 * Math.sin(step * 2 * Math.PI / 288) + 2 * random.nextGaussian();
    }
    for (int m : doubled) {
      values[m] *= 2;
    }
    return scorer.next(time(step++), values);
  }

  private static Instant time(int step) {
    return START.plus(ObjectScorer.STEP.multipliedBy(step));
  }

  private void quiet(int steps) {
    for (int i = 0; i < steps; i++) {
      next();
    }
  }

  @Test
  void aProblemIsOnePeriodWithTheMetricsThatCarryIt() {
    quiet(DAYS);
    assertThat(scorer.open()).isNull();
    int begin = step;
    next(1);
    next(1);
    for (int i = 0; i < 4; i++) {
      next(1, 3, 4);
    }
    Period open = Objects.requireNonNull(scorer.open());
    assertThat(open.from()).isBetween(time(begin), time(begin + 2));
    assertThat(open.score()).isGreaterThanOrEqualTo(ObjectScore.UNUSUAL);
    assertThat(open.carriers().subList(0, 3)).containsExactlyInAnyOrder(1, 3, 4);
    List<Period> ended = new ArrayList<>();
    for (int i = 0; i < 288; i++) {
      next();
      if (scorer.ended() != null) {
        ended.add(scorer.ended());
      }
    }
    assertThat(scorer.open()).isNull();
    assertThat(ended).hasSize(1);
    assertThat(ended.getFirst().from()).isEqualTo(open.from());
    // That it is over is a change too.
    assertThat(ended.getFirst().to()).isBetween(open.to(), open.to().plus(Duration.ofHours(2)));
  }

  @Test
  void thereIsNoScoreBeforeFourHoursAndNoneOfNothing() {
    for (int i = 0; i < ObjectScore.FEWEST; i++) {
      assertThat(next(i % 2 == 0 ? new int[] {0, 1, 2, 3} : new int[0])).isNaN();
    }
    assertThat(next()).isNotNaN();
    assertThat(
            scorer.next(
                time(step++),
                new double[] {
                  Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN
                }))
        .isNaN();
    assertThat(next()).isNotNaN();
  }

  @Test
  void aMetricThatComesLaterIsLearnedFromThenOn() {
    quiet(DAYS);
    double highest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < 288; i++) {
      double[] values = new double[7];
      for (int m = 0; m < values.length; m++) {
        values[m] = 50 + 10 * Math.sin(step * 2 * Math.PI / 288) + 2 * random.nextGaussian();
      }
      highest = Math.max(highest, scorer.next(time(step++), values));
    }
    assertThat(scorer.size()).isEqualTo(7);
    assertThat(highest).isLessThan(ObjectScore.UNUSUAL);
  }
}
