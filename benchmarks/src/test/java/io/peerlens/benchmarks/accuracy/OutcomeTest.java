package io.peerlens.benchmarks.accuracy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutcomeTest {

  private static final int NOT = Outcome.NOT_TRIED;

  /** Four places in two groups, the level that is shipped and two budgets. */
  private static final Outcome OUTCOME =
      new Outcome(
          "detector",
          "set",
          List.of("a", "a", "b", "b"),
          new double[] {4.5, 6, 3},
          Map.of(
              Fault.PLUS_3, new int[][] {{0, 2, -1, -1}, {-1, -1, -1, -1}, {0, 1, 2, 3}},
              Fault.TIMES_0_3,
                  new int[][] {{-1, NOT, NOT, -1}, {-1, NOT, NOT, -1}, {5, NOT, NOT, -1}},
              Fault.DRIFT,
                  new int[][] {{NOT, NOT, NOT, NOT}, {NOT, NOT, NOT, NOT}, {NOT, NOT, NOT, NOT}},
              Fault.UP_2, new int[][] {{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}}),
          Map.of(),
          Map.of(),
          0,
          0);

  @Test
  void faultsCountAlikeAndPlacesThatWereNotTriedDoNot() {
    assertThat(OUTCOME.recall(0, Fault.PLUS_3)).isEqualTo(0.5);
    assertThat(OUTCOME.recall(2, Fault.TIMES_0_3)).isEqualTo(0.5);
    assertThat(OUTCOME.recall(0, Fault.DRIFT)).isNaN();
    assertThat(OUTCOME.mean(0, Outcome.KINDS)).isEqualTo(0.25);
    assertThat(OUTCOME.mean(2, Outcome.KINDS)).isEqualTo(0.75);
    assertThat(OUTCOME.mean(0, Outcome.EASY)).isEqualTo(0.5);
    assertThat(OUTCOME.mean(2, Outcome.SMALL)).isEqualTo(0.5);
  }

  @Test
  void theShippedThresholdIsNoBudget() {
    assertThat(OUTCOME.overBudgets(Outcome.KINDS)).isEqualTo((0 + 0.75) / 2);
  }

  @Test
  void placesCountAsOftenAsASampleHasThem() {
    assertThat(OUTCOME.mean(0, Fault.PLUS_3::equals, new int[] {3, 0, 1, 0})).isEqualTo(0.75);
    assertThat(OUTCOME.mean(0, Fault.TIMES_0_3::equals, new int[] {0, 2, 2, 0})).isNaN();
  }

  @Test
  void minutesAreToTheEndOfTheBucketOfWhatIsFound() {
    assertThat(OUTCOME.minutes(0, Outcome.EASY, 0.5)).isEqualTo(15);
    assertThat(OUTCOME.minutes(2, Outcome.EASY, 0.5)).isEqualTo(15);
    assertThat(OUTCOME.minutes(2, Outcome.EASY, 0.9)).isEqualTo(20);
    assertThat(OUTCOME.minutes(1, Outcome.EASY, 0.5)).isNaN();
  }

  @Test
  void theBestOfTheOthersIsThatOfTheSameFigure() {
    Outcome better = found(1, 1);
    Outcome worse = found(1, -1);
    Outcome none = found(NOT, NOT);
    Results results =
        new Results(
            List.of("ours", "none", "worse", "better"),
            List.of("Some set"),
            Map.of(
                new Results.Key("ours", "Some set", false), worse,
                new Results.Key("none", "Some set", false), none,
                new Results.Key("worse", "Some set", false), worse,
                new Results.Key("better", "Some set", false), better));
    Results.Comparison compared =
        results.compare(List.of("Some set"), false, (o, times) -> o.mean(0, Outcome.KINDS, times));
    assertThat(compared.best()).isEqualTo("better");
    assertThat(compared.ours()).isEqualTo(0.5);
    assertThat(compared.lead()).isEqualTo(-0.5, within(1e-9));
    assertThat(compared.leads().low()).isEqualTo(-1);
    assertThat(compared.leads().high()).isZero();
    assertThat(results.has("Some set", true)).isFalse();
  }

  private static Outcome found(int one, int two) {
    return new Outcome(
        "",
        "",
        List.of("a", "b"),
        new double[] {4.5},
        Map.of(Fault.DEAD, new int[][] {{one, two}}),
        Map.of(),
        Map.of(),
        0,
        0);
  }
}
