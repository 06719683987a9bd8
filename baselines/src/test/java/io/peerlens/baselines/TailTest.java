package io.peerlens.baselines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class TailTest {

  private static final double LEAST = 1e-3;

  private static Tail after(int values, Tail tail) {
    for (int i = 0; i < values; i++) {
      tail.next(1 + i % 10, LEAST);
    }
    return tail;
  }

  @Test
  void nothingIsRareOrNewBeforeTwentyValues() {
    Tail tail = after(20, Tail.both());
    tail.next(1e6, LEAST);
    assertThat(tail.rarity()).isZero();
    assertThat(tail.novelty()).isZero();
    tail.next(2e9, LEAST);
    assertThat(tail.rarity()).isPositive();
    assertThat(tail.novelty()).isPositive();
  }

  @Test
  void rarityGrowsWithThePastAndNoveltyDoesNot() {
    Tail few = after(200, Tail.both());
    Tail many = after(2000, Tail.both());
    few.next(12, LEAST);
    many.next(12, LEAST);
    assertThat(many.rarity()).isGreaterThan(few.rarity() + 0.7);
    assertThat(many.novelty()).isCloseTo(few.novelty(), within(0.2));
  }

  @Test
  void whatHappenedThirtyTimesIsKnown() {
    Tail tail = after(1000, Tail.upwards());
    double before = Double.MAX_VALUE;
    for (int i = 0; i < 60; i++) {
      tail.next(100, LEAST);
      assertThat(tail.novelty()).isLessThanOrEqualTo(before);
      before = tail.novelty();
    }
    assertThat(before).isZero();
  }

  @Test
  void howFarBeyondAllOthersMakesRarerButNotNewer() {
    Tail near = after(5000, Tail.both());
    Tail far = after(5000, Tail.both());
    near.next(1e4, LEAST);
    far.next(1e8, LEAST);
    assertThat(far.rarity()).isGreaterThan(near.rarity() + 3);
    assertThat(far.novelty()).isEqualTo(near.novelty()).isBetween(1.5, 1.6);
  }

  @Test
  void directionsHavePastsOfTheirOwn() {
    Tail tail = after(1000, Tail.both());
    tail.next(-5, LEAST);
    assertThat(tail.novelty()).isPositive();
    tail.next(5, LEAST);
    assertThat(tail.novelty()).isZero();
  }

  @Test
  void noDeviationIsNeverNew() {
    Tail tail = Tail.both();
    for (int i = 0; i < 100; i++) {
      tail.next(0, LEAST);
      assertThat(tail.novelty()).isZero();
    }
  }
}
