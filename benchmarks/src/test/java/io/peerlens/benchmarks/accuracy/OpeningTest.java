package io.peerlens.benchmarks.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class OpeningTest {

  private static final float NONE = Float.NaN;

  @Test
  void threeOfFourOnOneSideOpen() {
    assertThat(Opening.of(new float[] {1, 5, 5, 1, 5})[4]).isEqualTo(5);
    assertThat(Opening.of(new float[] {-1, -5, -5, -1, -5})[4]).isEqualTo(5);
    assertThat(Opening.of(new float[] {1, 5, 1, 1, 5})[4]).isLessThan(2);
    assertThat(Opening.of(new float[] {5, -5, -5, 5})[3]).isLessThanOrEqualTo(0);
  }

  @Test
  void twoFarOutOpenAtAThirdOfTheSmaller() {
    assertThat(Opening.of(new float[] {0, 0, 15, 18})[3]).isEqualTo(5);
    assertThat(Opening.of(new float[] {0, 0, 15, -18})[3]).isLessThanOrEqualTo(0);
  }

  @Test
  void bucketsWithoutAScoreAreNoneOfTheFour() {
    float[] opening = Opening.of(new float[] {5, NONE, 5, NONE, 5});
    assertThat(opening[4]).isEqualTo(5);
    assertThat(opening[3]).isZero();
  }

  @Test
  void whatOpensAgainWithinTheCoolDownIsTheSameEvent() {
    assertThat(events(9)).isEqualTo(1);
    // Closed by the six calm buckets to 8; opens at the third of the second burst.
    assertThat(events(12)).isEqualTo(1);
    assertThat(events(13)).isEqualTo(2);
  }

  private static int events(int second) {
    float[] scores = new float[30];
    Arrays.fill(scores, 0, 3, 5);
    Arrays.fill(scores, second, second + 3, 5);
    return Opening.events(scores, Opening.of(scores), 0, 4.5);
  }

  @Test
  void anEventGoesOnUntilSixBucketsAreCalm() {
    float[] scores = new float[40];
    Arrays.fill(scores, 0, 40, 5);
    // 3 is still more than 0.6 of the threshold, and five calm ones are not enough.
    Arrays.fill(scores, 10, 20, 3);
    Arrays.fill(scores, 25, 30, 0);
    assertThat(Opening.events(scores, Opening.of(scores), 0, 4.5)).isEqualTo(1);
  }

  @Test
  void aFaultIsNotFoundWhereTheCleanRunWasOutWithinHalfAnHour() {
    float[] faulty = new float[30];
    Arrays.fill(faulty, 8, 30, 9);
    float[] clean = new float[30];
    assertThat(new Trial(faulty, Opening.of(faulty), clean, 20).found(4.5)).isEqualTo(4);
    clean[4] = 5;
    assertThat(new Trial(faulty, Opening.of(faulty), clean, 20).found(4.5)).isEqualTo(5);
    clean[7] = 5;
    assertThat(new Trial(faulty, Opening.of(faulty), clean, 20).found(4.5)).isEqualTo(8);
    assertThat(new Trial(faulty, Opening.of(faulty), clean, 20).found(10)).isEqualTo(-1);
  }
}
