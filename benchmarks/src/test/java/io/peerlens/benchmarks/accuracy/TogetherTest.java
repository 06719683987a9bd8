package io.peerlens.benchmarks.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TogetherTest {

  /** Says of a value above 50 that it is out, by its own kind of group of seven. */
  private static final class Above implements Detector, Detector.Run {
    private final boolean all;

    Above(boolean all) {
      this.all = all;
    }

    @Override
    public String name() {
      return "above";
    }

    @Override
    public double threshold() {
      return 1;
    }

    @Override
    public Run start(Trace trace) {
      return this;
    }

    /** With "all", everybody is out if somebody is. */
    @Override
    public void step(int bucket, double[] values, double[] scores) {
      boolean any = Arrays.stream(values).anyMatch(v -> v > 50);
      Arrays.setAll(scores, i -> values[i] > 50 || (all && any) ? 9 : 0);
    }

    @Override
    public void forget(boolean[] members) {}

    @Override
    public Run copy() {
      return this;
    }
  }

  private static Trace flat() {
    double[][] values = new double[288][7];
    for (double[] row : values) {
      Arrays.fill(row, 20);
    }
    return new Trace("set", "name", "name", false, values, 100, 10, 100, 2);
  }

  @Test
  void fewerThanHalfGoWrong() {
    for (int n : Together.MEMBERS) {
      assertThat(Together.counts(n)).startsWith(1, 2).allMatch(k -> 2 * k < n);
    }
    assertThat(Together.counts(5)).containsExactly(1, 2);
    assertThat(Together.counts(12)).containsExactly(1, 2, 3, 4, 5);
    assertThat(Together.counts(200)).containsExactly(1, 2, 20, 40, 60, 80, 98);
  }

  @Test
  void whoIsRightAndWhoIsWronglyOutIsCounted() {
    List<Together.Row> rows = Together.run(new Above(false), flat());
    assertThat(rows).hasSize((Together.counts(7).size() + 1) * (Together.SIZES.length + 1));
    for (Together.Row row : rows) {
      // Five times 20 is above 50, five minimum deviations more are not.
      boolean seen = Double.isNaN(row.size());
      assertThat(row.found()).isEqualTo(seen ? 1 : 0);
      assertThat(row.all()).isEqualTo(seen ? 1 : 0);
      assertThat(row.wrong()).isZero();
    }
    for (Together.Row row : Together.run(new Above(true), flat())) {
      boolean others = Double.isNaN(row.size()) && row.wrongOnes() < 7;
      assertThat(row.wrong()).isEqualTo(others ? 1 : 0);
    }
  }

  @Test
  void groupsAreSeededAndOfAllSizes() {
    List<Trace> clean = Together.clean();
    assertThat(clean.stream().mapToInt(Trace::members).toArray()).containsExactly(Together.MEMBERS);
    assertThat(clean.getFirst().values()).isDeepEqualTo(Together.clean().getFirst().values());
  }
}
