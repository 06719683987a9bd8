package io.peerlens.benchmarks.learned;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.benchmarks.learned.EventScorer.Counts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

class WaysTest {

  private static final List<Combination> HIGHEST = List.of(Combination.HIGHEST);
  private static final int ROWS = 400;
  private static final int[] ONCE = {1, 1, 1};

  private final List<Labelled> series = new ArrayList<>();
  private final List<double[][]> scores = new ArrayList<>();

  /** A recording with a labelled stretch of one score and a false one of another. */
  private void add(double labelled, double wrong) {
    long[] seconds = new long[ROWS];
    for (int i = 0; i < ROWS; i++) {
      seconds[i] = i * 300L;
    }
    series.add(
        new Labelled(
            "set",
            "name " + series.size(),
            false,
            seconds,
            new double[2][ROWS],
            new int[][] {{200, 209}},
            50));
    double[][] both = new double[2][ROWS];
    both[0][205] = labelled;
    both[1][300] = wrong;
    scores.add(both);
  }

  @Test
  void theThresholdOfARecordingIsFromTheOthers() {
    add(5, 3);
    add(5, 3);
    add(5, 3);
    // By its own labels a threshold of 2 would be best; that of the others misses it.
    add(2, 1);
    Ways ways = new Ways(series, scores, HIGHEST);
    assertThat(ways.carriedOver(HIGHEST, others(), new int[] {1, 1, 1, 1}))
        .containsExactly(
            new Counts(1, 0, 0), new Counts(1, 0, 0), new Counts(1, 0, 0), new Counts(0, 1, 0));
    assertThat(ways.best(HIGHEST, s -> s == 3).counts().get(3)).isEqualTo(new Counts(1, 0, 0));
  }

  @Test
  void whatARecordingIsLikeDoesNotChangeItsThreshold() {
    add(5, 3);
    add(6, 3);
    add(2, 1);
    Counts before = new Ways(series, scores, HIGHEST).carriedOver(HIGHEST, others(), ONCE).get(2);
    scores.removeLast();
    series.removeLast();
    add(5, 4);
    Counts after = new Ways(series, scores, HIGHEST).carriedOver(HIGHEST, others(), ONCE).get(2);
    assertThat(before).isEqualTo(new Counts(0, 1, 0));
    assertThat(after).isEqualTo(new Counts(1, 0, 0));
  }

  private static IntFunction<IntPredicate> others() {
    return s -> other -> other != s;
  }

  @Test
  void theWayOfCombiningIsChosenOnOthersToo() {
    // The labelled stretch is where both metrics are somewhat up, the false one where one is far
    // up.
    for (int k = 0; k < 3; k++) {
      add(4, 6);
      scores.getLast()[1][205] = 4;
    }
    List<Combination> both = List.of(Combination.HIGHEST, Combination.TWO);
    Ways ways = new Ways(series, scores, both);
    assertThat(ways.best(both, s -> s > 0).way()).isEqualTo(Combination.TWO);
    assertThat(ways.carriedOver(both, others(), ONCE)).containsOnly(new Counts(1, 0, 0));
    assertThat(ways.carriedOver(HIGHEST, others(), ONCE)).containsOnly(new Counts(1, 0, 1));
  }

  @Test
  void whatIsNotInASampleIsNotChosenByAndWhatIsTwiceCountsTwice() {
    add(5, 3);
    add(2, 1);
    add(2, 4);
    Ways ways = new Ways(series, scores, HIGHEST);
    // By the second alone the threshold is its own score.
    assertThat(ways.carriedOver(HIGHEST, others(), new int[] {2, 1, 0}))
        .containsExactly(new Counts(2, 0, 2), new Counts(0, 1, 0), Counts.NONE);
  }
}
