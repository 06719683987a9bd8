package io.peerlens.run.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.run.Parameter;
import io.peerlens.run.Run;
import io.peerlens.run.reading.Drift.Judgement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DriftTest {

  private static Run run(double iops, double latency) {
    return Made.reads(64).figure("iops", iops).figure("latency", latency).make();
  }

  private static final List<Run> REFERENCES =
      List.of(run(190_000, 1.3), run(192_000, 1.29), run(194_000, 1.31));

  @Test
  void aMissByMoreThanTheScatterIsAnAlert() {
    Drift drift = Drift.of(run(171_000, 1.3), REFERENCES);

    assertThat(drift.alert()).isTrue();
    Drift.Check iops = drift.checks().getFirst();
    assertThat(iops.missed()).isTrue();
    // t(0.975; 2) = 4.303, s = 2000, sqrt(4 / 3)
    assertThat(iops.interval().low()).isCloseTo(192_000 - 4.3027 * 2000 * 1.1547, within(1.0));
    assertThat(drift.sentence())
        .isEqualTo(
            "Worse than the 3 reference runs: IOPS 171,000, expected 192,000, at least 182,000 within their scatter (10.9 % worse).");
  }

  @Test
  void aMissWithinTheScatterIsNone() {
    Drift drift = Drift.of(run(185_000, 1.3), REFERENCES);

    assertThat(drift.judgement()).isEqualTo(Judgement.HELD);
    assertThat(drift.sentence()).startsWith("As good as the 3 reference runs: IOPS 185,000");
  }

  @Test
  void betterIsNoAlert() {
    assertThat(Drift.of(run(250_000, 0.5), REFERENCES).alert()).isFalse();
  }

  @Test
  void latencyIsMissedUpwards() {
    Drift drift = Drift.of(run(192_000, 2), REFERENCES);

    assertThat(drift.alert()).isTrue();
    assertThat(drift.sentence()).contains("mean latency 2 ms, expected 1.3 ms, at most 1.35 ms");
  }

  @Test
  void aSmallMissOfEqualReferencesDoesNotMatter() {
    Drift drift = Drift.of(run(98, 1), List.of(run(100, 1), run(100, 1)));

    assertThat(drift.alert()).isFalse();
    assertThat(Drift.of(run(96, 1), List.of(run(100, 1), run(100, 1))).alert()).isTrue();
  }

  @Test
  void oneReferenceHasAStatedFallback() {
    assertThat(Drift.of(run(91, 1), List.of(run(100, 1))).judgement()).isEqualTo(Judgement.HELD);
    Drift drift = Drift.of(run(85, 1), List.of(run(100, 1)));

    assertThat(drift.alert()).isTrue();
    assertThat(drift.sentence())
        .isEqualTo(
            "Worse than the reference run: IOPS 85, expected 100 (15 % worse). One reference run shows no scatter, so more than 10 % counts as missed.");
  }

  @Test
  void withoutReferencesOrWithOtherParametersItIsNotKnown() {
    assertThat(Drift.of(run(1, 1), List.of()).sentence())
        .isEqualTo("Not known whether it drifts: there is no reference run.");
    Drift drift =
        Drift.of(
            run(1, 1),
            List.of(Made.reads(64).with(Parameter.BLOCK_SIZE, 8192).figure("iops", 9).make()));
    assertThat(drift.alert()).isFalse();
    assertThat(drift.sentence()).contains("had another block size, 8K instead of 4K");
    assertThat(Drift.of(Made.reads(64).make(), REFERENCES).judgement())
        .isEqualTo(Judgement.NOT_KNOWN);
  }

  @Test
  void anotherVersionIsNoReasonNotToCompare() {
    Run newer = Made.reads(64).version("4").with("firmware", "2").figure("iops", 100_000).make();

    assertThat(Drift.of(newer, REFERENCES).alert()).isTrue();
  }

  @Test
  void whatHasNotChangedIsMissedInOneOfFortyCases() {
    Random random = new Random(1);
    int alerts = 0;
    for (int i = 0; i < 4000; i++) {
      List<Run> references = new ArrayList<>();
      for (int j = 0; j < 4; j++) {
        references.add(Made.reads(8).figure("iops", 1000 + 100 * random.nextGaussian()).make());
      }
      Run newest = Made.reads(8).figure("iops", 1000 + 100 * random.nextGaussian()).make();
      alerts += Drift.of(newest, references).alert() ? 1 : 0;
    }

    assertThat(alerts / 4000.0).isBetween(0.017, 0.033);
  }
}
