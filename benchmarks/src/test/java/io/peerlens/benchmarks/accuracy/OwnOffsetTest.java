package io.peerlens.benchmarks.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class OwnOffsetTest {

  private static final int MEMBERS = 7;
  private static final int DAY = 288;

  /** The last member is always 20 above the others. */
  private static double[][] values(int buckets) {
    Random random = new Random(5);
    double[][] values = new double[buckets][MEMBERS];
    for (double[] row : values) {
      for (int i = 0; i < MEMBERS; i++) {
        row[i] = 30 + 3 * i / (MEMBERS - 1.0) + random.nextGaussian() + (i == MEMBERS - 1 ? 20 : 0);
      }
    }
    return values;
  }

  private static Trace trace(double[][] values) {
    return new Trace("set", "name", "name", false, values, DAY, 10, 100, 2);
  }

  private static Detector.Run learned(double[][] values) {
    Detector.Run run = new OwnOffset().start(trace(values));
    for (int b = 0; b < values.length; b++) {
      run.step(b, values[b], new double[MEMBERS]);
    }
    return run;
  }

  private static double[] scores(Detector.Run run, double change) {
    double[] row = {30, 30.5, 31, 31.5, 32, 32.5, 53 + change};
    double[] scores = new double[MEMBERS];
    run.step(0, row, scores);
    return scores;
  }

  @Test
  void aShiftBackAmongThePeersIsFoundAndAnOffsetIsNot() {
    Detector.Run run = learned(values(2 * DAY));
    double limit = new OwnOffset().threshold();
    assertThat(scores(run, 0)[MEMBERS - 1]).isBetween(-limit, limit);
    assertThat(scores(run, -20)[MEMBERS - 1]).isLessThan(-limit);

    Detector.Run memoryless = new RobustZ().start(trace(values(1)));
    assertThat(scores(memoryless, 0)[MEMBERS - 1]).isGreaterThan(limit);
    assertThat(scores(memoryless, -20)[MEMBERS - 1]).isBetween(-limit, limit);
  }

  @Test
  void anHourOfAFaultTeachesNothing() {
    Detector.Run run = learned(values(2 * DAY));
    double first = scores(run, -20)[MEMBERS - 1];
    for (int b = 1; b < 12; b++) {
      assertThat(scores(run, -20)[MEMBERS - 1]).isEqualTo(first);
    }
    for (int b = 0; b < 3 * DAY; b++) {
      scores(run, -20);
    }
    assertThat(scores(run, -20)[MEMBERS - 1]).isZero();
  }

  @Test
  void aMemberThatIsForgottenIsNotJudgedUntilItIsKnown() {
    Detector.Run run = learned(values(DAY));
    boolean[] gone = new boolean[MEMBERS];
    gone[1] = true;
    run.forget(gone);
    assertThat(scores(run, 0)[1]).isNaN();
    assertThat(scores(run, 0)[2]).isZero();
    for (int b = 0; b < 48; b++) {
      scores(run, 0);
    }
    assertThat(scores(run, 0)[1]).isZero();
  }

  @Test
  void aCopyGoesItsOwnWay() {
    Detector.Run run = learned(values(2 * DAY));
    Detector.Run copy = run.copy();
    for (int b = 0; b < 3 * DAY; b++) {
      scores(copy, -20);
    }
    assertThat(scores(copy, -20)[MEMBERS - 1]).isZero();
    assertThat(scores(run, -20)[MEMBERS - 1]).isLessThan(-3.5);
  }

  @Test
  void gapsAndGroupsOfTwoAreNotJudged() {
    Detector.Run run = learned(values(DAY));
    double none = Double.NaN;
    double[] scores = new double[MEMBERS];
    run.step(0, new double[] {none, 30, 31, 31, 32, 32, 53}, scores);
    assertThat(scores[0]).isNaN();
    assertThat(scores[1]).isNotNaN();
    run.step(1, new double[] {30, 31, none, none, none, none, none}, scores);
    assertThat(scores).containsOnly(none);
  }
}
