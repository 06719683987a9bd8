package io.peerlens.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.baselines.compare.PeriodVerdict;
import io.peerlens.sizing.HitRate.Outcome;
import io.peerlens.sizing.Recommendation.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class HitRateTest {

  private static Outcome reduced(PeriodVerdict verdict) {
    return new Outcome(Kind.OVERSIZED, verdict, false);
  }

  @Test
  void theRateHasWilsonsInterval() {
    List<Outcome> outcomes = new ArrayList<>(Collections.nCopies(209, reduced(PeriodVerdict.SAME)));
    outcomes.addAll(Collections.nCopies(3, reduced(PeriodVerdict.WORSE)));
    outcomes.add(reduced(PeriodVerdict.NOT_ENOUGH_DATA));
    HitRate it = HitRate.of(outcomes);
    assertThat(it.judged()).isEqualTo(212);
    assertThat(it.open()).isEqualTo(1);
    assertThat(it.rate()).isCloseTo(209 / 212.0, within(1e-12));
    assertThat(it.least()).isCloseTo(0.9592282848, within(1e-8));
    assertThat(it.most()).isCloseTo(0.9951759389, within(1e-8));
    assertThat(it.reason())
        .isEqualTo("209 of 212 changes were right, 3 made it worse, 0 were put back.");
  }

  @Test
  void noHitsOfTenLeaveAnIntervalFromZero() {
    HitRate it = HitRate.of(Collections.nCopies(10, reduced(PeriodVerdict.WORSE)));
    assertThat(it.least()).isCloseTo(0, within(1e-12));
    assertThat(it.most()).isCloseTo(0.2775328, within(1e-6));
  }

  @Test
  void addingIsRightOnlyIfItHelpedAndWhatWasPutBackWasNot() {
    HitRate it =
        HitRate.of(
            List.of(
                new Outcome(Kind.UNDERSIZED, PeriodVerdict.BETTER, false),
                new Outcome(Kind.UNDERSIZED, PeriodVerdict.SAME, false),
                new Outcome(Kind.OVERSIZED, PeriodVerdict.SAME, true),
                new Outcome(Kind.OVERSIZED, PeriodVerdict.NOT_ENOUGH_DATA, true),
                reduced(PeriodVerdict.DIFFERENT)));
    assertThat(it.judged()).isEqualTo(5);
    assertThat(it.hits()).isEqualTo(2);
    assertThat(it.putBack()).isEqualTo(2);
    assertThat(it.worse()).isZero();
  }

  @Test
  void withoutAJudgedChangeTheRateIsNotKnown() {
    HitRate it = HitRate.of(List.of(reduced(PeriodVerdict.NOT_ENOUGH_DATA)));
    assertThat(it.rate()).isNaN();
    assertThat(it.reason()).startsWith("Not known yet");
  }
}
