package io.peerlens.sizing;

import static io.peerlens.sizing.Traces.because;
import static io.peerlens.sizing.Traces.known;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.sizing.OrphanedDisks.Disk;
import io.peerlens.sizing.OrphanedDisks.File;
import io.peerlens.sizing.PowerHistory.Change;
import io.peerlens.sizing.PowerHistory.State;
import java.util.ArrayList;
import java.util.Collections;
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

  private static File file(String path, double gb) {
    return new File(path, gb, NOW - 60 * DAY);
  }

  private static OrphanedDisks orphans(List<File> files, List<String> referred) {
    return known(OrphanedDisks.find(files, referred, OrphanedDisks.USUAL_EXCLUSIONS, NOW, 30));
  }

  @Test
  void aDiskIsAllItsFilesAndASnapshotOwnsTheBase() {
    OrphanedDisks it =
        orphans(
            List.of(
                file("[ds1] web1/web1.vmdk", 0),
                file("[ds1] web1/web1-flat.vmdk", 40),
                file("[ds1] web1/web1-000002.vmdk", 0),
                file("[ds1] web1/web1-000002-sesparse.vmdk", 5),
                file("[ds1] web1/web1_1.vmdk", 0),
                file("[ds1] web1/web1_1-flat.vmdk", 100),
                file("[ds1] web1/web1_1-ctk.vmdk", 0.1),
                file("[ds1] web1/vmware.log", 0.1),
                file("[ds2] web1/web1-flat.vmdk", 7)),
            List.of("[ds1] web1/web1-000002.vmdk"));
    assertThat(it.disks())
        .extracting(Disk::path)
        .containsExactly("[ds1] web1/web1_1", "[ds2] web1/web1");
    assertThat(it.disks().getFirst().files()).isEqualTo(3);
    assertThat(it.gb()).isCloseTo(107.1, within(1e-9));
    assertThat(it.disks().getFirst().reason()).contains("60 days", "another vCenter");
  }

  @Test
  void librariesReplicasAndYoungDisksAreNoOrphans() {
    OrphanedDisks it =
        orphans(
            List.of(
                file("[ds1] contentlib-6d1b/3fe2/image.vmdk", 10),
                file("[ds1] web1/hbrdisk.RDID-8f.vmdk", 10),
                file("[ds1] fcd/pvc-1.vmdk", 10),
                new File("[ds1] new/new.vmdk", 10, NOW - DAY)),
            List.of("[ds1] web1/web1.vmdk"));
    assertThat(it.disks()).isEmpty();
    assertThat(it.excluded()).isEqualTo(3);
    assertThat(it.young()).isEqualTo(1);
  }

  @Test
  void withoutMachinesNoDiskIsJudged() {
    assertThat(
            because(
                OrphanedDisks.find(
                    List.of(file("[ds1] a/a.vmdk", 1)), List.of(), List.of(), NOW, 30)))
        .contains("every disk would look like nobody's");
  }

  @Test
  void hostilePatternsAndNamesEndSoon() {
    String name = String.join("", Collections.nCopies(2000, "a"));
    String pattern = String.join("", Collections.nCopies(500, "*a")) + "b";
    assertThat(OrphanedDisks.matches(pattern, name)).isFalse();
    assertThat(OrphanedDisks.matches("*/hbr*", "web1/hbrdisk")).isTrue();
    assertThat(OrphanedDisks.matches("", "a")).isFalse();
    List<File> files = new ArrayList<>();
    files.add(file("[ds] a/" + String.join("", Collections.nCopies(3000, "-000001")) + ".vmd", 1));
    assertThat(orphans(files, List.of("[ds] b/b.vmdk")).disks()).isEmpty();
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
            null);
    assertThat(it).isEqualTo(new Reclaimable(4, 16, 70, 60, 9, Double.NaN));
  }
}
