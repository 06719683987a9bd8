package io.peerlens.baselines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class BandLearnerTest {

  /** A Monday, 0 o'clock UTC. */
  private static final long MONDAY = Instant.parse("2026-10-05T00:00:00Z").getEpochSecond() / 3600;

  private static final int MONTH = 28 * 24;

  private final BandLearner learner = new BandLearner();
  private final WeekSlots utc = new WeekSlots(ZoneOffset.UTC);

  /** Learns from cells whose lowest and highest value are one off the mean. */
  private Band learn(int hours, IntToDoubleFunction mean) {
    return learn(hours, mean, 1, MONDAY + hours, 48);
  }

  private Band learn(int hours, IntToDoubleFunction mean, double range, long from, int out) {
    float[] min = new float[hours];
    float[] middle = new float[hours];
    float[] max = new float[hours];
    for (int i = 0; i < hours; i++) {
      middle[i] = (float) mean.applyAsDouble(i);
      min[i] = (float) (middle[i] - range);
      max[i] = (float) (middle[i] + range);
    }
    return learner.learn(MONDAY, min, middle, max, utc, from, out);
  }

  private static IntToDoubleFunction noise(long seed, double level, double deviation) {
    Random random = new Random(seed);
    double[] values = random.doubles(MONTH).map(x -> level + deviation * (2 * x - 1)).toArray();
    return i -> values[i];
  }

  @Test
  void aLevelWithoutRhythmHasALevelBandThatHoldsNearlyAllHours() {
    Band band = learn(MONTH, noise(1, 50, 5));
    assertThat(band.state()).isEqualTo(State.LEARNED);
    assertThat(band.learnedDays()).isEqualTo(28);
    assertThat(band.learnedHours()).isEqualTo(MONTH);
    for (int i = 0; i < 48; i++) {
      assertThat(band.upper()[i]).isBetween(53.5f, 60f);
      assertThat(band.lower()[i]).isBetween(39.5f, 46.5f);
    }
    assertThat(band.spread()).isBetween(1f, 6f);
  }

  @Test
  void aDailyRhythmIsFollowed() {
    Band band = learn(MONTH, i -> i % 24 == 3 ? 90 + i % 5 : 20 + i % 5);
    assertThat(band.upper()[3]).isBetween(94f, 100f);
    assertThat(band.lower()[3]).isGreaterThan(80f);
    assertThat(band.upper()[15]).isLessThan(32f);
  }

  @Test
  void aWeeklyRhythmIsFollowedOnceThereAreWeeks() {
    IntToDoubleFunction backup = i -> i % 168 == 150 ? 200 + i % 3 : 20 + i % 3;
    Band band = learn(MONTH, backup, 1, MONDAY + MONTH, 168);
    assertThat(band.upper()[150]).isGreaterThan(195f);
    assertThat(band.upper()[149]).isLessThan(60f);
  }

  @Test
  void nothingIsJudgedBeforeSevenDays() {
    Band band = learn(6 * 24, noise(2, 10, 1));
    assertThat(band.state()).isEqualTo(State.LEARNING);
    assertThat(band.learnedDays()).isEqualTo(6);
    assertThat(band.upper()).containsOnly(Float.NaN);
    assertThat(learn(7 * 24, noise(2, 10, 1)).state()).isEqualTo(State.LEARNED);
  }

  @Test
  void theSpreadIsLargerWhereLessIsKnown() {
    double month = learn(MONTH, noise(4, 50, 5)).spread();
    assertThat(learn(7 * 24, noise(4, 50, 5)).spread() / month).isBetween(1.2, 2.4);
    double single = learn(MONTH, noise(4, 50, 5), 0, MONDAY + MONTH, 48).spread();
    assertThat(single / month).isCloseTo(1.63, offset(0.1));
  }

  @Test
  void noValuesAtAllIsLearning() {
    Band band = learn(MONTH, i -> Double.NaN);
    assertThat(band.state()).isEqualTo(State.LEARNING);
    assertThat(band.learnedDays()).isZero();
  }

  @Test
  void aConstantSeriesHasItsValueAsBounds() {
    Band band = learn(MONTH, i -> 4.5, 0, MONDAY + MONTH, 24);
    assertThat(band.state()).isEqualTo(State.CONSTANT);
    assertThat(band.lower()).containsOnly(4.5f);
    assertThat(band.upper()).containsOnly(4.5f);
    assertThat(band.spread()).isZero();
  }

  @Test
  void rareValuesOfAFewValuedSeriesAreNoBounds() {
    Band band = learn(MONTH, i -> i == 100 ? 4 : i % 9 == 0 ? 2 : 1, 0, MONDAY + MONTH, 168);
    assertThat(band.state()).isEqualTo(State.FEW_VALUED);
    assertThat(band.lower()).containsOnly(1f);
    assertThat(band.upper()).containsOnly(2f);
  }

  @Test
  void aValueUsualInAnHourOfTheWeekIsABoundInThatHour() {
    Band band = learn(MONTH, i -> i % 168 == 150 ? 3 : 1, 0, MONDAY + MONTH, 168);
    assertThat(band.upper()[150]).isEqualTo(3);
    assertThat(band.upper()[149]).isEqualTo(1);
  }

  @Test
  void aLastingTrendIsContinued() {
    IntToDoubleFunction noise = noise(3, 0, 0.5);
    Band band = learn(MONTH, i -> 100 + 0.1 * i + noise.applyAsDouble(i));
    double expected = 100 + 0.1 * (MONTH + 24);
    assertThat(band.upper()[24]).isBetween((float) expected, (float) expected + 3);
    assertThat(band.lower()[24]).isBetween((float) expected - 3, (float) expected);
  }

  @Test
  void aStepIsNoTrendAndTheNewLevelIsKnownAfterTwoDays() {
    IntToDoubleFunction noise = noise(4, 0, 1);
    Band band = learn(MONTH, i -> (i < MONTH - 48 ? 10 : 60) + noise.applyAsDouble(i));
    assertThat(band.upper()[40]).isBetween(58f, 70f);
    assertThat(band.lower()[40]).isLessThan(10f);
  }

  @Test
  void aSeriesThatWandersIsFollowedFromWhereItIs() {
    Random random = new Random(8);
    double[] level = new double[28];
    for (int day = 1; day < level.length; day++) {
      level[day] = level[day - 1] + 10 * (day % 3 == 0 ? -1 : 1) + random.nextGaussian();
    }
    IntToDoubleFunction noise = noise(9, 200, 1);
    Band band = learn(MONTH, i -> level[i / 24] + noise.applyAsDouble(i));
    double newest = 200 + level[27];
    assertThat(band.upper()[40]).isBetween((float) newest + 15, (float) newest + 35);
    Band still = learn(MONTH, noise(9, 200, 1));
    assertThat(still.upper()[40]).isLessThan(204f);
  }

  @Test
  void aShortFaultDoesNotWidenTheBand() {
    IntToDoubleFunction noise = noise(5, 10, 1);
    Band band = learn(MONTH, i -> i >= 600 && i < 603 ? 500 : noise.applyAsDouble(i));
    assertThat(Arrays.copyOf(band.upper(), 24)).doesNotContain(Float.NaN);
    for (float upper : band.upper()) {
      assertThat(upper).isLessThan(20f);
    }
  }

  @Test
  void aSeriesThatIsNeverNegativeHasNoNegativeBound() {
    Random random = new Random(6);
    double[] values = random.doubles(MONTH).map(x -> -Math.log(1 - x)).toArray();
    Band band = learn(MONTH, i -> values[i], 0, MONDAY + MONTH, 24);
    for (float lower : band.lower()) {
      assertThat(lower).isGreaterThanOrEqualTo(0);
    }
  }

  @Test
  void hoursWithoutValueAreLeftOut() {
    IntToDoubleFunction noise = noise(7, 30, 3);
    Band band = learn(MONTH, i -> i % 3 == 0 ? Double.NaN : noise.applyAsDouble(i));
    assertThat(band.state()).isEqualTo(State.LEARNED);
    assertThat(band.learnedHours()).isEqualTo(MONTH - MONTH / 3);
    assertThat(band.upper()[0]).isBetween(33f, 40f);
  }

  @Test
  void olderHoursThanFourWeeksAreNotLookedAt() {
    int before = 10 * 24;
    float[] cells = new float[before + MONTH];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = i < before ? 1000 : 10 + i % 7 + 0.5f;
    }
    Band longer = learner.learn(MONDAY - before, cells, cells, cells, utc, MONDAY + MONTH, 24);
    float[] month = Arrays.copyOfRange(cells, before, cells.length);
    Band exact = learner.learn(MONDAY, month, month, month, utc, MONDAY + MONTH, 24);
    assertThat(longer.upper()).isEqualTo(exact.upper());
    assertThat(longer.learnedDays()).isEqualTo(28);
  }

  @Test
  void aBandIsTheSameWhateverWasLearnedBefore() {
    Band alone = learn(MONTH, noise(8, 5, 2));
    learn(MONTH, i -> 100 + 0.1 * i);
    learn(200, i -> i % 2);
    Band again = learn(MONTH, noise(8, 5, 2));
    assertThat(again.upper()).isEqualTo(alone.upper());
    assertThat(again.lower()).isEqualTo(alone.lower());
    assertThat(again.spread()).isEqualTo(alone.spread());
  }

  @Test
  void theBandFollowsLocalTimeOverAChangeOfTheClock() {
    WeekSlots berlin = new WeekSlots(ZoneId.of("Europe/Berlin"));
    // Summer time ends on 25 October 2026 at 1 o'clock UTC; work begins at 9 o'clock by the clock.
    long first = Instant.parse("2026-09-27T22:00:00Z").getEpochSecond() / 3600;
    float[] cells = new float[MONTH];
    for (int i = 0; i < MONTH; i++) {
      cells[i] = (berlin.slot(first + i) % 24 == 9 ? 80 : 10) + (i % 5) * 0.5f;
    }
    long monday = Instant.parse("2026-10-26T00:00:00Z").getEpochSecond() / 3600;
    Band band = learner.learn(first, cells, cells, cells, berlin, monday, 24);
    assertThat(band.lower()[8]).isGreaterThan(70); // 8 o'clock UTC is 9 o'clock winter time
    assertThat(band.upper()[7]).isLessThan(30);
  }

  @Test
  void slotsStartOnMonday() {
    assertThat(utc.slot(MONDAY)).isZero();
    assertThat(utc.slot(MONDAY - 1)).isEqualTo(167);
    assertThat(utc.slot(MONDAY + 169)).isEqualTo(1);
  }

  @Test
  void aSensitivityWidensBothBounds() {
    Band band = new Band(State.LEARNED, 2, new float[] {10}, new float[] {20}, 672, 28);
    assertThat(band.upper(0, Sensitivity.MEDIUM)).isEqualTo(24);
    assertThat(band.lower(0, Sensitivity.MEDIUM)).isEqualTo(6);
    assertThat(band.upper(0, Sensitivity.HIGH)).isLessThan(band.upper(0, Sensitivity.LOW));
  }
}
