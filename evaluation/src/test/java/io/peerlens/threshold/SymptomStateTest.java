package io.peerlens.threshold;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Severities are levels: 0 none, 1 information, 2 warning, 3 immediate, 4 critical. */
class SymptomStateTest {

  private static final long MINUTE = 60_000;

  private SymptomState state = new SymptomState();
  private long now;

  private static Trigger trigger(int violations, int of) {
    return new Trigger(violations, of, Duration.ZERO, 1);
  }

  /** A sample a minute later. */
  private boolean sample(int over, int held, Trigger trigger) {
    now += MINUTE;
    return state.count(now, now, over, held, trigger);
  }

  /** Samples without clearing levels, one digit each; gives the severity after each. */
  private String severities(String samples, Trigger trigger) {
    StringBuilder severities = new StringBuilder();
    for (char c : samples.toCharArray()) {
      sample(c - '0', c - '0', trigger);
      severities.append(state.severity());
    }
    return severities.toString();
  }

  @Test
  void byDefaultOneViolationOpensAndOneGoodSampleCloses() {
    assertThat(severities("0020", Trigger.AT_ONCE)).isEqualTo("0020");
    assertThat(state.isAtRest()).isTrue();
  }

  @Test
  void twoOfThreeOpenWithGoodSamplesBetween() {
    assertThat(severities("20020", trigger(2, 3))).isEqualTo("00000");
    assertThat(severities("2", trigger(2, 3))).isEqualTo("2");
  }

  @Test
  void missingDataStartsWithTheLastSampleEvenIfThatArrivesLate() {
    state.count(60 * MINUTE, 10 * MINUTE, 2, 2, Trigger.AT_ONCE);
    assertThat(state.since()).isEqualTo(10 * MINUTE);

    assertThat(state.count(61 * MINUTE, 10 * MINUTE, 2, 2, Trigger.AT_ONCE)).isFalse();
    assertThat(state.count(62 * MINUTE, 30 * MINUTE, 2, 2, Trigger.AT_ONCE)).isTrue();
    assertThat(state.since()).isEqualTo(30 * MINUTE);
    assertThat(state.count(63 * MINUTE, 30 * MINUTE, 4, 4, Trigger.AT_ONCE)).isTrue();
    assertThat(state.since()).isEqualTo(30 * MINUTE);
  }

  @Test
  void missingDataThatIsNotOpenYetCountsFromTheLateSample() {
    Trigger slow = new Trigger(1, 1, Duration.ofMinutes(55), 1);
    state.count(60 * MINUTE, 10 * MINUTE, 2, 2, slow);
    state.count(62 * MINUTE, 30 * MINUTE, 2, 2, slow);
    state.count(80 * MINUTE, 30 * MINUTE, 2, 2, slow);
    assertThat(state.severity()).isZero();

    state.count(86 * MINUTE, 30 * MINUTE, 2, 2, slow);
    assertThat(state.severity()).isEqualTo(2);
    assertThat(state.since()).isEqualTo(30 * MINUTE);
  }

  @Test
  void aGoodSampleDoesNotOpenASymptomAfterEarlierViolations() {
    Trigger long_ = new Trigger(1, 5, Duration.ofMinutes(2), 1);
    assertThat(severities("20002", long_)).isEqualTo("00002");
  }

  @Test
  void anOldViolationAloneDoesNotReopenAClosedSymptom() {
    assertThat(severities("2000", trigger(1, 5))).isEqualTo("2000");
  }

  @Test
  void waitingForThreeInARowIsThreeOfThree() {
    assertThat(severities("2202222", trigger(3, 3))).isEqualTo("0000022");
  }

  @Test
  void aSymptomNeitherOpensNorClosesBetweenBoundAndClearingLevel() {
    sample(0, 2, Trigger.AT_ONCE);
    assertThat(state.severity()).isZero();
    sample(2, 2, Trigger.AT_ONCE);
    assertThat(state.severity()).isEqualTo(2);
    for (int i = 0; i < 10; i++) {
      sample(0, 2, Trigger.AT_ONCE);
    }
    assertThat(state.severity()).isEqualTo(2);
    sample(0, 0, Trigger.AT_ONCE);
    assertThat(state.severity()).isZero();
  }

  @Test
  void aSymptomClosesAfterClearAfterGoodSamplesInARow() {
    assertThat(severities("2002000", new Trigger(1, 1, Duration.ZERO, 3))).isEqualTo("2222220");
  }

  @Test
  void aSymptomFallsToTheWorstSeverityThatTheGoodSamplesHeld() {
    Trigger three = new Trigger(1, 1, Duration.ZERO, 3);
    assertThat(severities("4020", three)).isEqualTo("4442");
    assertThat(severities("000", three)).isEqualTo("220");
  }

  @Test
  void aSeverityRisesAtOnceAndFallsStepByStep() {
    assertThat(severities("12432100", Trigger.AT_ONCE)).isEqualTo("12432100");
  }

  @Test
  void eachSeverityNeedsItsOwnViolations() {
    assertThat(severities("242444", trigger(3, 3))).isEqualTo("002224");
  }

  @Test
  void aWorseSampleCountsForTheLesserSeveritiesToo() {
    assertThat(severities("423", trigger(3, 3))).isEqualTo("002");
  }

  @Test
  void theFirstViolationMustBeAsOldAsTheMinimumDuration() {
    Trigger fiveMinutes = new Trigger(1, 2, Duration.ofMinutes(5), 1);
    assertThat(severities("2222222", fiveMinutes)).isEqualTo("0000022");
  }

  @Test
  void aGapLongerThanTheWindowRestartsTheDuration() {
    Trigger threeMinutes = new Trigger(1, 2, Duration.ofMinutes(3), 1);
    assertThat(severities("2202", threeMinutes)).isEqualTo("0002");
    state = new SymptomState();
    assertThat(severities("2200222", threeMinutes)).isEqualTo("0000000");
    assertThat(severities("2", threeMinutes)).isEqualTo("2");
  }

  @Test
  void aSampleCountsOnce() {
    Trigger twoOfTwo = trigger(2, 2);
    state.count(MINUTE, MINUTE, 2, 2, twoOfTwo);
    assertThat(state.count(MINUTE, MINUTE, 2, 2, twoOfTwo)).isFalse();
    assertThat(state.count(MINUTE / 2, MINUTE / 2, 2, 2, twoOfTwo)).isFalse();
    assertThat(state.severity()).isZero();
    state.count(2 * MINUTE, 2 * MINUTE, 2, 2, twoOfTwo);
    assertThat(state.severity()).isEqualTo(2);
  }

  @Test
  void aSymptomIsOpenSinceTheFirstViolationOfItsRun() {
    severities("020222", trigger(3, 4));
    assertThat(state.severity()).isEqualTo(2);
    assertThat(state.since()).isEqualTo(2 * MINUTE);
    severities("444", trigger(3, 4));
    assertThat(state.severity()).isEqualTo(4);
    assertThat(state.since()).isEqualTo(2 * MINUTE);
  }

  @Test
  void aSteadyViolationStopsChangingTheState() {
    Trigger threeOfFive = trigger(3, 5);
    severities("22222", threeOfFive);
    for (int i = 0; i < 5; i++) {
      assertThat(sample(2, 2, threeOfFive)).isFalse();
    }
    assertThat(sample(0, 2, threeOfFive)).as("the history is another one").isTrue();
  }

  @Test
  void aSteadyValueAtTheClearingLevelStopsChangingTheState() {
    sample(2, 2, trigger(1, 3));
    severities("", trigger(1, 3));
    for (int i = 0; i < 3; i++) {
      sample(0, 2, trigger(1, 3));
    }
    assertThat(sample(0, 2, trigger(1, 3))).isFalse();
    assertThat(state.severity()).isEqualTo(2);
    assertThat(state.isAtRest()).isFalse();
  }

  @Test
  void historiesOfSixtySamplesAreKept() {
    Trigger all = trigger(60, 60);
    assertThat(severities("2".repeat(60), all)).isEqualTo("0".repeat(59) + "2");
    assertThat(state.save().history()).isEqualTo("2".repeat(60));
  }

  @Test
  void aTriggerWithAShorterHistoryForgetsTheRest() {
    severities("2222", trigger(5, 10));
    severities("2", trigger(3, 3));
    assertThat(state.severity()).isEqualTo(2);
    assertThat(state.save().history()).isEqualTo("222");
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void theStateAgreesWithOneThatKeepsAllSamples(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      Trigger trigger = trigger(random);
      SymptomState fast = new SymptomState();
      AllSamples naive = new AllSamples(trigger);
      long time = 0;
      for (int i = 0; i < 120; i++) {
        time += random.nextInt(10) == 0 ? 0 : MINUTE * (1 + random.nextInt(3));
        int over = random.nextInt(3) == 0 ? random.nextInt(5) : over(random, round);
        int held = Math.max(over, random.nextInt(4) == 0 ? random.nextInt(5) : 0);
        fast.count(time, time, over, held, trigger);
        naive.count(time, over, held);
        assertThat(fast.severity())
            .as("%s, sample %d of round %d", trigger, i, round)
            .isEqualTo(naive.severity());
        if (fast.severity() > 0) {
          assertThat(fast.since()).isEqualTo(naive.since());
        }
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {11, 12, 13, 14})
  void aRestoredStateContinuesIdentically(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      Trigger trigger = trigger(random);
      SymptomState whole = new SymptomState();
      SymptomState taken = new SymptomState();
      SymptomState.Saved written = null; // null = no row, which is a state at rest
      long time = 0;
      for (int i = 0; i < 120; i++) {
        time += MINUTE;
        int over = over(random, round);
        int held = Math.max(over, random.nextInt(4) == 0 ? random.nextInt(5) : 0);
        whole.count(time, time, over, held, trigger);
        if (taken.count(time, time, over, held, trigger)) {
          written = taken.isAtRest() ? null : taken.save();
        }
        if (random.nextInt(4) == 0) {
          taken = written == null ? new SymptomState() : SymptomState.of(written);
          // and the sample that was counted last is seen again
          taken.count(time, time, over, held, trigger);
          if (taken.isAtRest()) {
            taken = new SymptomState();
          }
        }
        assertThat(taken.severity())
            .as("%s, sample %d of round %d", trigger, i, round)
            .isEqualTo(whole.severity());
        assertThat(taken.since()).isEqualTo(whole.since());
      }
    }
  }

  private static Trigger trigger(Random random) {
    int of = 1 + random.nextInt(8);
    return new Trigger(
        1 + random.nextInt(of),
        of,
        Duration.ofMinutes(random.nextBoolean() ? 0 : random.nextInt(6)),
        1 + random.nextInt(4));
  }

  /** Rounds differ in how often they violate, and some hold one severity for long. */
  private static int over(Random random, int round) {
    return random.nextInt(8) < round % 8 ? 1 + (round + random.nextInt(2)) % 4 : 0;
  }
}
