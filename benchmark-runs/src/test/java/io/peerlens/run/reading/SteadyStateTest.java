package io.peerlens.run.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.run.Run.Series;
import io.peerlens.run.reading.SteadyState.Judgement;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SteadyStateTest {

  @Test
  void aRunWithAWarmUpIsSteadyFromItsEnd() {
    double[] values = Made.noise(1, 600, 1000, 10, 0.3);
    for (int i = 0; i < 60; i++) {
      values[i] *= i / 60.0;
    }

    SteadyState state = SteadyState.of(Made.iops(values));

    assertThat(state.judgement()).isEqualTo(Judgement.STEADY);
    assertThat(state.from()).isBetween(50.0, 70.0);
    assertThat(state.mean()).isCloseTo(1000, within(5.0));
    assertThat(state.snia()).isTrue();
    assertThat(state.sentence())
        .startsWith("Steady from 60 s of 10 min: the last third, 3 min, changes by ")
        .endsWith(").");
  }

  @Test
  void aFallOfTwelvePercentAnHourIsToldWithItsInterval() {
    double[] values = Made.noise(2, 3600, 1000, 10, 0.3);
    for (int i = 0; i < values.length; i++) {
      values[i] *= 1 - 0.12 * i / 3600.0;
    }

    SteadyState state = SteadyState.of(Made.iops(values));

    assertThat(state.judgement()).isEqualTo(Judgement.NOT_STEADY);
    // 12 % of the start are 13.3 % of the mean of the last third.
    assertThat(state.perHour()).isCloseTo(-13.3, within(1.0));
    assertThat(state.perHourInterval().contains(-13.33)).isTrue();
    assertThat(state.sentence())
        .matches(
            "Not steady: IOPS fall by 1[234](\\.\\d)? % an hour \\(1\\d(\\.\\d)? to 1\\d(\\.\\d)?\\); a longer run is needed\\.");
  }

  @Test
  void destagingAfterFortyMinutesIsNotSteady() {
    double[] values = Made.noise(3, 3600, 1000, 20, 0.5);
    for (int i = 2700; i < values.length; i++) {
      values[i] *= 0.6;
    }

    assertThat(SteadyState.of(Made.iops(values)).judgement()).isEqualTo(Judgement.NOT_STEADY);
  }

  @Test
  void aWaveOfMoreThanAFifthIsNotSteadyThoughItHasNoTrend() {
    double[] values = new double[360];
    for (int i = 0; i < values.length; i++) {
      values[i] = 1000 + 200 * Math.cos(2 * Math.PI * (i - 240) / 120.0);
    }

    SteadyState state = SteadyState.of(Made.iops(values));

    assertThat(state.judgement()).isEqualTo(Judgement.NOT_STEADY);
    assertThat(state.excursion()).isGreaterThan(20);
    assertThat(state.snia()).isFalse();
    assertThat(state.sentence()).contains("differ by").contains("between fifths");
  }

  @Test
  void fewIntervalsAreNotKnown() {
    SteadyState state = SteadyState.of(Made.iops(Made.noise(4, 23, 1000, 1, 0)));

    assertThat(state.judgement()).isEqualTo(Judgement.NOT_KNOWN);
    assertThat(state.mean()).isNull();
    assertThat(state.sentence())
        .isEqualTo("Not known whether it is steady: 23 intervals with a value, 24 are needed.");
  }

  @Test
  void wildScatterIsNotKnownRatherThanSteady() {
    SteadyState state = SteadyState.of(Made.iops(Made.noise(16, 60, 1000, 250, 0.9)));

    assertThat(state.judgement()).isNotEqualTo(Judgement.STEADY);
  }

  @Test
  void zerosAndMissingValuesAreNoNumbers() {
    double[] missing = new double[100];
    Arrays.fill(missing, Double.NaN);
    assertThat(SteadyState.of(Made.iops(missing)).judgement()).isEqualTo(Judgement.NOT_KNOWN);

    SteadyState zero = SteadyState.of(Made.iops(new double[100]));
    assertThat(zero.judgement()).isEqualTo(Judgement.NOT_KNOWN);
    assertThat(zero.sentence()).contains("0");

    double[] gaps = Made.noise(5, 300, 1000, 10, 0);
    for (int i = 0; i < 300; i += 7) {
      gaps[i] = i % 2 == 0 ? Double.NaN : Double.POSITIVE_INFINITY;
    }
    SteadyState state = SteadyState.of(Made.iops(gaps));
    assertThat(state.judgement()).isEqualTo(Judgement.STEADY);
    assertThat(state.mean()).isCloseTo(1000, within(3.0));
  }

  @Test
  void aConstantSeriesIsSteadyFromTheBeginning() {
    double[] values = new double[120];
    Arrays.fill(values, 500);

    SteadyState state = SteadyState.of(Made.iops(values));

    assertThat(state.judgement()).isEqualTo(Judgement.STEADY);
    assertThat(state.sentence()).startsWith("Steady from the beginning");
    assertThat(state.perHour()).isZero();
  }

  @Test
  void atAFixedRateTheLatencyDecides() {
    double[] iops = Made.noise(6, 600, 1000, 1, 0);
    double[] latency = Made.noise(7, 600, 1, 0.01, 0);
    for (int i = 0; i < latency.length; i++) {
      latency[i] *= 1 + i / 600.0;
    }

    SteadyState state =
        SteadyState.of(Made.reads(8).series("iops", iops).series("latency", latency).make());

    assertThat(state.judgement()).isEqualTo(Judgement.NOT_STEADY);
    assertThat(state.sentence()).startsWith("Not steady: mean latency rises by ");
  }

  @Test
  void readsAndWritesOfMachinesAreAddedUp() {
    SteadyState state =
        SteadyState.of(
            Made.reads(8)
                .series("read_iops", "vm-1", Made.noise(8, 120, 700, 5, 0))
                .series("read_iops", "vm-2", Made.noise(9, 120, 200, 5, 0))
                .series("write_iops", Made.noise(10, 120, 100, 1, 0))
                .make());

    assertThat(state.judgement()).isEqualTo(Judgement.STEADY);
    assertThat(state.mean()).isCloseTo(1000, within(5.0));
  }

  @Test
  void sniasRuleIsThatOfTheSpecification() {
    // Rounds 90, 95, 100, 105, 110: range 20 %, slope 20 % of the average.
    double[] values = new double[150];
    for (int i = 0; i < values.length; i++) {
      values[i] = i < 100 ? 100 : 90 + 5 * ((i - 100) / 10);
    }

    SteadyState state = SteadyState.of(Made.iops(values));

    assertThat(state.excursion()).isCloseTo(20, within(1e-9));
    assertThat(state.slopeExcursion()).isCloseTo(20, within(1e-9));
    assertThat(state.snia()).isFalse();
  }

  /** The promise of the interval: that of 600 intervals, 200 are asked. */
  @ParameterizedTest
  @CsvSource({"0, 0.065", "0.5, 0.07", "0.8, 0.09"})
  void aTrendIsSeldomSeenWhereThereIsNone(double likeness, double most) {
    int wrong = 0;
    for (int seed = 0; seed < 2000; seed++) {
      double[] values = Made.noise(1000 + seed, 200, 1000, 100, likeness);
      Trend trend = Trend.of(Made.seconds(200), values);
      wrong += Math.abs(trend.perSecond()) > trend.reach() ? 1 : 0;
    }

    assertThat(wrong / 2000.0).isBetween(0.02, most);
  }

  @Test
  void runsOfUsualNoiseAreSeldomCalledUnsteady() {
    int wrong = 0;
    int steady = 0;
    for (int seed = 0; seed < 500; seed++) {
      SteadyState state = SteadyState.of(Made.iops(Made.noise(seed, 600, 1000, 30, 0.5)));
      wrong += state.judgement() == Judgement.NOT_STEADY ? 1 : 0;
      steady += state.judgement() == Judgement.STEADY ? 1 : 0;
    }

    assertThat(wrong).isLessThanOrEqualTo(15);
    assertThat(steady).isGreaterThan(480);
  }

  @Test
  void theCutIsWhereTheMeanIsKnownBest() {
    double[] values = new double[40];
    Arrays.fill(values, 10);
    values[0] = 0;
    values[1] = 5;

    assertThat(Truncation.start(values)).isEqualTo(2);
    assertThat(Truncation.start(new double[] {1, 1, 1})).isZero();
  }

  @Test
  void unevenSecondsCountAsTheyAre() {
    double[] seconds = Made.seconds(60);
    double[] values = new double[60];
    for (int i = 0; i < 60; i++) {
      seconds[i] = i < 30 ? i + 1 : 30 + 10 * (i - 29);
      values[i] = 100 + seconds[i];
    }

    SteadyState state = SteadyState.of(new Series("iops", "", "IO/s", seconds, values));

    // 1 a second of a mean of 100 + 235.
    assertThat(state.perHour()).isCloseTo(3600.0 / 335 * 100, within(1.0));
  }
}
