package io.peerlens.standalone.sample;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.standalone.sample.Inventory.Host;
import io.peerlens.standalone.sample.Inventory.Vm;
import io.peerlens.standalone.sample.Physics.Moment;
import io.peerlens.standalone.sample.Script.Event;
import io.peerlens.standalone.sample.Script.Kind;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What each fault that slows machines shows, and that it shows nowhere else. */
class SampleFaultsTest {

  /** A Saturday, 02:00 UTC. */
  private static final long FIRST_START = 1_795_226_400;

  private final Inventory inventory = new Inventory(42);
  private final Script script = new Script(inventory, 42, FIRST_START);
  private final Physics physics = new Physics(inventory, script, 42);

  /** Fields of the lines of a moment, by measurement and the tags that matter. */
  private final Map<Long, Map<String, Map<String, Double>>> told = new HashMap<>();

  private Map<String, Map<String, Double>> at(long time) {
    return told.computeIfAbsent(
        time,
        any -> {
          Map<String, Map<String, Double>> lines = new HashMap<>();
          new Telegraf(inventory, script, FIRST_START)
              .write(
                  physics.at(time),
                  true,
                  true,
                  true,
                  (key, buffer) -> {
                    for (String line : new String(buffer.all(), UTF_8).split("\n")) {
                      String[] parts = line.split("(?<!\\\\) ");
                      String series =
                          Arrays.stream(parts[0].split("(?<!\\\\),"))
                              .filter(SampleFaultsTest::isTelling)
                              .collect(Collectors.joining(","));
                      Map<String, Double> fields = new HashMap<>();
                      for (String field : parts[1].split(",")) {
                        String value = field.substring(field.indexOf('=') + 1);
                        if (!value.startsWith("\"")) {
                          fields.put(
                              field.substring(0, field.indexOf('=')),
                              Double.parseDouble(value.replace("i", "")));
                        }
                      }
                      lines.put(series, fields);
                    }
                  });
          return lines;
        });
  }

  private static boolean isTelling(String tag) {
    return !tag.contains("=")
        || tag.matches("(vmname|esxhostname|hostname|devicename|pnic|interface|disk|uuid)=.*");
  }

  private double value(long time, String measurement, String field, String... tags) {
    List<Double> values =
        at(time).entrySet().stream()
            .filter(line -> line.getKey().split(",")[0].equals(measurement))
            .filter(line -> List.of(line.getKey().split(",")).containsAll(Arrays.asList(tags)))
            .map(line -> line.getValue().get(field))
            .toList();
    assertThat(values).as("%s %s %s", measurement, field, Arrays.toString(tags)).hasSize(1);
    return values.getFirst();
  }

  private double latency(long time, Vm vm, String field) {
    return value(time, "vsphere_vm_virtualDisk", field, "vmname=" + vm.name());
  }

  private Event event(Kind kind) {
    return script.until(FIRST_START).stream()
        .filter(event -> event.kind() == kind)
        .findFirst()
        .orElseThrow();
  }

  private List<Vm> slow(Event event) {
    List<Vm> slow =
        script.slow(event).stream()
            .filter(vm -> !event.waiting().contains(vm))
            .filter(vm -> isOn(vm, event.from() + 3_600))
            .toList();
    assertThat(slow).as(event.kind().name()).isNotEmpty();
    return slow;
  }

  private boolean isOn(Vm vm, long time) {
    return !physics.at(time).silent[vm.index()];
  }

  private List<Vm> othersInVsan(Event event, List<Vm> slow) {
    Moment m = physics.at(event.from() + 3_600);
    return inventory.vms.stream()
        .filter(vm -> vm.datastore().equals(Vsan.datastore(inventory)))
        .filter(vm -> !slow.contains(vm) && !m.silent[vm.index()])
        .toList();
  }

  @Test
  void writesWaitForAFullBufferOnItsHost() {
    Event fault = event(Kind.FULL_BUFFER);
    long during = fault.from() + 3_600;
    List<Vm> slow = slow(fault);
    for (Vm vm : slow) {
      assertThat(latency(during, vm, "totalWriteLatency_average")).isGreaterThan(5);
      assertThat(latency(fault.from() - 300, vm, "totalWriteLatency_average")).isLessThan(3);
    }
    for (Host host : fault.host().cluster().hosts()) {
      String tag = "hostname=" + host.name();
      boolean worn = host.equals(fault.host());
      String group = Vsan.MEASUREMENT + "diskgroup";
      double free = value(during, group, "wb_free_pct", tag);
      double congestion = value(during, group, "log_congestion", tag);
      double latency = value(during, Vsan.MEASUREMENT + "hostdomclient", "latency_avg_write", tag);
      if (worn) {
        assertThat(free).isLessThan(30);
        assertThat(congestion).isGreaterThan(100);
        assertThat(latency).isGreaterThan(5_000);
      } else {
        assertThat(free).isGreaterThan(60);
        assertThat(congestion).isZero();
        assertThat(latency).isLessThan(3_500);
      }
      for (long quiet : new long[] {fault.from() - 300, fault.to() + 300}) {
        assertThat(value(quiet, group, "log_congestion", tag)).isZero();
        assertThat(value(quiet, Vsan.MEASUREMENT + "hostdomclient", "latency_avg_write", tag))
            .isBetween(400.0, 1_700.0);
      }
    }
  }

  @Test
  void machinesWaitForPacketsThatACardOfTheirHostLoses() {
    Event fault = event(Kind.DROPPED_PACKETS);
    long during = fault.from() + 3_600;
    List<Vm> slow = slow(fault);
    for (Vm vm : slow) {
      assertThat(latency(during, vm, "totalReadLatency_average")).isGreaterThan(4);
      assertThat(latency(during, vm, "totalWriteLatency_average")).isGreaterThan(4);
    }
    for (Vm vm : othersInVsan(fault, slow)) {
      assertThat(latency(during, vm, "totalReadLatency_average")).isLessThan(4);
    }
    for (Host host : fault.host().cluster().hosts()) {
      boolean losing = host.equals(fault.host());
      double lost =
          value(
              during,
              Vsan.MEASUREMENT + "vsanpnicnet",
              "rx_packets_loss_rate",
              "hostname=" + host.name(),
              "pnic=vmnic1");
      double again =
          value(
              during,
              Vsan.MEASUREMENT + "vsanhostnet",
              "tcp_tx_rexmit_rate",
              "hostname=" + host.name());
      double dropped =
          value(
              during,
              "vsphere_host_net",
              "droppedRx_summation",
              "esxhostname=" + host.name(),
              "interface=vmnic1");
      if (losing) {
        assertThat(lost).isGreaterThan(5);
        assertThat(again).isGreaterThan(3);
        assertThat(dropped).isPositive();
        assertThat(
                value(
                    during,
                    "vsphere_host_net",
                    "droppedRx_summation",
                    "esxhostname=" + host.name(),
                    "interface=instance-total"))
            .as("all cards together")
            .isBetween(dropped, dropped * 1.02);
      } else {
        assertThat(lost).isLessThan(0.1);
        assertThat(again).isLessThan(0.1);
      }
    }
  }

  @Test
  void machinesWithDataOnASlowDiskWait() {
    Event fault = event(Kind.SLOW_DISK);
    long during = fault.from() + 3_600;
    List<Vm> slow = slow(fault);
    for (Vm vm : slow) {
      assertThat(latency(during, vm, "totalReadLatency_average")).isGreaterThan(6);
    }
    for (Vm vm : othersInVsan(fault, slow)) {
      assertThat(latency(during, vm, "totalReadLatency_average")).isLessThan(4);
    }
    Map<String, Double> devices =
        at(during).entrySet().stream()
            .filter(line -> line.getKey().startsWith(Vsan.MEASUREMENT + "capacitydisk,"))
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey, line -> line.getValue().get("latency_dev_read")));
    assertThat(devices).hasSize(16);
    assertThat(devices.values().stream().filter(micros -> micros > 10_000)).hasSize(1);
    devices.forEach(
        (device, micros) ->
            assertThat(micros > 10_000)
                .isEqualTo(micros > 1_000)
                .isIn(device.contains("hostname=" + fault.host().name()), false));
  }

  @Test
  void onlyTheDatastoreOfAMachineThatCopiesItAllIsSlow() {
    Event fault = event(Kind.DATASTORE_HOG);
    long during = fault.from() + 1_800;
    List<Vm> slow = slow(fault);
    assertThat(slow).hasSizeGreaterThan(10);
    for (Vm vm : slow) {
      assertThat(latency(during, vm, "totalReadLatency_average")).as(vm.name()).isGreaterThan(5);
    }
    Moment before = physics.at(fault.from() - 300);
    Moment m = physics.at(during);
    for (Inventory.Datastore datastore : inventory.datastores) {
      int d = datastore.index();
      boolean taken = datastore.equals(fault.vms().getFirst().datastore());
      assertThat(m.datastoreLatencyMs[d] > 5 * before.datastoreLatencyMs[d]).isEqualTo(taken);
    }
  }

  @Test
  void aProgramThatTakesAllProcessorsSlowsItsOwnMachineAlone() {
    Event fault = event(Kind.GUEST_ONLY);
    Vm vm = fault.vms().getFirst();
    int v = vm.index();
    for (long time = fault.from(); time < fault.to(); time += 1_200) {
      Moment m = physics.at(time);
      assertThat(m.usageMhz[v] / vm.capacityMhz()).isGreaterThan(0.9);
      assertThat(m.readyPercent[v]).isLessThan(3);
      assertThat(latency(time, vm, "totalReadLatency_average")).isLessThan(5);
    }
    Moment before = physics.at(fault.from() - 20);
    Moment begin = physics.at(fault.from());
    assertThat(before.usageMhz[v] / vm.capacityMhz()).isLessThan(0.6);
    assertThat(begin.receivedKbs[v])
        .as("its work stays what it was")
        .isBetween(before.receivedKbs[v] * 0.5, before.receivedKbs[v] * 2);
  }

  @Test
  void aPolicyDelaysADiskAndThoseWhoAskItGetOnMoreSlowly() {
    for (Event fault : script.until(FIRST_START + 6 * 86_400)) {
      if (fault.kind() != Kind.POLICY_LIMIT) {
        continue;
      }
      Vm limited = fault.vms().getFirst();
      long during = fault.from() + 1_200;
      String uuid = "uuid=" + Vsan.objectId(limited);
      String disk = Vsan.MEASUREMENT + "virtualdisk";
      assertThat(value(during, disk, "iops_limit", uuid)).isEqualTo(40);
      assertThat(value(during, disk, "niops", uuid)).isBetween(39.0, 40.001);
      assertThat(value(during, disk, "niops_delayed", uuid)).isGreaterThan(10);
      assertThat(value(fault.from() - 300, disk, "niops_delayed", uuid)).isZero();
      assertThat(latency(during, limited, "totalReadLatency_average")).isGreaterThan(15);
      assertThat(latency(fault.from() - 300, limited, "totalReadLatency_average")).isLessThan(5);
      assertThat(fault.waiting()).isNotEmpty().noneMatch(vm -> Vsan.hasPolicyLimit(inventory, vm));
      for (Vm vm : fault.waiting()) {
        if (isOn(vm, fault.from() - 20) && isOn(vm, fault.from())) {
          double before = physics.at(fault.from() - 20).receivedKbs[vm.index()];
          double after = physics.at(fault.from()).receivedKbs[vm.index()];
          assertThat(after / before).isBetween(0.3, 0.65);
        }
      }
    }
  }

  @Test
  void noPolicyDelaysADiskOtherwise() {
    for (long time = FIRST_START - 14 * 86_400; time < FIRST_START; time += 5_400) {
      Moment m = physics.at(time);
      List<Event> faults = script.at(time);
      for (Vm vm : inventory.vms) {
        int v = vm.index();
        if (m.iopsLimit[v] > 0 && faults.stream().noneMatch(it -> it.vms().contains(vm))) {
          assertThat(m.askedIops[v]).isLessThanOrEqualTo(m.iopsLimit[v]);
        }
      }
    }
  }
}
