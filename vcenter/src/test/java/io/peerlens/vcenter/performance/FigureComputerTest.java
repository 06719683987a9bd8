package io.peerlens.vcenter.performance;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.vcenter.performance.Figure.OfParts;
import io.peerlens.vcenter.performance.Figure.Window;
import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.PerfBlock;
import io.peerlens.vcenter.vim.PerfCounter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FigureComputerTest {

  private static final Moref VM = new Moref("VirtualMachine", "vm-1");
  private static final Moref HOST = new Moref("HostSystem", "host-1");
  private static final Moref CLUSTER = new Moref("ClusterComputeResource", "domain-c1");
  private static final long START = 1_800_000_000_000L; // a whole five minutes

  private final List<PerfCounter> counters = new ArrayList<>();

  private int counter(String name) {
    String[] parts = name.split("\\.");
    for (PerfCounter counter : counters) {
      if (counter.fullName().equals(name)) {
        return counter.id();
      }
    }
    boolean percent = name.contains("usage.average") && name.startsWith("cpu");
    counters.add(
        new PerfCounter(
            counters.size() + 1,
            parts[0],
            parts[1],
            parts[2],
            percent || name.contains("latency") ? "percent" : "number",
            1));
    return counters.size();
  }

  private PerfBlock.Series series(String counter, String instance, long... values) {
    return new PerfBlock.Series(counter(counter), instance, values);
  }

  private static long[] times(int moments) {
    return LongStream.rangeClosed(1, moments).map(i -> START + i * 20_000).toArray();
  }

  private static PerfEntity machine(String id) {
    return new PerfEntity(
        new Moref("VirtualMachine", id), List.of(HOST, CLUSTER), 4, 2000, 8 * 1024 * 1024);
  }

  /** Values by measurement, instance and field, of the last moment of each. */
  private Map<String, Double> told(PerfBlock block, String measurement) {
    String text =
        new String(
            new PerfLines("vc", counters).of(block, measurement, 20, 0), StandardCharsets.UTF_8);
    Map<String, Double> told = new TreeMap<>();
    for (String line : text.lines().toList()) {
      String[] parts = line.split(" ");
      String group = parts[0].substring(("vcenter_" + measurement + "_").length());
      String instance = parts[0].contains("instance=") ? ":" + parts[0].split("instance=")[1] : "";
      for (String field : parts[1].split(",")) {
        told.put(
            group.substring(0, group.indexOf(',')) + instance + "|" + field.split("=")[0],
            Double.parseDouble(field.split("=")[1]));
      }
    }
    return told;
  }

  private Map<String, Double> of(PerfEntity entity, String measurement, PerfBlock.Series... all) {
    PerfBlock block = new PerfBlock(entity.moref(), times(1), List.of(all));
    return told(new FigureComputer(counters).with(block, entity, 20, 0), measurement);
  }

  @Test
  void readyIsAShareOfTheTimeOfAllVcpus() {
    // 4 vCPUs have 80 s in 20 s
    assertThat(of(machine("vm-1"), "vm", series("cpu.ready.summation", "", 4000)))
        .containsEntry("cpu|readyPct", 5.0);
  }

  @Test
  void aMachineOfUnknownSizeHasNoShares() {
    assertThat(of(PerfEntity.of(VM), "vm", series("cpu.ready.summation", "", 4000)))
        .containsEntry("cpu|ready_summation", 4000.0)
        .doesNotContainKey("cpu|readyPct");
  }

  @Test
  void aBalloonIsAShareOfTheConfiguredMemory() {
    assertThat(of(machine("vm-1"), "vm", series("mem.vmmemctl.average", "", 2 * 1024 * 1024)))
        .containsEntry("mem|balloonPct", 25.0);
  }

  @Test
  void droppedPacketsAreAShareOfAll() {
    assertThat(
            of(
                machine("vm-1"),
                "vm",
                series("net.packetsRx.summation", "", 900),
                series("net.packetsTx.summation", "", 80),
                series("net.droppedRx.summation", "", 20),
                series("net.droppedTx.summation", "", 0)))
        .containsEntry("net|droppedPct", 2.0)
        .containsEntry("net|packetsPerSec", 49.0);
  }

  @Test
  void aHundredthIsKept() {
    assertThat(of(machine("vm-1"), "vm", series("cpu.latency.average", "", 123)))
        .containsEntry("cpu|capacity_contentionPct", 1.23)
        .containsEntry("cpu|latency_average", 1.23);
  }

  @Test
  void latenciesOfDisksAreWeightedByTheirCommands() {
    assertThat(
            of(
                machine("vm-1"),
                "vm",
                series("virtualDisk.numberReadAveraged.average", "scsi0:0", 90),
                series("virtualDisk.numberReadAveraged.average", "scsi0:1", 10),
                series("virtualDisk.numberWriteAveraged.average", "scsi0:0", 0),
                series("virtualDisk.numberWriteAveraged.average", "scsi0:1", 100),
                series("virtualDisk.totalReadLatency.average", "scsi0:0", 1),
                series("virtualDisk.totalReadLatency.average", "scsi0:1", 11),
                series("virtualDisk.totalWriteLatency.average", "scsi0:0", 5),
                series("virtualDisk.totalWriteLatency.average", "scsi0:1", 6)))
        .containsEntry("virtualDisk|totalReadLatency_average", 2.0)
        .containsEntry("virtualDisk|numberReadAveraged_average", 100.0)
        .containsEntry("virtualDisk|commandsAveraged_average", 200.0)
        .containsEntry("virtualDisk:scsi0:1|commandsAveraged_average", 110.0)
        .containsEntry("virtualDisk|totalLatency", 4.0)
        .containsEntry("virtualDisk:scsi0:0|totalLatency", 1.0)
        .containsEntry("virtualDisk|peak_vDisk_readLatency", 11.0);
  }

  @Test
  void whatVCenterTellsItselfIsNotComputed() {
    assertThat(
            of(
                machine("vm-1"),
                "vm",
                series("virtualDisk.read.average", "", 7),
                series("virtualDisk.read.average", "scsi0:0", 5)))
        .containsEntry("virtualDisk|read_average", 7.0);
  }

  @Test
  void aPeakIsToldAtTheEndOfFiveMinutes() {
    long[] ready = new long[16];
    ready[3] = 8000;
    PerfBlock block =
        new PerfBlock(VM, times(16), List.of(series("cpu.ready.summation", "", ready)));
    PerfBlock with = new FigureComputer(counters).with(block, machine("vm-1"), 20, 0);
    assertThat(told(with, "vm")).containsEntry("cpu|20_sec_peak_readyPct", 10.0);
  }

  @Test
  void aPeakOfWhichALotIsUnknownIsNotTold() {
    PerfBlock block =
        new PerfBlock(VM, times(15), List.of(series("cpu.ready.summation", "", new long[15])));
    FigureComputer computer = new FigureComputer(counters);
    // Somebody told the first five samples before.
    assertThat(told(computer.with(block, machine("vm-1"), 20, START + 100_000), "vm"))
        .doesNotContainKey("cpu|20_sec_peak_readyPct");
  }

  @Test
  void aSumOverFiveMinutesGoesOnFromBlockToBlock() {
    FigureComputer computer = new FigureComputer(List.of());
    Map<String, Double> told = Map.of();
    for (int i = 1; i <= 15; i++) {
      PerfBlock block =
          new PerfBlock(
              VM,
              new long[] {START + i * 20_000},
              List.of(series("net.droppedTx.summation", "", 2)));
      if (i == 1) {
        computer = new FigureComputer(counters);
      }
      told = told(computer.with(block, machine("vm-1"), 20, START + (i - 1) * 20_000), "vm");
    }
    assertThat(told).containsEntry("net|droppedTx_summation_sum", 30.0);
  }

  private PerfBlock ready(String id, long... values) {
    return new PerfBlock(
        new Moref("VirtualMachine", id),
        times(values.length),
        List.of(series("cpu.ready.summation", "", values)));
  }

  @Test
  void aHostTellsTheHighestOfItsMachinesAndHowManyAreAbove() {
    PerfBlock first = ready("vm-1", 4000);
    FigureComputer computer = new FigureComputer(counters);
    computer.with(first, machine("vm-1"), 20, 0);
    computer.with(ready("vm-2", 0), machine("vm-2"), 20, 0);
    List<PerfBlock> blocks = computer.ofHolders(List.of(machine("vm-1"), machine("vm-2")));
    assertThat(blocks).extracting(PerfBlock::entity).containsExactlyInAnyOrder(HOST, CLUSTER);
    assertThat(told(blocks.getFirst(), "host"))
        .containsEntry("cpu|max_cpu_ready", 5.0)
        .containsEntry("cpu|percentage_of_vms_facing_cpu_ready", 50.0);
  }

  @Test
  void aHostWaitsAMinuteForAMachineThatIsLate() {
    PerfBlock first = ready("vm-1", 4000, 4000);
    FigureComputer computer = new FigureComputer(counters);
    List<PerfEntity> both = List.of(machine("vm-1"), machine("vm-2"));
    computer.with(first, machine("vm-1"), 20, 0);
    computer.with(ready("vm-2", 0), machine("vm-2"), 20, 0);
    assertThat(computer.ofHolders(both))
        .allSatisfy(block -> assertThat(block.times()).containsExactly(START + 20_000));
    assertThat(computer.ofHolders(both)).isEmpty();
    long[] later = {START + 120_000};
    computer.with(
        new PerfBlock(
            new Moref("VirtualMachine", "vm-1"),
            later,
            List.of(series("cpu.ready.summation", "", 0))),
        machine("vm-1"),
        20,
        0);
    assertThat(computer.ofHolders(both))
        .isNotEmpty()
        .allSatisfy(block -> assertThat(block.times()).containsExactly(START + 40_000));
  }

  @Test
  void aClusterAddsUpItsHosts() {
    PerfEntity one = new PerfEntity(HOST, List.of(CLUSTER), 10, 1000, 1);
    PerfEntity other =
        new PerfEntity(new Moref("HostSystem", "host-2"), one.holders(), 30, 1000, 1);
    PerfBlock first =
        new PerfBlock(
            HOST,
            times(1),
            List.of(series("net.usage.average", "", 100), series("cpu.usage.average", "", 8000)));
    PerfBlock second =
        new PerfBlock(
            other.moref(),
            times(1),
            List.of(series("net.usage.average", "", 50), series("cpu.usage.average", "", 4000)));
    FigureComputer computer = new FigureComputer(counters);
    computer.with(first, one, 20, 0);
    computer.with(second, other, 20, 0);
    assertThat(told(computer.ofHolders(List.of(one, other)).getFirst(), "cluster"))
        .containsEntry("net|usage_average", 150.0)
        .containsEntry("cpu|capacity_usagepct_average", 50.0); // (10 × 80 + 30 × 40) ÷ 40
  }

  @Test
  void everyFigureHasWhatItNeeds() {
    // What a figure of five minutes or of parts is computed from is a counter or a figure before
    // it.
    for (Figure figure : Figures.all()) {
      String type = figure.type();
      switch (figure.rule()) {
        case Window window ->
            assertThat(known(type, figure, window.of())).as(figure.key()).isTrue();
        case OfParts parts -> {
          assertThat(known(parts.part(), null, parts.of())).as(figure.key()).isTrue();
          parts.weights().forEach(w -> assertThat(known(parts.part(), null, w)).as(w).isTrue());
        }
        case Figure.Own own -> assertThat(own.words()).isNotBlank();
      }
    }
  }

  private static boolean known(String type, Figure before, String key) {
    for (Figure figure : Figures.all()) {
      if (figure.equals(before)) {
        break;
      }
      if (figure.type().equals(type) && figure.key().equals(key)) {
        return true;
      }
    }
    return CounterSet.shipped().of(List.of(counterOf(key))).stream()
        .anyMatch(chosen -> chosen.type().equals(type));
  }

  private static PerfCounter counterOf(String key) {
    int bar = key.indexOf('|');
    int end = key.lastIndexOf('_');
    return new PerfCounter(
        1,
        key.substring(0, bar),
        key.substring(bar + 1, Math.max(end, bar + 1)).replace('_', '.'),
        key.substring(end + 1),
        "",
        1);
  }
}
