package io.peerlens.slow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlowJudgeTest {

  private static final int STEPS = 72;
  private static final int BEGAN = 60;

  private static double[] series(double before, double during) {
    double[] values = new double[STEPS];
    Arrays.setAll(values, i -> (i < BEGAN ? before : during) * (1 + 0.03 * Math.sin(i * 1.7)));
    return values;
  }

  private static Track track(Signal signal, String name, double before, double during) {
    return new Track(
        signal, new Origin(1, "key", "", name), series(before, during), null, "", List.of());
  }

  private static Neighbour neighbour(int id, double iops, double mhz) {
    return new Neighbour(id, "vm-" + id, true, true, series(300, iops), series(1_000, mhz));
  }

  private static Diagnosis judge(Neighbour... neighbours) {
    return SlowJudge.judge(
        new Evidence(
            "etl-02",
            300,
            STEPS,
            2,
            false,
            List.of(
                track(Signal.READ_LATENCY, "", 3, 16),
                track(Signal.IOPS, "", 100, 100),
                track(Signal.CPU_WAIT, "", 0.5, 20),
                track(Signal.CPU_USAGE, "", 30, 30),
                track(Signal.DEVICE_LATENCY, "ds-1", 2.5, 15),
                track(Signal.DEVICE_IOPS, "ds-1", 1_000, 5_000),
                track(Signal.KERNEL_LATENCY, "", 0.1, 0.1),
                track(Signal.HOST_CPU, "", 50, 97),
                track(Signal.PACKET_LOSS, "", 0, 0)),
            List.of(neighbours),
            List.of(),
            true,
            List.of()));
  }

  @Test
  void aNeighbourThatTakesDisksAndCpuIsNamedOnceWithBothFigures() {
    Diagnosis found =
        judge(neighbour(2, 4_300, 15_000), neighbour(3, 300, 1_000), neighbour(4, 300, 1_000));
    assertThat(found.findings())
        .extracting(Finding::cause)
        .containsExactly(Cause.NOISY_NEIGHBOUR, Cause.NOISY_NEIGHBOUR);
    assertThat(found.title()).isEqualTo("vm-2 asks for much more than before.");
    assertThat(found.text().split("vm-2 asks for much more", -1)).hasSize(2);
    assertThat(found.text())
        .contains("operations a second (before 300")
        .contains(" and takes ")
        .contains("MHz (before 1,0")
        .contains("ds-1, device latency is ")
        .contains(", and the host's CPU is at 9");
    assertThat(found.bands())
        .filteredOn(one -> one.verdict() == Verdict.HERE)
        .extracting(BandVerdict::band)
        .containsExactly(Band.CLUSTER, Band.HOST);
  }

  @Test
  void twoNeighboursAreNamedEach() {
    Diagnosis found =
        judge(neighbour(2, 4_300, 1_000), neighbour(3, 300, 15_000), neighbour(4, 300, 1_000));
    assertThat(found.text())
        .contains("vm-2 asks for much more than before.", "vm-3 asks for much more than before.");
  }

  @Test
  void withoutAnyDataThereIsNoVerdictAndEachCollectorIsNamedOnce() {
    String collector = "a vCenter under Sources";
    Diagnosis found =
        SlowJudge.judge(
            new Evidence(
                "etl-02",
                300,
                STEPS,
                2,
                false,
                List.of(),
                List.of(),
                List.of(),
                false,
                List.of(
                    new Missing(Band.HOST, "kernel latency", collector, true),
                    new Missing(Band.GUEST, "disk latency", collector, true),
                    new Missing(Band.GUEST, "IOPS limits", collector, true),
                    new Missing(Band.GUEST, "CPU ready", "Telegraf", false))));
    assertThat(found.state()).isEqualTo(State.NO_DATA);
    assertThat(found.text())
        .isEqualTo(
            "Whether etl-02 is slow is not known: nothing of it is measured. "
                + "Not known: guest (disk latency, IOPS limits), host (kernel latency).");
    assertThat(found.bands()).extracting(BandVerdict::verdict).containsOnly(Verdict.NO_DATA);
    assertThat(found.bands().getFirst().reason())
        .isEqualTo(
            "Disk latency and IOPS limits: no data; a vCenter under Sources sends them. "
                + "CPU ready: no data; Telegraf sends it.");
    assertThat(found.bands().getLast().reason()).contains("its source may have stopped");
  }

  /** Without a learned band, a delay that fills the hours before is what is usual. */
  @Test
  void aLimitThatHasHeldItBackForLongIsTold() {
    double[] unknown = new double[STEPS];
    Arrays.fill(unknown, Double.NaN);
    Diagnosis found =
        SlowJudge.judge(
            new Evidence(
                "etl-02",
                300,
                STEPS,
                2,
                false,
                List.of(track(Signal.READ_LATENCY, "", 20, 20)),
                List.of(),
                List.of(
                    new DiskLimit(
                        "Hard disk 1",
                        "",
                        null,
                        400,
                        series(400, 400),
                        series(400, 400),
                        unknown,
                        series(20, 20),
                        unknown)),
                true,
                List.of()));
    assertThat(found.state()).isEqualTo(State.NOT_SLOW);
    assertThat(found.text())
        .startsWith("etl-02 is as usual. Its IOPS limit holds it back all the same: Hard disk 1")
        .contains("of 400 normalised IOPS.");
  }
}
