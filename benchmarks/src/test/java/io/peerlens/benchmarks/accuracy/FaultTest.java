package io.peerlens.benchmarks.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FaultTest {

  private static final int START = 60;
  private static final int LENGTH = 12;

  /** Members at 10, 20, ... by time. */
  private static Trace trace(int members, double top) {
    double[][] values = new double[200][members];
    for (int b = 0; b < values.length; b++) {
      for (int i = 0; i < members; i++) {
        values[b][i] = 10 * (i + 1) + b % 5;
      }
    }
    return new Trace("set", "name", "name", false, values, 20, 10, top, 2);
  }

  private static double[][] with(Fault fault, Trace trace, int member) {
    double[][] rows = Arrays.stream(trace.values()).map(double[]::clone).toArray(double[][]::new);
    fault.inject(trace, rows, START, LENGTH, member, new Random(1));
    return rows;
  }

  /** How much the first faulty value of a member is above what it was. */
  private static double change(Fault fault, int member) {
    Trace trace = trace(8, 100);
    return with(fault, trace, member)[START][member] - trace.values()[START][member];
  }

  @Test
  void sizesAreInMinimumDeviations() {
    assertThat(change(Fault.UP_1_5, 2)).isEqualTo(3);
    assertThat(change(Fault.DOWN_5, 2)).isEqualTo(-10);
    assertThat(Fault.sizes(true)).hasSize(5).allMatch(f -> f.text.startsWith("+"));
    assertThat(Fault.sizes(false)).hasSize(5).allMatch(f -> f.text.startsWith("-"));
    assertThat(Fault.kinds()).hasSize(19).filteredOn(f -> f.core).hasSize(8);
  }

  @Test
  void valuesStayBetweenNothingAndTheTop() {
    assertThat(change(Fault.PLUS_3, 2)).isEqualTo(30);
    assertThat(change(Fault.PLUS_3, 7)).isEqualTo(20);
    assertThat(change(Fault.MINUS_1, 0)).isEqualTo(-10);
    assertThat(change(Fault.OSCILLATION, 0)).isEqualTo(20);
    for (Fault fault : Fault.values()) {
      for (double[] row : with(fault, trace(8, 100), 7)) {
        assertThat(row).doesNotContain(Double.NaN);
        assertThat(Arrays.stream(row)).allMatch(v -> v >= 0 && v <= 100);
      }
    }
  }

  @Test
  void onlyTheFaultyMemberAndItsTimeChange() {
    Trace trace = trace(8, 100);
    for (Fault fault : Fault.values()) {
      double[][] rows = with(fault, trace, 3);
      int changed = 0;
      for (int i = 0; i < 8; i++) {
        boolean differs = false;
        for (int b = 0; b < rows.length; b++) {
          boolean here = rows[b][i] != trace.values()[b][i];
          assertThat(here && (b < START || b >= START + LENGTH)).as(fault.text).isFalse();
          differs |= here;
        }
        changed += differs ? 1 : 0;
      }
      int expected =
          switch (fault) {
            case SWAP, TWO, QUARTER -> 2;
            default -> 1;
          };
      assertThat(changed).as(fault.text).isEqualTo(expected);
    }
  }

  @Test
  void aMissingValueStaysMissing() {
    Trace trace = trace(5, 100);
    for (double[] row : trace.values()) {
      row[1] = Double.NaN;
    }
    for (Fault fault : Fault.values()) {
      assertThat(with(fault, trace, 1)[START][1]).as(fault.text).isNaN();
    }
  }

  @Test
  void faultsThatNeedMoreTimeOrMembersAreNotTried() {
    assertThat(Fault.DRIFT.fits(trace(8, 100), START, LENGTH)).isFalse();
    assertThat(Fault.QUARTER.fits(trace(5, 100), START, LENGTH)).isFalse();
    assertThat(Fault.QUARTER.fits(trace(6, 100), START, LENGTH)).isTrue();
    assertThat(Fault.PLUS_1.fits(trace(8, 100), 185, LENGTH)).isFalse();
  }
}
