package io.peerlens.outliers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Who has left a small group, worked out by hand: days of 40 buckets, floor 1, typical scale 1. */
class AnchorTest {

  private static final double DAY = 40;

  private static boolean look(Anchor anchor, double... sorted) {
    return anchor.parted(sorted, sorted.length, Robust.medianOfSorted(sorted, sorted.length), 1, 1);
  }

  /** An anchor at 10 whose group has never moved: u = floor = 1, the scale of a gap sqrt(2). */
  private static Anchor steady() {
    Anchor anchor = new Anchor(DAY);
    for (int b = 0; b < 20; b++) {
      assertThat(look(anchor, 10, 10, 10)).isFalse();
    }
    return anchor;
  }

  @Test
  void ofFiveTheTwoThatAreAwayFromTheAnchorHaveLeft() {
    Anchor anchor = steady();

    assertThat(look(anchor, 9, 10, 11, 40, 42)).isTrue();
    assertThat(anchor.centre).isEqualTo(10);
  }

  @Test
  void ofFourTheMiddleOfTheTwoThatStayedIsTheCentre() {
    Anchor anchor = steady();

    assertThat(look(anchor, -20, -18, 9, 10)).isTrue();
    assertThat(anchor.centre).isEqualTo(9.5);
  }

  @Test
  void ofThreeTheOneThatStayedIs() {
    Anchor anchor = steady();

    assertThat(look(anchor, 11, 40, 41)).isTrue();
    assertThat(anchor.centre).isEqualTo(11);
  }

  @Test
  void oneMemberThatLeavesIsLeftToTheMedian() {
    assertThat(look(steady(), 9, 10, 40)).isFalse();
    assertThat(look(steady(), 9, 10, 11, 40)).isFalse();
    assertThat(look(steady(), 9, 10, 11, 12, 40)).isFalse();
  }

  @Test
  void threeOfFiveAreTheMajorityWhereverTheyGo() {
    Anchor anchor = steady();

    assertThat(look(anchor, 10, 11, 40, 41, 42)).isFalse();
    assertThat(anchor.centre).isEqualTo(40);
  }

  @Test
  void aGapBelowSixTypicalScalesIsNone() {
    // 6 sqrt(1 + 1) = 8.49.
    assertThat(look(steady(), 10, 10, 18.4, 18.4)).isFalse();
    assertThat(look(steady(), 10, 10, 18.6, 18.6)).isTrue();
  }

  @Test
  void thoseThatStayMayMoveByFourUsualSteps() {
    assertThat(look(steady(), 6, 6, 40, 40)).isTrue();
    assertThat(look(steady(), 5.9, 5.9, 40, 40)).isFalse();
  }

  @Test
  void theOthersMustBeThreeTimesAsFarAway() {
    // The stayed at 13 are 3 from 10, so the others must be more than 9 away.
    assertThat(look(steady(), 1, 1, 13, 13)).isFalse();
    assertThat(look(steady(), 0.9, 0.9, 13, 13)).isTrue();
  }

  @Test
  void thoseThatStayMustBeTogether() {
    // A gap of 27: together is less than 9.
    assertThat(look(steady(), 6, 13, 40, 40)).isTrue();
    assertThat(look(steady(), 4, 13, 40, 40)).isFalse();
  }

  @Test
  void anAnchorNeedsAQuarterOfADay() {
    Anchor anchor = new Anchor(DAY);
    for (int b = 0; b < 10; b++) {
      look(anchor, 10, 10, 10);
    }
    assertThat(look(anchor, 10, 10, 40, 40)).isFalse();
  }

  @Test
  void inAGroupOfSixTheMajorityDecides() {
    assertThat(look(steady(), 10, 10, 10, 10, 40, 40)).isFalse();
  }

  @Test
  void ofThreeAPairThatMayHaveLeftLeavesItOpen() {
    // The one that stayed is 5 from the anchor, more than 4 steps: not parted, yet nearer than the
    // pair; so nobody is the odd one. One step of the anchor is then a tenth of the way to 40.
    Anchor anchor = steady();

    assertThat(look(anchor, 15, 40, 40)).isFalse();
    assertThat(anchor.undecided).isTrue();

    // After days of this the pair is the group: anchor near 40.
    for (int b = 0; b < 60; b++) {
      look(anchor, 15, 40, 40);
    }
    assertThat(anchor.undecided).isFalse();
  }

  @Test
  void aGroupThatJumpsTogetherDecidesNothing() {
    // Every bucket all three go from 10 to 40 and back: the usual step is some 20.
    Anchor anchor = new Anchor(DAY);
    for (int b = 0; b < 40; b++) {
      double x = b % 2 == 0 ? 10 : 40;
      assertThat(look(anchor, x, x, x)).isFalse();
    }
    assertThat(look(anchor, 10, 40, 40)).isFalse();
    assertThat(anchor.undecided).isFalse();
    assertThat(anchor.centre).isEqualTo(40);
  }

  @Test
  void aRestoredAnchorContinuesIdentically() throws IOException {
    Anchor anchor = steady();
    look(anchor, 12, 12, 12);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    anchor.save(new DataOutputStream(bytes));
    Anchor other = new Anchor(DAY);
    other.restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));

    assertThat(look(other, 11, 40, 41)).isTrue();
    assertThat(other.centre).isCloseTo(11, within(1e-12));
  }
}
