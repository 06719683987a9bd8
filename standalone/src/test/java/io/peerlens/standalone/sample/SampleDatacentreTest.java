package io.peerlens.standalone.sample;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.standalone.sample.Inventory.Cluster;
import io.peerlens.standalone.sample.Inventory.Host;
import io.peerlens.standalone.sample.Inventory.Vm;
import io.peerlens.standalone.sample.Physics.Moment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SampleDatacentreTest {

  /** A Saturday, 02:00 UTC. */
  private static final long FIRST_START = 1_795_226_400;

  private static final Pattern LINE =
      Pattern.compile(
          "[a-zA-Z_]+(,[a-zA-Z][a-zA-Z0-9]*=(?:[^ ,=\\\\]|\\\\[ ,=])+)+ [a-zA-Z_]+=(-?\\d+i|-?\\d+(\\.\\d+)?|\"[^\"]*\")"
              + "(,[a-zA-Z_]+=(-?\\d+i|-?\\d+(\\.\\d+)?|\"[^\"]*\"))* \\d{19}");

  private static final Pattern END_OF_SERIES = Pattern.compile("(?<!\\\\) ");

  private static String series(String line) {
    return END_OF_SERIES.split(line, 2)[0];
  }

  private final Inventory inventory = new Inventory(42);
  private final Script script = new Script(inventory, 42, FIRST_START);
  private final Physics physics = new Physics(inventory, script, 42);

  @Test
  void thereAreAsManyObjectsAsPromised() {
    assertThat(inventory.datacenters).hasSize(2);
    assertThat(inventory.clusters).hasSize(3);
    assertThat(inventory.hosts).hasSize(24);
    assertThat(inventory.vms).hasSize(300);
    Set<String> moids = new HashSet<>();
    inventory.vms.forEach(vm -> moids.add(vm.moid()));
    inventory.hosts.forEach(host -> moids.add(host.moid()));
    inventory.datastores.forEach(datastore -> moids.add(datastore.moid()));
    inventory.pools.forEach(pool -> moids.add(pool.moid()));
    assertThat(moids).hasSize(300 + 24 + inventory.datastores.size() + inventory.pools.size());
  }

  @Test
  void everyMomentFollowsFromTheSeedAlone() {
    String once = lines(new Inventory(42), 42, FIRST_START + 60);
    assertThat(lines(new Inventory(42), 42, FIRST_START + 60)).isEqualTo(once);
    assertThat(lines(new Inventory(43), 43, FIRST_START + 60)).isNotEqualTo(once);
  }

  @Test
  void everyLineIsLineProtocolAndNoSeriesComesTwice() {
    List<String> lines = lines(inventory, 42, FIRST_START).lines().toList();
    assertThat(lines).hasSizeGreaterThan(2_000).allMatch(line -> LINE.matcher(line).matches());
    assertThat(lines.stream().map(SampleDatacentreTest::series)).doesNotHaveDuplicates();
    assertThat(
            new TreeSet<>(
                lines.stream().map(line -> line.substring(0, line.indexOf(','))).toList()))
        .contains(
            "vsphere_vm_cpu",
            "vsphere_vm_mem",
            "vsphere_vm_net",
            "vsphere_vm_disk",
            "vsphere_vm_virtualDisk",
            "vsphere_vm_datastore",
            "vsphere_vm_sys",
            "vsphere_host_cpu",
            "vsphere_cluster_cpu",
            "vsphere_vsan_performance_clusterdomclient",
            "vsphere_vsan_performance_hostdomclient",
            "vsphere_vsan_performance_diskgroup",
            "vsphere_vsan_performance_capacitydisk",
            "vsphere_vsan_performance_vsanpnicnet",
            "vsphere_datastore_disk",
            "vsphere_resourcepool_mem",
            "vsphere_datacenter_vmop");
  }

  @Test
  void tagsAreSortedAsTelegrafSortsThem() {
    lines(inventory, 42, FIRST_START)
        .lines()
        .forEach(
            line -> {
              String series = series(line);
              List<String> names =
                  Arrays.stream(series.split(",")).skip(1).map(tag -> tag.split("=")[0]).toList();
              assertThat(names).isSorted().contains("host", "moid", "source", "vcenter");
            });
  }

  @Test
  void aHostReportsTheSumOfItsMachines() {
    for (long time : moments()) {
      Moment m = physics.at(time);
      for (Host host : inventory.hosts) {
        double usage = 0;
        double consumed = 0;
        double received = 0;
        for (Vm vm : inventory.vms) {
          if (m.host[vm.index()].equals(host)) {
            usage += m.usageMhz[vm.index()];
            consumed += m.consumedKb[vm.index()];
            received += m.receivedKbs[vm.index()];
          }
        }
        int h = host.index();
        assertThat(m.hostUsageMhz[h]).isBetween(usage, usage * 1.02 + 701);
        assertThat(m.hostUsageMhz[h]).isLessThanOrEqualTo(Physics.HOST_MHZ);
        assertThat(m.hostConsumedKb[h]).isGreaterThan(consumed);
        assertThat(m.hostConsumedKb[h]).isLessThanOrEqualTo(Physics.HOST_MEMORY_KB);
        assertThat(m.hostReceivedKbs[h]).isCloseTo(received, within(0.001));
      }
    }
  }

  @Test
  void machinesStayWithinTheirSize() {
    for (long time : moments()) {
      Moment m = physics.at(time);
      for (Vm vm : inventory.vms) {
        int v = vm.index();
        assertThat(m.usageMhz[v]).isBetween(0.0, m.demandMhz[v] + 1e-9);
        assertThat(m.demandMhz[v]).isLessThanOrEqualTo(vm.capacityMhz());
        assertThat(m.consumedKb[v]).isBetween(0.0, (double) vm.memoryKb());
        assertThat(m.activeKb[v]).isLessThanOrEqualTo(vm.memoryKb());
        assertThat(m.readyPercent[v]).isBetween(0.0, 100.0);
      }
    }
  }

  @Test
  void machinesNeverLeaveTheirCluster() {
    for (long time : moments()) {
      Moment m = physics.at(time);
      for (Vm vm : inventory.vms) {
        assertThat(m.host[vm.index()].cluster()).isEqualTo(vm.home().cluster());
      }
    }
  }

  @Test
  void someMachineMovesWithinADay() {
    Set<String> moved = new HashSet<>();
    for (long time = FIRST_START - 2 * 86_400; time < FIRST_START - 86_400; time += 900) {
      Host[] hosts = script.placement(time);
      for (Vm vm : inventory.vms) {
        if (!hosts[vm.index()].equals(vm.home())) {
          moved.add(vm.name());
        }
      }
    }
    assertThat(moved).hasSizeBetween(3, 40);
  }

  @Test
  void shoppersComeInTheEveningAndOfficeWorkersOnWorkdays() {
    long wednesday = FIRST_START - 10 * 86_400;
    assertThat(demand("shop", wednesday + 18 * 3600))
        .isGreaterThan(3 * demand("shop", wednesday + 2 * 3600));
    long sunday = FIRST_START - 6 * 86_400;
    assertThat(demand("desktop", wednesday + 8 * 3600))
        .isGreaterThan(3 * demand("desktop", sunday + 8 * 3600));
  }

  @Test
  void noiseIsAutocorrelated() {
    double near = 0;
    double far = 0;
    for (int i = 0; i < 2_000; i++) {
      near += Math.abs(Noise.at(7, i * 5_000.0) - Noise.at(7, i * 5_000.0 + 20));
      far += Math.abs(Noise.at(7, i * 5_000.0) - Noise.at(7, i * 5_000.0 + 200_000));
    }
    assertThat(near).isLessThan(far * 0.7);
  }

  @Test
  void ordinaryHostsAreNeitherIdleNorFull() {
    Moment m = physics.at(FIRST_START - 86_400 * 3 + 18 * 3_600);
    for (Host host : inventory.hosts) {
      assertThat(m.hostUsageMhz[host.index()] / Physics.HOST_MHZ)
          .as(host.name())
          .isBetween(0.02, 0.9);
      assertThat(m.hostConsumedKb[host.index()] / Physics.HOST_MEMORY_KB)
          .as(host.name())
          .isBetween(0.3, 0.9);
      assertThat(m.hostBalloonKb[host.index()]).isZero();
    }
  }

  @Test
  void thereAreNoFaultsBeforeTheScriptStarts() {
    assertThat(script.at(FIRST_START - 19 * 3_600 - 1)).isEmpty();
    assertThat(script.at(FIRST_START).stream().map(Script.Event::kind))
        .as("what is to be seen at once")
        .contains(
            Script.Kind.OVERLOADED_PEER,
            Script.Kind.NOISY_NEIGHBOUR,
            Script.Kind.HOST_OUT_OF_MEMORY,
            Script.Kind.SILENT,
            Script.Kind.LIMITED_DISK,
            Script.Kind.SHORT_QUEUE,
            Script.Kind.POLICY_LIMIT,
            Script.Kind.FULL_BUFFER,
            Script.Kind.GUEST_ONLY)
        .hasSize(9);
    assertThat(script.at(FIRST_START + 10 * 86_400)).isNotEmpty();
  }

  @Test
  void theOverloadedServerWorksThreeTimesAsMuchAsItsPeers() {
    Script.Event event = event(Script.Kind.OVERLOADED_PEER, 0);
    Vm suspect = event.vms().getFirst();
    Moment m = physics.at(FIRST_START);
    double[] peers =
        inventory.vms.stream()
            .filter(vm -> vm.tier().equals(suspect.tier()) && !vm.equals(suspect))
            .mapToDouble(vm -> m.usageMhz[vm.index()])
            .toArray();
    assertThat(m.usageMhz[suspect.index()])
        .isGreaterThan(2.2 * Arrays.stream(peers).average().orElseThrow())
        .isGreaterThan(1.5 * Arrays.stream(peers).max().orElseThrow());
  }

  @Test
  void theHostRunsOutOfMemoryEachTime() {
    for (int k = 0; k < 6; k++) {
      Script.Event event = event(Script.Kind.HOST_OUT_OF_MEMORY, k);
      int h = event.host().index();
      assertThat(event.vms()).hasSize(3).allMatch(vm -> !vm.home().equals(event.host()));
      assertThat(physics.at(event.from() - 20).hostBalloonKb[h]).isZero();
      Moment m = physics.at(event.from() + 600);
      assertThat(m.hostBalloonKb[h]).as("occurrence %s", k).isPositive();
      assertThat(m.hostSwappedKb[h]).isPositive();
      assertThat(m.hostConsumedKb[h] / Physics.HOST_MEMORY_KB).isGreaterThan(0.94);
      assertThat(physics.at(event.to() + 20).hostBalloonKb[h]).isZero();
    }
  }

  @Test
  void theSilentMachineSendsNothingAndComesBackRestarted() {
    Script.Event event = event(Script.Kind.SILENT, 0);
    Vm silent = event.vms().getFirst();
    assertThat(lines(inventory, 42, event.from() + 20))
        .doesNotContain("moid=" + silent.moid() + ",");
    assertThat(lines(inventory, 42, event.from() - 20)).contains("moid=" + silent.moid() + ",");
    Telegraf telegraf = new Telegraf(inventory, script, FIRST_START);
    assertThat(telegraf.uptime(silent, event.to() + 40)).isEqualTo(40);
  }

  @Test
  void theNoisyNeighbourMakesOthersWait() {
    Script.Event event = event(Script.Kind.NOISY_NEIGHBOUR, 1);
    Vm noisy = event.vms().getFirst();
    Moment before = physics.at(event.from() - 20);
    Moment during = physics.at(event.from() + 1_800);
    List<Vm> neighbours =
        inventory.vms.stream()
            .filter(vm -> during.host[vm.index()].equals(event.host()) && !vm.equals(noisy))
            .toList();
    assertThat(neighbours).hasSizeGreaterThan(5);
    double quiet =
        neighbours.stream()
            .mapToDouble(vm -> before.readyPercent[vm.index()])
            .average()
            .orElseThrow();
    double loud =
        neighbours.stream()
            .mapToDouble(vm -> during.readyPercent[vm.index()])
            .average()
            .orElseThrow();
    assertThat(loud).isGreaterThan(3 * quiet).isGreaterThan(5);
  }

  @Test
  void historyStartsWithTheNewestHoursAndHoldsEachMomentOnce() {
    List<Long> times = SampleFeed.historyTimes(FIRST_START);
    assertThat(times).doesNotHaveDuplicates().allMatch(t -> t < FIRST_START);
    assertThat(times).hasSize(2 * 288 + 12 * 96);
    assertThat(times.getFirst()).isEqualTo(FIRST_START - 3 * 3_600);
    assertThat(times.subList(0, 36)).allMatch(t -> t >= FIRST_START - 3 * 3_600);
    assertThat(times.subList(0, 288)).allMatch(t -> t >= FIRST_START - 86_400);
    assertThat(times.getLast()).isLessThan(FIRST_START - 13 * 86_400);
  }

  @Test
  void aClusterIsTheSumOfItsHosts() {
    Moment m = physics.at(FIRST_START);
    String lines = lines(inventory, 42, FIRST_START);
    for (Cluster cluster : inventory.clusters) {
      double usage = 0;
      for (Host host : cluster.hosts()) {
        usage += m.hostUsageMhz[host.index()];
      }
      assertThat(lines)
          .containsPattern(
              "vsphere_cluster_cpu,clustername="
                  + cluster.name()
                  + ",[^ ]* .*usagemhz_average="
                  + Math.round(usage)
                  + "i");
    }
  }

  private double demand(String app, long time) {
    Moment m = physics.at(time);
    return inventory.vms.stream()
        .filter(vm -> vm.tier().app().equals(app))
        .mapToDouble(vm -> m.demandMhz[vm.index()])
        .sum();
  }

  private Script.Event event(Script.Kind kind, int occurrence) {
    return script.until(FIRST_START + 10 * 86_400).stream()
        .filter(e -> e.kind() == kind && e.occurrence() == occurrence)
        .findFirst()
        .orElseThrow();
  }

  private static List<Long> moments() {
    List<Long> moments = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      moments.add(FIRST_START - 86_400 + i * 6_007L);
    }
    return moments;
  }

  private static String lines(Inventory inventory, long seed, long time) {
    Script script = new Script(inventory, seed, FIRST_START);
    StringBuilder text = new StringBuilder();
    new Telegraf(inventory, script, FIRST_START)
        .write(
            new Physics(inventory, script, seed).at(time),
            true,
            true,
            true,
            (key, buffer) -> text.append(new String(buffer.all(), UTF_8)));
    return text.toString();
  }
}
