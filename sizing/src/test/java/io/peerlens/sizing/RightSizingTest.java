package io.peerlens.sizing;

import static io.peerlens.sizing.Traces.GRID;
import static io.peerlens.sizing.Traces.all;
import static io.peerlens.sizing.Traces.atWork;
import static io.peerlens.sizing.Traces.because;
import static io.peerlens.sizing.Traces.known;
import static io.peerlens.sizing.Traces.trace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.sizing.Recommendation.Kind;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RightSizingTest {

  private static final double MHZ = 2500;
  private static final VmSize EIGHT = VmSize.of(8, MHZ, 32);
  private static final Numa NODE = new Numa(16, 2, 256);

  private static Recommendation cpu(VmSize vm, double[] vcpus) {
    return cpu(vm, vcpus, Map.of());
  }

  private static Recommendation cpu(VmSize vm, double[] vcpus, Map<Sign, double[]> signs) {
    double[] mhz = Arrays.stream(vcpus).map(value -> value * MHZ).toArray();
    return known(RightSizing.cpu(GRID, vm, mhz, signs, NODE, SizingRule.USUAL));
  }

  private static Recommendation memory(VmSize vm, double[] gb) {
    return known(RightSizing.memory(GRID, vm, gb, Map.of(), NODE, SizingRule.USUAL));
  }

  @Test
  void aMachineThatWorksInBusinessHoursGetsWhatItNeedsThere() {
    Recommendation it = cpu(EIGHT, trace(at -> atWork(at) ? 3 : 0.3));
    assertThat(it.kind()).isEqualTo(Kind.OVERSIZED);
    assertThat(it.size()).isEqualTo(4);
    assertThat(it.least()).isEqualTo(4);
    assertThat(it.most()).isEqualTo(4);
    assertThat(it.p95()).isCloseTo(3, within(1e-9));
    assertThat(it.regret()).isZero();
    double used = (50 * 3 + 118 * 0.3) / 168;
    assertThat(it.waste()).isCloseTo(1 - used / 4, within(1e-9));
    assertThat(it.wasteNow()).isCloseTo(1 - used / 8, within(1e-9));
    assertThat(it.headroom()).isCloseTo(1.0 / 3, within(1e-9));
    assertThat(it.givesBack()).isEqualTo(4);
    assertThat(it.restart()).isTrue();
    assertThat(it.reason()).contains("4 of 8 vCPUs are enough", "0 h a week");
  }

  @Test
  void aSizeThatWouldBeFullIsNotRecommended() {
    assertThat(cpu(EIGHT, all(2)).size()).isEqualTo(4);
    assertThat(cpu(EIGHT, all(1.8)).size()).isEqualTo(2);
    assertThat(memory(EIGHT, all(6)).size()).isEqualTo(7);
  }

  @Test
  void anHourOfWorkEachNightIsNotForgotten() {
    Recommendation it = cpu(EIGHT, trace(at -> at.getHour() == 3 ? 5 : 0.5));
    assertThat(it.size()).isEqualTo(6);
    assertThat(it.p99()).isEqualTo(0.5);
    assertThat(it.regret()).isZero();
  }

  @Test
  void aBurstOfFiveMinutesInAMonthIsNotPaidForAllDay() {
    double[] vcpus = all(1);
    vcpus[1234] = 8;
    Recommendation it = cpu(EIGHT, vcpus);
    assertThat(it.size()).isEqualTo(2);
    assertThat(it.regret()).isCloseTo(168.0 / vcpus.length, within(1e-9));
    assertThat(it.regretNow()).isZero();
  }

  @Test
  void aSizeThatHangsOnASingleDayHasAWideInterval() {
    double[] vcpus = new double[GRID.length()];
    for (int i = 0; i < vcpus.length; i++) {
      vcpus[i] = GRID.day(i) == 9 ? 7 : 3;
    }
    Recommendation it = cpu(VmSize.of(16, MHZ, 32), vcpus);
    assertThat(it.size()).isEqualTo(8);
    // A third of the drawn months are without that day.
    assertThat(it.least()).isEqualTo(4);
    assertThat(it.most()).isEqualTo(8);
    assertThat(cpu(VmSize.of(16, MHZ, 32), vcpus)).isEqualTo(it);
  }

  @Test
  void aFullMachineIsUndersizedAndGrowsByAStep() {
    Recommendation it = cpu(VmSize.of(4, MHZ, 8), trace(at -> at.getHour() == 10 ? 4 : 1));
    assertThat(it.kind()).isEqualTo(Kind.UNDERSIZED);
    assertThat(it.size()).isEqualTo(6);
    assertThat(it.restart()).isTrue();
    assertThat(it.reason()).contains("95 % of 4 vCPUs or more for 7 h a week", "cannot be seen");
    VmSize hotAdd = new VmSize(4, MHZ, 8, 0, 0, 0, true, true);
    assertThat(cpu(hotAdd, all(3.9)).restart()).isFalse();
  }

  @Test
  void aMachineAsLargeAsItsHostStays() {
    double[] mhz = all(31.5 * MHZ);
    Recommendation it =
        known(RightSizing.cpu(GRID, VmSize.of(32, MHZ, 8), mhz, Map.of(), NODE, SizingRule.USUAL));
    assertThat(it.kind()).isEqualTo(Kind.FITS);
    assertThat(it.reason()).contains("no larger size");
  }

  @Test
  void aMachineThatWaitsForItsHostGetsNoLarger() {
    Recommendation it =
        cpu(VmSize.of(4, MHZ, 8), all(2.5), Map.of(Sign.READY, trace(at -> atWork(at) ? 12 : 0)));
    assertThat(it.kind()).isEqualTo(Kind.FITS);
    assertThat(it.proof()).hasSize(1);
    assertThat(it.proof().getFirst().hoursPerWeek()).isCloseTo(50, within(1e-9));
    assertThat(it.reason()).contains("ready time of 5 % of a vCPU or more for 50 h", "the host");
  }

  @Test
  void theOneWithProofComesFirstThenTheFullOneThenWhatGivesBackMost() {
    Recommendation proven = cpu(VmSize.of(2, MHZ, 8), all(1.95), Map.of(Sign.CO_STOP, all(4)));
    Recommendation full = cpu(VmSize.of(4, MHZ, 8), all(3.95));
    Recommendation much = cpu(VmSize.of(16, MHZ, 8), all(1));
    Recommendation little = memory(VmSize.of(2, MHZ, 8), all(4));
    Recommendation fits = cpu(VmSize.of(4, MHZ, 8), all(3));
    List<Recommendation> list = new ArrayList<>(List.of(fits, little, much, full, proven));
    list.sort(Recommendation.FIRST);
    assertThat(list).containsExactly(proven, full, much, little, fits);
  }

  @Test
  void aMachineThatItsOwnLimitStopsIsNotSized() {
    VmSize limited = new VmSize(4, MHZ, 8, 2 * MHZ, 0, 0, false, false);
    double[] mhz = trace(at -> atWork(at) ? 1.98 * MHZ : 100);
    assertThat(
            because(
                RightSizing.cpu(
                    GRID, limited, mhz, Map.of(Sign.READY, all(20)), NODE, SizingRule.USUAL)))
        .isEqualTo(
            "Its own limit of 5000 MHz stops it for 50 h a week, so what it needs cannot be seen:"
                + " raise the limit first.");
    assertThat(cpu(limited, all(0.5)).size()).isEqualTo(2);
  }

  @Test
  void noToolsMeansNoMemoryAdvice() {
    String none = because(RightSizing.memory(GRID, EIGHT, null, Map.of(), NODE, SizingRule.USUAL));
    assertThat(none).startsWith("No Tools");
    assertThat(
            because(
                RightSizing.memory(GRID, EIGHT, all(Double.NaN), Map.of(), NODE, SizingRule.USUAL)))
        .isEqualTo(none);
  }

  @Test
  void ballooningIsProofThatMemoryIsShort() {
    Recommendation it =
        known(
            RightSizing.memory(
                GRID,
                VmSize.of(2, MHZ, 8),
                all(7.5),
                Map.of(Sign.BALLOONED, all(300), Sign.READY, all(50)),
                NODE,
                SizingRule.USUAL));
    assertThat(it.kind()).isEqualTo(Kind.UNDERSIZED);
    assertThat(it.size()).isEqualTo(10);
    assertThat(it.proof()).extracting(Evidence::sign).containsExactly(Sign.BALLOONED);
  }

  @Test
  void aChangeThatIsHardlyOneIsNotRecommended() {
    assertThat(memory(VmSize.of(2, MHZ, 31.1), all(26)).kind()).isEqualTo(Kind.FITS);
    assertThat(memory(VmSize.of(2, MHZ, 31.1), all(23)).size()).isEqualTo(26);
  }

  @Test
  void memoryAboveANodeIsSaid() {
    Recommendation it =
        known(
            RightSizing.memory(
                GRID, VmSize.of(2, MHZ, 512), all(300), Map.of(), NODE, SizingRule.USUAL));
    assertThat(it.size()).isEqualTo(336);
    assertThat(it.reason()).contains("more than a NUMA node has (256 GB)");
  }

  @Test
  void twoWeeksAreNeeded() {
    Grid ten = Traces.grid(10);
    double[] mhz = trace(ten, at -> 100);
    assertThat(because(RightSizing.cpu(ten, EIGHT, mhz, Map.of(), NODE, SizingRule.USUAL)))
        .contains("10 days of the 14");
  }

  @Test
  void theMinimumTheReservationAndASingleVcpuAreKept() {
    assertThat(cpu(EIGHT, all(0.01)).size()).isEqualTo(2);
    assertThat(cpu(VmSize.of(1, MHZ, 4), all(0.01)).kind()).isEqualTo(Kind.FITS);
    assertThat(cpu(new VmSize(8, MHZ, 32, 0, 5 * MHZ, 0, false, false), all(0.1)).size())
        .isEqualTo(6);
    assertThat(memory(new VmSize(8, MHZ, 32, 0, 0, 20, false, false), all(1)).size()).isEqualTo(20);
    assertThat(memory(EIGHT, all(0)).size()).isEqualTo(2);
  }

  @Test
  void growthThatIsCertainIsAdded() {
    double[] growing = new double[GRID.length()];
    Random random = new Random(5);
    double[] steady = new double[GRID.length()];
    for (int i = 0; i < growing.length; i++) {
      double noise = 0.1 * random.nextDouble();
      growing[i] = 1 + 0.09 * GRID.day(i) + noise;
      steady[i] = 1 + 0.09 * 27 + noise;
    }
    Recommendation it = cpu(VmSize.of(16, MHZ, 32), growing);
    assertThat(it.growthPerDay()).isCloseTo(0.09, within(0.005));
    assertThat(cpu(VmSize.of(16, MHZ, 32), steady).growthPerDay()).isZero();
    // 3.5 by now and 2.7 in the next 30 days.
    assertThat(it.size()).isEqualTo(8);
    assertThat(cpu(VmSize.of(16, MHZ, 32), steady).size()).isEqualTo(4);
  }

  @Test
  void missingValuesAreNeitherZeroNorDemand() {
    double[] vcpus =
        trace(at -> at.getDayOfWeek() == DayOfWeek.SUNDAY ? Double.NaN : atWork(at) ? 3 : 0.3);
    Recommendation it = cpu(EIGHT, vcpus);
    assertThat(it.size()).isEqualTo(4);
    double used = (50 * 3 + 94 * 0.3) / 144;
    assertThat(it.waste()).isCloseTo(1 - used / 4, within(1e-9));
  }

  @Test
  void badInputIsRefused() {
    assertThatThrownBy(() -> VmSize.of(0, MHZ, 4)).hasMessageContaining("0 vCPUs");
    assertThatThrownBy(() -> VmSize.of(2, Double.NaN, 4)).hasMessageContaining("above zero");
    assertThatThrownBy(() -> new SizingRule(-1, 1, 0, 30, 2, 2, 1))
        .hasMessageContaining("hourPrice is -1");
    assertThatThrownBy(
            () -> RightSizing.cpu(GRID, EIGHT, new double[1], Map.of(), NODE, SizingRule.USUAL))
        .hasMessageContaining("CPU demand has 1 values");
  }
}
