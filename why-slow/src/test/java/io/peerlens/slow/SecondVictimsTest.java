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
    return new SecondVictims.Partner((int) seed, "vm-" + seed, values, new double[0]);
  }

  private static SecondVictims.Found find(boolean[] delayed, List<SecondVictims.Partner> partners) {
    return SecondVictims.find(delayed, partners, DaysBefore.NONE);
  }

  @Test
  void whoFellMeanwhileIsFoundTheWorstFirst() {
    SecondVictims.Found all =
        find(delayed(), List.of(partner(1, 0.7), partner(2, 1), partner(3, 0.4), partner(4, 1.3)));
    assertThat(all.unchanged()).isEqualTo(2);
    assertThat(all.unknown()).isZero();
    assertThat(all.days()).isZero();
    assertThat(all.minutes()).isTrue();
    List<SecondVictims.Victim> found = all.victims();
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
    assertThat(find(delayed(), partners).victims()).hasSizeLessThanOrEqualTo(4);
    double[] waves = new double[STEPS];
    Arrays.setAll(waves, i -> i / 12 % 2 == 0 ? 1_000 : 300);
    boolean[] inWave = new boolean[STEPS];
    Arrays.fill(inWave, 36, 42, true);
    assertThat(
            find(inWave, List.of(new SecondVictims.Partner(1, "batch", waves, new double[0])))
                .victims())
        .isEmpty();
  }

  /** Without history there is nothing to hold a long delay against. */
  @Test
  void ofALongDelayNothingIsSaidWithoutHistory() {
    boolean[] always = new boolean[STEPS];
    Arrays.fill(always, true);
    SecondVictims.Found found = find(always, List.of(partner(1, 0.4), partner(2, 1)));
    assertThat(found.victims()).isEmpty();
    assertThat(found.unchanged()).isZero();
    assertThat(found.unknown()).isEqualTo(2);
  }

  @Test
  void withoutValuesNothingIsSaid() {
    double[] none = new double[STEPS];
    Arrays.fill(none, Double.NaN);
    SecondVictims.Found found =
        find(delayed(), List.of(new SecondVictims.Partner(1, "off", none, new double[0])));
    assertThat(found.victims()).isEmpty();
    assertThat(found.unknown()).isEqualTo(1);
  }
}
