package io.peerlens.baselines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.ZoneOffset;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StreamScoreTest {

  private static final int DAY = 288;

  private final StreamScore score = new StreamScore(new WeekSlots(ZoneOffset.UTC));
  private long seconds = 1_700_000_000L / 3600 * 3600;

  private double next(double value) {
    double result = score.next(seconds, value, 0);
    seconds += 300;
    return result;
  }

  /** Five days of a daily rhythm with noise. */
  private void learn(Random random, int values) {
    for (int i = 0; i < values; i++) {
      next(usual(random));
    }
  }

  private double usual(Random random) {
    return 50 + 20 * Math.sin(2 * Math.PI * (seconds % 86_400) / 86_400) + random.nextGaussian();
  }

  @Test
  void sameValuesGiveSameScores() {
    StreamScore one = new StreamScore(new WeekSlots(ZoneOffset.UTC));
    StreamScore two = new StreamScore(new WeekSlots(ZoneOffset.UTC));
    Random random = new Random(1);
    for (int i = 0; i < 2000; i++) {
      double value = Math.exp(random.nextGaussian());
      assertThat(one.next(i * 300L, value, 0)).isEqualTo(two.next(i * 300L, value, 0));
      assertThat(one.surprise()).isEqualTo(two.surprise());
      assertThat(one.novelty()).isEqualTo(two.novelty());
    }
  }

  @Test
  void scoresLieBetweenZeroAndOne() {
    Random random = new Random(2);
    for (int i = 0; i < 3000; i++) {
      double value = i % 700 == 699 ? 1e12 : i % 500 == 499 ? -1e-12 : random.nextGaussian();
      assertThat(score.next(i * 300L, value, i % 300 == 0 ? 1e9 : 0)).isBetween(0.0, 1.0);
    }
  }

  @Test
  void aSpikeStandsOutAndItsRepetitionScoresLess() {
    Random random = new Random(3);
    learn(random, 5 * DAY);
    double most = 0;
    for (int i = 0; i < DAY; i++) {
      double usual = next(usual(random));
      most = Math.max(most, usual);
    }
    double spike = next(usual(random) + 30);
    double surprise = score.surprise();
    double again = next(usual(random) + 30);

    assertThat(spike).isGreaterThan(most).isGreaterThan(0.4);
    assertThat(surprise).isGreaterThan(3);
    assertThat(again).isLessThan(spike / 2);
    assertThat(score.surprise()).isGreaterThan(2);
  }

  @Test
  void aNewLevelScoresWhenItStartsAndIsThenLearned() {
    Random random = new Random(4);
    learn(random, 5 * DAY);
    double first = 0;
    for (int i = 0; i < 6; i++) {
      first = Math.max(first, next(usual(random) + 25));
    }
    for (int i = 0; i < 10 * DAY; i++) {
      next(usual(random) + 25);
    }
    double later = 0;
    double surprise = 0;
    for (int i = 0; i < DAY; i++) {
      later = Math.max(later, next(usual(random) + 25));
      surprise += score.surprise() / DAY;
    }

    assertThat(first).isGreaterThan(0.4);
    assertThat(later).isLessThan(first);
    assertThat(surprise).isLessThan(2.5);
  }

  @Test
  void aLowAtTheTimeOfThePeakStandsOut() {
    Random random = new Random(5);
    learn(random, 6 * DAY);
    while (seconds % 86_400 != 6 * 3600) {
      next(usual(random));
    }
    // Six hours after midnight this series has its peak of 70; 30 is usual at 18 o'clock.
    double atPeak = 0;
    for (int i = 0; i < 6; i++) {
      next(30 + random.nextGaussian());
      atPeak = Math.max(atPeak, score.surprise());
    }
    assertThat(atPeak).isGreaterThan(3);
  }

  @Test
  void aConstantSeriesIsUsualAndItsFirstOtherValueIsNot() {
    for (int i = 0; i < 3 * DAY; i++) {
      assertThat(next(7)).isLessThan(0.2);
    }
    assertThat(next(8)).isGreaterThan(0.4);
  }

  @Test
  void nanIsIgnored() {
    StreamScore other = new StreamScore(new WeekSlots(ZoneOffset.UTC));
    Random random = new Random(6);
    for (int i = 0; i < 1000; i++) {
      double value = random.nextGaussian();
      double expected = other.next(i * 300L, value, 0);
      if (i % 10 == 0) {
        assertThat(score.next(i * 300L - 1, Double.NaN, 0)).isNaN();
        assertThat(score.surprise()).isNaN();
        assertThat(score.novelty()).isNaN();
        assertThat(score.rareness()).isNaN();
      }
      assertThat(score.next(i * 300L, value, 0)).isEqualTo(expected);
    }
  }

  @Test
  void valuesBeyondTheLearnedBoundsScoreHigher() {
    StreamScore inside = new StreamScore(new WeekSlots(ZoneOffset.UTC));
    Random random = new Random(7);
    for (int i = 0; i < 1000; i++) {
      double value = random.nextGaussian();
      inside.next(i * 300L, value, 0);
      score.next(i * 300L, value, 0);
    }
    inside.next(300_000L, 3, 0);
    score.next(300_000L, 3, 4.5);
    assertThat(score.surprise()).isCloseTo(inside.surprise() + 2, within(1e-9));
  }

  @Test
  void aSpikeOfEveryNightIsSoonUsual() {
    Random random = new Random(8);
    double first = 0;
    double last = 0;
    for (int day = 0; day < 16; day++) {
      for (int i = 0; i < DAY; i++) {
        double now = next(day > 3 && i == 24 ? 40 : 10 + random.nextGaussian());
        first = day == 4 && i == 24 ? score.novelty() : first;
        last = day == 15 && i == 24 ? now : last;
      }
    }
    assertThat(first).isGreaterThan(1);
    assertThat(last).isLessThan(0.2);
  }

  @Test
  void aSeriesThatStandsStillOrTurnsAroundIsNew() {
    for (int i = 0; i < 8 * DAY; i++) {
      next(new int[] {10, 14, 11, 17}[i % 4]);
    }
    assertThat(score.novelty()).isZero();
    double still = 0;
    for (int i = 0; i < 12; i++) {
      still = Math.max(still, next(14));
    }
    assertThat(still).isGreaterThan(0.4);
  }

  @Test
  void largeNumbersThatVaryLittleAreJudgedByWhatTheyVary() {
    Random random = new Random(9);
    double most = 0;
    for (int i = 0; i < 8 * DAY; i++) {
      double now = next(1e12 + random.nextGaussian());
      most = i < 5 * DAY ? 0 : Math.max(most, now);
    }
    assertThat(score.next(seconds, 1e12 + 1e10, 0)).isGreaterThan(most).isGreaterThan(0.4);
  }

  @Test
  void aSeriesThatJustBeganHasNothingNew() {
    Random random = new Random(10);
    for (int i = 0; i < 50; i++) {
      assertThat(next(usual(random))).isZero();
    }
    double sum = 0;
    for (int i = 0; i < DAY; i++) {
      sum += next(usual(random)) > 0.5 ? 1 : 0;
    }
    assertThat(sum).isLessThan(3);
  }
}
