package io.peerlens.sizing;

import static io.peerlens.sizing.Traces.GRID;
import static io.peerlens.sizing.Traces.because;
import static io.peerlens.sizing.Traces.known;
import static io.peerlens.sizing.Traces.trace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.sizing.Amounts.Supply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClusterTest {

  private static final double NOT = Double.NaN;
  private static final Amounts HOST = new Amounts(100_000, 256, 0, 0);
  private static final Cluster THREE =
      new Cluster(List.of(HOST, HOST, HOST), new Amounts(0, 0, 10_000, NOT), 1, Amounts.NONE);

  @Test
  void theLargestHostIsNotCountedAndReservesStayFree() {
    Cluster cluster =
        new Cluster(
            List.of(HOST, new Amounts(300_000, 1024, 0, 0), HOST),
            new Amounts(0, 0, 1000, NOT),
            1,
            new Amounts(0.1, 0, 0.2, 0));
    assertThat(cluster.usable(Supply.CPU)).isCloseTo(180_000, within(1e-6));
    assertThat(cluster.usable(Supply.MEMORY)).isEqualTo(512);
    assertThat(cluster.usable(Supply.DISK)).isEqualTo(800);
    assertThat(cluster.usable(Supply.IOPS)).isNaN();
    assertThat(cluster.remaining(new Amounts(90_000, 600, 200, 5)))
        .containsExactly(new double[] {0.5, 0, 0.75, NOT}, within(1e-9));
  }

  @Test
  void aHostOfUnknownSizeMakesItsSupplyUnknown() {
    Cluster cluster =
        new Cluster(List.of(HOST, new Amounts(NOT, 256, 0, 0)), Amounts.NONE, 1, Amounts.NONE);
    assertThat(cluster.usable(Supply.CPU)).isNaN();
    assertThat(cluster.usable(Supply.MEMORY)).isEqualTo(256);
  }

  @Test
  void equalMachinesFitAsOftenAsTheyDivide() {
    List<Amounts> vms = Collections.nCopies(10, new Amounts(1000, 4, 50, 10));
    VmsRemaining it = known(VmsRemaining.of(THREE, new Amounts(100_000, 211, 5000, 1), vms, 1));
    assertThat(it.value()).isEqualTo(75);
    assertThat(it.typical()).isEqualTo(75);
    assertThat(it.most()).isEqualTo(75);
    assertThat(it.endsFirst()).isEqualTo(Supply.MEMORY);
    assertThat(it.endsFirstShare()).isEqualTo(1);
    assertThat(it.alone()).isEqualTo(Map.of(Supply.CPU, 100, Supply.MEMORY, 75, Supply.DISK, 100));
    assertThat(it.reason())
        .isEqualTo(
            "75 machines like the present ones fit with 95 % certainty (up to 75), then memory"
                + " ends first in 100 % of the draws; not known, and not judged: IOPS.");
  }

  @Test
  void aFewLargeMachinesMakeFewerFitThanTheMeanSays() {
    List<Amounts> vms = new ArrayList<>(Collections.nCopies(18, new Amounts(100, 2, 0, 0)));
    vms.add(new Amounts(100, 96, 0, 0));
    vms.add(new Amounts(100, 96, 0, 0));
    Amounts used = new Amounts(0, 212, 0, 0);
    VmsRemaining it = known(VmsRemaining.of(THREE, used, vms, 1));
    int byMean = (int) (300 / ((18 * 2 + 2 * 96) / 20.0));
    assertThat(it.value()).isLessThan(byMean / 2);
    // So many really fit in 95 % of independent draws, and one more does not.
    assertThat(share(vms, it.value())).isGreaterThan(0.94);
    assertThat(share(vms, it.value() + 2)).isLessThan(0.95);
    assertThat(it.typical()).isBetween(it.value(), it.most());
  }

  private static double share(List<Amounts> vms, int count) {
    Random random = new Random(99);
    int fit = 0;
    for (int draw = 0; draw < 20_000; draw++) {
      double sum = 0;
      for (int k = 0; k < count; k++) {
        sum += vms.get(random.nextInt(vms.size())).memoryGb();
      }
      fit += sum <= 300 ? 1 : 0;
    }
    return fit / 20_000.0;
  }

  @Test
  void aFullClusterHasRoomForNone() {
    List<Amounts> vms = Collections.nCopies(10, new Amounts(1000, 4, 50, 10));
    VmsRemaining it = known(VmsRemaining.of(THREE, new Amounts(250_000, 100, 0, 0), vms, 1));
    assertThat(it.value()).isZero();
    assertThat(it.endsFirst()).isEqualTo(Supply.CPU);
  }

  @Test
  void machinesThatNeedNothingAreCountedToAnEnd() {
    List<Amounts> vms = Collections.nCopies(10, Amounts.NONE);
    assertThat(known(VmsRemaining.of(THREE, Amounts.NONE, vms, 1)).value())
        .isEqualTo(VmsRemaining.MOST);
  }

  @Test
  void withoutADistributionNothingIsKnown() {
    List<Amounts> few = Collections.nCopies(4, new Amounts(1000, 4, 50, 10));
    assertThat(because(VmsRemaining.of(THREE, Amounts.NONE, few, 1)))
        .contains("4 machines with values of the 5");
    List<Amounts> unknown = Collections.nCopies(9, new Amounts(NOT, NOT, NOT, NOT));
    assertThat(because(VmsRemaining.of(THREE, Amounts.NONE, unknown, 1))).contains("Of no supply");
  }

  @Test
  void machinesAreAddedUpMomentByMoment() {
    double[][] columns = {
      trace(at -> at.getHour() < 12 ? 1000 : 100), trace(at -> at.getHour() < 12 ? 100 : 1000)
    };
    BusyTime it = known(BusyTime.of(GRID, columns));
    assertThat(it.level()).isEqualTo(1100);
    columns[1] = trace(at -> at.getHour() < 12 ? 400 : 10);
    BusyTime together = known(BusyTime.of(GRID, columns));
    assertThat(together.level()).isEqualTo(1400);
    assertThat(together.each()).containsExactly(1000, 400);
  }

  @Test
  void amountsAndReservesAreChecked() {
    assertThatThrownBy(() -> new Amounts(-1, 0, 0, 0)).hasMessageContaining("-1.0 MHz");
    assertThatThrownBy(() -> new Cluster(List.of(), Amounts.NONE, 1, new Amounts(10, 0, 0, 0)))
        .hasMessageContaining("0.1 for 10 %");
  }
}
