package io.peerlens.sizing;

import static io.peerlens.sizing.Traces.because;
import static io.peerlens.sizing.Traces.known;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.sizing.OrphanedDisks.Disk;
import io.peerlens.sizing.OrphanedDisks.Unreferenced;
import io.peerlens.sizing.PowerHistory.Change;
import io.peerlens.sizing.PowerHistory.State;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReclaimTest {

  private static final long DAY = 86_400;
  private static final long NOW = 1_790_000_000;

  private static PowerHistory history(Change... changes) {
    return new PowerHistory(NOW - 100 * DAY, List.of(changes));
  }

  private static PoweredOff off(PowerHistory history) {
    return known(PoweredOff.of(history, NOW, 200, 80, 30));
  }

  @Test
  void aMachineThatIsOffForLongEnoughGivesItsDisksBack() {
    PoweredOff it =
        off(
            history(
                new Change(NOW - 100 * DAY, State.ON),
                new Change(NOW - 45 * DAY, State.OFF),
                new Change(NOW - 20 * DAY, State.OFF)));
    assertThat(it.reclaim()).isTrue();
    assertThat(it.days()).isEqualTo(45);
    assertThat(it.atLeast()).isFalse();
    assertThat(it.givesBackGb()).isEqualTo(80);
    assertThat(it.reason())
        .isEqualTo("It is off for 45 days: 80 GB come back of 200 GB provisioned.");
  }

  @Test
  void beingOnInBetweenStartsTheDaysAgain() {
    PoweredOff it =
        off(
            history(
                new Change(NOW - 90 * DAY, State.OFF),
                new Change(NOW - 21 * DAY, State.ON),
                new Change(NOW - 20 * DAY, State.OFF)));
    assertThat(it.reclaim()).isFalse();
    assertThat(it.days()).isEqualTo(20);
    assertThat(it.reason()).contains("20 days of 30");
  }

  @Test
  void aMachineThatWasOffBeforeAnybodyLookedIsOffForAtLeastSoLong() {
    PoweredOff it = off(history(new Change(NOW - 100 * DAY, State.OFF)));
    assertThat(it.atLeast()).isTrue();
    assertThat(it.reason()).startsWith("It is off for at least 100 days");
  }

  @Test
  void runningAndSuspendedMachinesAreNotOff() {
    assertThat(off(history(new Change(NOW - 90 * DAY, State.ON))).reclaim()).isFalse();
    PoweredOff suspended = off(history(new Change(NOW - 90 * DAY, State.SUSPENDED)));
    assertThat(suspended.reclaim()).isFalse();
    assertThat(suspended.reason()).contains("suspended");
  }

  @Test
  void aStateThatWasNeverToldIsNotKnown() {
    assertThat(because(PoweredOff.of(history(), NOW, 1, 1, 30))).contains("never told");
    assertThatThrownBy(() -> history(new Change(5, State.ON), new Change(4, State.OFF)))
        .hasMessageContaining("older than the one before");
    assertThat(
            known(
                    PoweredOff.of(
                        history(new Change(NOW - 40 * DAY, State.OFF)),
                        NOW,
                        Double.NaN,
                        Double.NaN,
                        30))
                .reason())
        .contains("not known, because its disks were not read");
  }

  @Test
  void aColumnOfPowerStatesIsAHistory() {
    double[] on =
        Traces.trace(at -> at.getDayOfMonth() < 8 ? 1 : at.getDayOfMonth() < 10 ? Double.NaN : 0);
    PowerHistory history = PowerHistory.of(Traces.GRID, on);
    assertThat(history.changes())
        .containsExactly(
            new Change(Traces.MONDAY, State.ON), new Change(Traces.MONDAY + 9 * DAY, State.OFF));
  }

  @Test
  void aSnapshotHasAgeSizeAndGrowth() {
    long[] times = new long[20];
    double[] sizes = new double[20];
    for (int i = 0; i < 20; i++) {
      times[i] = NOW - (20 - i) * DAY;
      sizes[i] = 10 + 3 * i;
    }
    // A consolidation that failed half way.
    sizes[7] = 1;
    Snapshot it = Snapshot.of("before patch", NOW - 20 * DAY, NOW, times, sizes, 7, 50);
    assertThat(it.days()).isEqualTo(20);
    assertThat(it.gb()).isEqualTo(67);
    assertThat(it.gbPerDay()).isCloseTo(3, within(1e-9));
    assertThat(it.old()).isTrue();
    assertThat(it.large()).isTrue();
    assertThat(it.reason())
        .isEqualTo(
            "It is old and large: 20 days, 67 GB, growing by 3 GB a day (VMware advises 3 days at"
                + " most).");
    Snapshot young = Snapshot.of("x", NOW - DAY, NOW, new long[0], new double[0], 7, 50);
    assertThat(young.old()).isFalse();
    assertThat(young.gb()).isNaN();
    assertThat(young.gbPerDay()).isNaN();
    assertThat(young.reason()).contains("its size is not known");
    assertThatThrownBy(
            () -> Snapshot.of("x", NOW + 9 * DAY, NOW, new long[0], new double[0], 7, 50))
        .hasMessageContaining("in the future");
  }

  private static Unreferenced disk(String path, double gb, long days) {
    return new Unreferenced(path, 2, gb, NOW - days * DAY, "");
  }

  @Test
  void aDiskIsOrphanedWhenItHasNotChangedForLong() {
    OrphanedDisks it =
        OrphanedDisks.of(
            List.of(
                disk("a/a", 40, 60),
                disk("b/b", 100, 60),
                disk("c/c", 10, 29),
                disk("d/d", Double.NaN, 60),
                new Unreferenced("e/e", 1, 5, -1, "")),
            NOW,
            30);
    assertThat(it.disks()).extracting(Disk::path).containsExactly("b/b", "a/a", "d/d");
    assertThat(it.gb()).isEqualTo(140);
    assertThat(it.young()).isEqualTo(2);
    assertThat(it.disks().getFirst().reason())
        .isEqualTo(
            "No machine that is known refers to it, and it has not changed for 60 days."
                + " Look whether something else uses it before it is deleted.");
    assertThat(it.disks().getLast().reason()).contains("Its size is not known.");
  }

  @Test
  void aMachineBesideADiskIsNamed() {
    OrphanedDisks it =
        OrphanedDisks.of(
            List.of(new Unreferenced("old/old", 3, 9, NOW - 90 * DAY, "old.vmx")), NOW, 30);
    assertThat(it.disks().getFirst().reason())
        .contains("Beside it lies old.vmx of a machine that is not registered.");
  }

  @Test
  void eachMachineCountsOnceAsWhatIsEasiestToGiveBack() {
    VmSize size = VmSize.of(4, 2500, 16);
    PoweredOff isOff = new PoweredOff(true, 40, false, 100, 60, "");
    Idle idle = new Idle(true, false, 1, 0, 28, List.of(), "");
    Snapshot old = new Snapshot("s", 20, 9, 0, true, false, "");
    Snapshot young = new Snapshot("t", 2, 5, 0, false, false, "");
    Reclaimable it =
        Reclaimable.of(
            List.of(
                new Reclaimable.Vm(size, 60, isOff, null, List.of(old)),
                new Reclaimable.Vm(size, 70, null, idle, List.of(old)),
                new Reclaimable.Vm(size, 80, null, null, List.of(old, young))),
            12);
    assertThat(it).isEqualTo(new Reclaimable(4, 16, 70, 60, 9, 12));
  }
}
