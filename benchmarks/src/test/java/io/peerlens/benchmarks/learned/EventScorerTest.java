package io.peerlens.benchmarks.learned;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.benchmarks.learned.EventScorer.Counts;
import org.junit.jupiter.api.Test;

class EventScorerTest {

  /** Two days of five minutes, of which the first 100 rows are for learning. */
  private static Labelled series(int[]... segments) {
    long[] seconds = new long[576];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = i * 300L;
    }
    return new Labelled("set", "name", false, seconds, new double[1][576], segments, 100);
  }

  private static Counts count(Labelled series, int... rows) {
    double[] scores = new double[series.rows()];
    for (int row : rows) {
      scores[row] = 1;
    }
    return EventScorer.count(series, scores, 1);
  }

  private static int[] range(int from, int until) {
    return java.util.stream.IntStream.range(from, until).toArray();
  }

  @Test
  void aLabelledStretchCountsOnceHoweverOftenItIsSeen() {
    Labelled series = series(new int[] {200, 220}, new int[] {300, 300});
    assertThat(count(series, 205, 206, 219)).isEqualTo(new Counts(1, 1, 0));
  }

  @Test
  void twoRowsBehindStillBelongToIt() {
    Labelled series = series(new int[] {200, 220});
    assertThat(count(series, 222)).isEqualTo(new Counts(1, 0, 0));
    assertThat(count(series, 223)).isEqualTo(new Counts(0, 1, 1));
  }

  @Test
  void aFalseRunIsOneEventAndHalfAnHourOfQuietDoesNotEndIt() {
    Labelled series = series(new int[] {500, 501});
    assertThat(count(series, 200, 201, 203, 209).wrong()).isEqualTo(1);
    assertThat(count(series, 200, 207).wrong()).isEqualTo(2);
  }

  @Test
  void aFalseRunCountsAgainAfterSixHours() {
    Labelled series = series(new int[] {500, 501});
    assertThat(count(series, range(200, 272)).wrong()).isEqualTo(1);
    assertThat(count(series, range(200, 273)).wrong()).isEqualTo(2);
  }

  @Test
  void anEventContinuingAfterALabelBelongsToItForSixHours() {
    Labelled series = series(new int[] {200, 210});
    assertThat(count(series, range(200, 280))).isEqualTo(new Counts(1, 0, 0));
    assertThat(count(series, range(200, 300))).isEqualTo(new Counts(1, 0, 1));
  }

  @Test
  void rowsOfTheLearningPhaseDoNotCount() {
    Labelled series = series(new int[] {50, 60}, new int[] {200, 210});
    assertThat(count(series, 20, 55)).isEqualTo(new Counts(0, 1, 0));
  }

  @Test
  void measures() {
    Counts counts = new Counts(3, 1, 2);
    assertThat(counts.precision()).isEqualTo(0.6);
    assertThat(counts.recall()).isEqualTo(0.75);
    assertThat(counts.f1()).isEqualTo(2.0 / 3);
    assertThat(Counts.NONE.f1()).isZero();
  }
}
