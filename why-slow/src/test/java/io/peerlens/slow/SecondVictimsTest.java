package io.peerlens.slow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SecondVictimsTest {

  private static final int STEPS = 72;
  private static final int FROM = 60;

  private static boolean[] delayed() {
    boolean[] delayed = new boolean[STEPS];
    Arrays.fill(delayed, FROM, STEPS, true);
    return delayed;
  }

  private static SecondVictims.Partner partner(long seed, double during) {
    Random random = new Random(seed);
    double[] values = new double[STEPS];
    Arrays.setAll(
        values, i -> 1_000 * (i < FROM ? 1 : during) * Math.exp(0.15 * random.nextGaussian()));
    return new SecondVictims.Partner((int) seed, "vm-" + seed, values);
  }

  @Test
  void whoFellMeanwhileIsFoundTheWorstFirst() {
    List<SecondVictims.Victim> found =
        SecondVictims.find(
            delayed(), List.of(partner(1, 0.7), partner(2, 1), partner(3, 0.4), partner(4, 1.3)));
    assertThat(found).extracting(one -> one.partner().object()).containsExactly(3, 1);
    assertThat(found.getFirst().change()).isCloseTo(-0.6, within(0.1));
    assertThat(found.getFirst().of()).isEqualTo(STEPS - FROM);
    assertThat(found.getFirst().chance()).isLessThanOrEqualTo(0.1);
  }

  /** Noise alone, and a series that falls again and again, are no victims. */
  @Test
  void whatHappensByChanceDoesNotCount() {
    List<SecondVictims.Partner> partners = new ArrayList<>();
    for (int seed = 0; seed < 200; seed++) {
      partners.add(partner(seed, 1));
    }
    assertThat(SecondVictims.find(delayed(), partners)).hasSizeLessThanOrEqualTo(4);
    double[] waves = new double[STEPS];
    Arrays.setAll(waves, i -> i / 12 % 2 == 0 ? 1_000 : 300);
    boolean[] inWave = new boolean[STEPS];
    Arrays.fill(inWave, 36, 42, true);
    assertThat(SecondVictims.find(inWave, List.of(new SecondVictims.Partner(1, "batch", waves))))
        .isEmpty();
  }

  /** A load that falls all evening hides no victim, and is none. */
  @Test
  void whatFallsWithTheEveningIsNoVictimAndAVictimIsFoundInIt() {
    for (int length : new int[] {12, 36, 48}) {
      boolean[] late = new boolean[STEPS];
      Arrays.fill(late, STEPS - length, STEPS, true);
      List<SecondVictims.Partner> partners = new ArrayList<>();
      for (int seed = 1; seed <= 20; seed++) {
        double during = seed <= 10 ? 0.45 : 1;
        Random random = new Random(seed);
        double[] values = new double[STEPS];
        Arrays.setAll(
            values,
            i ->
                1_000
                    * Math.exp(-0.4 * i / STEPS + 0.1 * random.nextGaussian())
                    * (late[i] ? during : 1));
        partners.add(new SecondVictims.Partner(seed, "vm-" + seed, values));
      }
      assertThat(SecondVictims.find(late, partners))
          .as("%d steps", length)
          .hasSizeBetween(9, 11)
          .filteredOn(one -> one.partner().object() <= 10)
          .hasSizeGreaterThanOrEqualTo(9);
    }
  }

  @Test
  void withoutValuesNothingIsSaid() {
    double[] none = new double[STEPS];
    Arrays.fill(none, Double.NaN);
    assertThat(SecondVictims.find(delayed(), List.of(new SecondVictims.Partner(1, "off", none))))
        .isEmpty();
  }
}
