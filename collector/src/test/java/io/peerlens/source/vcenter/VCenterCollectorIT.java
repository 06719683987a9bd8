package io.peerlens.source.vcenter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.source.ActiveSource;
import io.peerlens.source.Part;
import io.peerlens.support.Vcsim;
import io.peerlens.vcenter.vim.Certificates;
import io.peerlens.vcenter.vim.HostAddresses;
import io.peerlens.vcenter.vim.Trust;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A collector against govmomi's simulator: what govc says and does, the collector tells. */
@Timeout(120)
class VCenterCollectorIT {

  private static final HostAddresses ANYWHERE =
      (host, port) -> List.of(InetAddress.getAllByName(host));

  /** A change is told within 5 seconds; a machine that runs other tests besides may take longer. */
  private static final Duration SOON = Duration.ofSeconds(15);

  @TempDir private static Path folder;
  private static Vcsim vcsim;
  private static Told told;
  private static VCenterCollector collector;

  @BeforeAll
  static void start() throws Exception {
    vcsim =
        Vcsim.startOrSkip(
            folder,
            "-dc",
            "2",
            "-cluster",
            "2",
            "-host",
            "3",
            "-vm",
            "4",
            "-pod",
            "1",
            "-pool",
            "1",
            "-pg",
            "2");
    vcsim.govc("tags.category.create", "tier");
    vcsim.govc("tags.create", "-c", "tier", "gold");
    vcsim.govc("tags.create", "-c", "tier", "silver");
    vcsim.govc("fields.add", "owner");
    unusedDisk();
    told = new Told();
    collector = collector(told, EnumSet.of(Part.CONFIGURATION, Part.PERFORMANCE));
    await().atMost(Duration.ofSeconds(60)).until(() -> told.last(Part.CONFIGURATION).isPresent());
  }

  /** Files of a disk beside the configuration of a machine that nobody registered. */
  private static void unusedDisk() throws Exception {
    Path file = Files.write(folder.resolve("flat"), new byte[3 << 20]);
    vcsim.govc("datastore.mkdir", "-dc", "DC0", "-ds", "LocalDS_0", "old one");
    for (String name : List.of("old-flat.vmdk", "old.vmdk", "old-000001-delta.vmdk", "old.vmx")) {
      vcsim.govc(
          "datastore.upload", "-dc", "DC0", "-ds", "LocalDS_0", file.toString(), "old one/" + name);
    }
  }

  private static VCenterCollector collector(Told into, Set<Part> parts) throws Exception {
    String pin =
        Certificates.sha256(
            Certificates.shownBy(
                    "127.0.0.1",
                    vcsim.port(),
                    List.of(InetAddress.getLoopbackAddress()),
                    Duration.ofSeconds(5))
                .getFirst());
    return new VCenterCollector(
        new ActiveSource(
            UUID.randomUUID(),
            "vc",
            vcsim.address(),
            Vcsim.USERNAME,
            () -> Vcsim.PASSWORD,
            io.peerlens.source.Trust.Authorities.OF_THE_SYSTEM,
            parts,
            Map.of(),
            1),
        ANYWHERE,
        new Trust.Pinned(pin),
        into,
        into,
        vcenter -> Map.of(),
        InstantSource.system());
  }

  @AfterAll
  static void stop() {
    if (collector != null) {
      collector.close();
    }
    if (vcsim != null) {
      vcsim.close();
    }
  }

  private static String id(String moref) {
    return "127.0.0.1:" + vcsim.port() + "/" + moref.substring(moref.indexOf(':') + 1);
  }

  private static Told.Known machine(String name) {
    return told.named("VirtualMachine", name).orElseThrow();
  }

  private static void soon(String name, Predicate<Told.Known> is) {
    await()
        .alias(name)
        .atMost(SOON)
        .until(() -> told.named("VirtualMachine", name).filter(is).isPresent());
  }

  @Test
  void everyObjectOfGovcIsTold() {
    Map<String, String> kinds =
        Map.of(
            "VirtualMachine", "VirtualMachine",
            "HostSystem", "HostSystem",
            "ClusterComputeResource", "ClusterComputeResource",
            "ResourcePool", "ResourcePool",
            "Datastore", "Datastore",
            "StoragePod", "StoragePod",
            "Datacenter", "Datacenter",
            "DistributedVirtualPortgroup", "DistributedVirtualPortgroup",
            "Network", "Network");
    List<String> missing = new ArrayList<>();
    for (String line : vcsim.govc("find", "-i", "/").lines().toList()) {
      String kind = kinds.get(line.substring(0, line.indexOf(':')));
      if (kind != null && told.object(id(line)).filter(o -> o.kind().equals(kind)).isEmpty()) {
        missing.add(line);
      }
    }
    assertThat(missing).isEmpty();
    assertThat(told.ofKind("VmwareDistributedVirtualSwitch")).hasSize(2);
    assertThat(told.ofKind("VMwareAdapter Instance")).hasSize(1);
  }

  @Test
  void propertiesOfAMachineAreThoseOfGovc() {
    for (Told.Known machine : told.ofKind("VirtualMachine")) {
      if (!machine.name().startsWith("DC0_C1")) {
        continue;
      }
      JsonNode vm =
          vcsim
              .govcJson(
                  "vm.info",
                  "-vm.ipath",
                  vcsim.govc("find", "/", "-type", "m", "-name", machine.name()).strip())
              .path("virtualMachines")
              .get(0);
      assertThat(machine.properties())
          .containsEntry("config|hardware|numCpu", vm.at("/config/hardware/numCPU").asString())
          .containsEntry(
              "config|hardware|memoryKB",
              Long.toString(vm.at("/config/hardware/memoryMB").asLong() * 1024))
          .containsEntry("config|guestFullName", vm.at("/config/guestFullName").asString())
          .containsEntry("config|version", vm.at("/config/version").asString())
          .containsEntry("config|uuid", vm.at("/config/uuid").asString())
          .containsEntry("summary|UUID", vm.at("/config/instanceUuid").asString())
          .containsEntry("summary|runtime|powerState", "Powered On")
          .containsEntry("diskspace|snapshot|snapshotAge", "-1");
      assertThat(machine.metrics())
          .containsEntry("config|hardware|num_Cpu", vm.at("/config/hardware/numCPU").asDouble());
      assertThat(machine.parents().get("HostSystem"))
          .containsExactly(id("HostSystem:" + vm.at("/runtime/host/value").asString()));
      assertThat(machine.parents().get("ResourcePool"))
          .containsExactly(id("ResourcePool:" + vm.at("/resourcePool/value").asString()));
      assertThat(machine.locator()).endsWith("/DC0/" + machine.name());
      assertThat(machine.properties().keySet())
          .anyMatch(key -> key.startsWith("virtualDisk:scsi0:0|"));
      assertThat(machine.properties()).containsKey("net:4000|mac_address");
    }
  }

  @Test
  void disksThatNoMachineUsesAreToldOfTheirDatastore() {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                told.ofKind("Datastore").stream()
                    .anyMatch(o -> o.metrics().containsKey("unreferencedDisks|count")));
    Told.Known datastore =
        told.ofKind("Datastore").stream()
            .filter(o -> o.metrics().containsKey("unreferencedDisks|count"))
            .findFirst()
            .orElseThrow();
    assertThat(datastore.properties())
        .doesNotContainKey("unreferencedDisks|notListed")
        .containsKey("unreferencedDisk:old one/old|files");
    assertThat(datastore.properties().get("unreferencedDisk:old one/old|files"))
        .matches("files=3 bytes=9437184 modified=\\S+Z machine=old\\.vmx");
    assertThat(
            datastore.properties().keySet().stream().filter(k -> k.startsWith("unreferencedDisk:")))
        .hasSize(1);
    assertThat(datastore.metrics())
        .containsEntry("unreferencedDisks|count", 1.0)
        .containsEntry("unreferencedDisks|diskspace", 9.0 / 1024)
        .containsEntry("unreferencedDisks|not_told", 0.0);
  }

  @Test
  void countsAreThoseOfTheInventory() {
    Told.Known cluster = told.named("ClusterComputeResource", "DC1_C0").orElseThrow();
    assertThat(cluster.metrics())
        .containsEntry("summary|total_number_hosts", 3.0)
        .containsEntry("summary|number_running_hosts", 3.0)
        .containsEntry("summary|cluster_availability", 100.0);
    Told.Known datacenter = told.named("Datacenter", "DC1").orElseThrow();
    assertThat(datacenter.metrics()).containsEntry("summary|total_number_clusters", 2.0);
    assertThat(cluster.properties())
        .containsEntry("configuration|drsconfig|enabled", "true")
        .containsEntry("summary|parentDatacenter", "DC1");
  }

  @Test
  void hostsTellTheirHardwareAndPlace() {
    Told.Known host = told.named("HostSystem", "DC1_C1_H0").orElseThrow();
    assertThat(host.properties())
        .containsEntry("summary|parentCluster", "DC1_C1")
        .containsEntry("runtime|powerState", "Powered On")
        .containsEntry("runtime|maintenanceState", "notInMaintenance")
        .containsKeys(
            "hardware|vendorModel",
            "hardware|cpuInfo|numCpuCores",
            "summary|version",
            "cpu|cpuModel",
            "config|network|nnic");
    assertThat(host.parents()).containsKeys("ClusterComputeResource", "Datacenter");
    assertThat(host.children()).containsKey("Datastore");
  }

  @Test
  void aPowerChangeIsTold() {
    vcsim.govc("vm.power", "-dc", "DC0", "-off", "DC0_H0_VM0");
    soon(
        "DC0_H0_VM0",
        vm -> vm.properties().get("summary|runtime|powerState").equals("Powered Off"));
    assertThat(machine("DC0_H0_VM0").metrics()).containsEntry("sys|poweredOn", 0.0);
    vcsim.govc("vm.power", "-dc", "DC0", "-on", "DC0_H0_VM0");
    soon(
        "DC0_H0_VM0", vm -> vm.properties().get("summary|runtime|powerState").equals("Powered On"));
  }

  @Test
  void aRenameIsToldOfTheSameObject() {
    String id = machine("DC0_H0_VM1").id();
    vcsim.govc("object.rename", "/DC0/vm/DC0_H0_VM1", "renamed");
    await().atMost(SOON).until(() -> told.object(id).orElseThrow().name().equals("renamed"));
    assertThat(told.object(id).orElseThrow().locator()).endsWith("/DC0/renamed");
  }

  @Test
  void aReconfigurationIsTold() {
    vcsim.govc("vm.change", "-dc", "DC0", "-vm", "DC0_H0_VM2", "-c", "8", "-m", "4096");
    soon(
        "DC0_H0_VM2",
        vm ->
            vm.properties().get("config|hardware|numCpu").equals("8")
                && vm.properties().get("config|hardware|memoryKB").equals("4194304"));
  }

  @Test
  void aSnapshotComesAndGoes() {
    vcsim.govc("snapshot.create", "-dc", "DC0", "-vm", "DC0_H0_VM3", "before-upgrade");
    soon(
        "DC0_H0_VM3",
        vm ->
            vm.properties().get("diskspace|snapshot|snapshotAge").equals("0")
                && vm.properties().containsValue("before-upgrade"));
    assertThat(machine("DC0_H0_VM3").metrics()).containsEntry("summary|snapshot_count", 1.0);
    vcsim.govc("snapshot.remove", "-dc", "DC0", "-vm", "DC0_H0_VM3", "*");
    soon(
        "DC0_H0_VM3",
        vm ->
            vm.properties().get("diskspace|snapshot|snapshotAge").equals("-1")
                && !vm.properties().containsValue("before-upgrade"));
  }

  @Test
  void aTagAndACustomAttributeComeAndGo() {
    String path = "/DC1/vm/DC1_H0_VM0";
    vcsim.govc("tags.attach", "-c", "tier", "gold", path);
    soon("DC1_H0_VM0", vm -> "gold".equals(vm.tags().get("tier")));
    assertThat(machine("DC1_H0_VM0").properties()).containsEntry("summary|tag", "[<tier-gold>]");
    vcsim.govc("tags.detach", "-c", "tier", "gold", path);
    soon("DC1_H0_VM0", vm -> !vm.tags().containsKey("tier"));
  }

  @Test
  void aCloneIsANewObjectAndADeletedOneIsGone() {
    vcsim.govc(
        "vm.clone",
        "-dc",
        "DC1",
        "-vm",
        "DC1_H0_VM1",
        "-on=false",
        "-host",
        "/DC1/host/DC1_H0/DC1_H0",
        "cloned");
    soon("cloned", vm -> vm.parents().containsKey("HostSystem"));
    String id = machine("cloned").id();
    vcsim.govc("vm.destroy", "-dc", "DC1", "cloned");
    await().atMost(SOON).until(() -> told.isGone(id));
  }

  @Test
  void aMoveToAnotherFolderIsTold() {
    String before = machine("DC1_H0_VM2").properties().get("summary|folder");
    vcsim.govc("folder.create", "/DC1/vm/other");
    vcsim.govc("object.mv", "/DC1/vm/DC1_H0_VM2", "/DC1/vm/other");
    soon("DC1_H0_VM2", vm -> "other".equals(vm.properties().get("summary|folder")));
    vcsim.govc("object.mv", "/DC1/vm/DC1_H0_VM1", "/DC1/vm/other"); // a folder that is there
    soon("DC1_H0_VM1", vm -> "other".equals(vm.properties().get("summary|folder")));
    assertThat(before).isNotEqualTo("other");
  }

  @Test
  void aMigrationIsToldAsAnotherHost() {
    String name =
        told.ofKind("VirtualMachine").stream()
            .map(Told.Known::name)
            .filter(n -> n.startsWith("DC1_C0"))
            .findFirst()
            .orElseThrow();
    String host = machine(name).properties().get("summary|parentHost");
    String other =
        told.ofKind("HostSystem").stream()
            .map(Told.Known::name)
            .filter(n -> n.startsWith("DC1_C0") && !n.equals(host))
            .findFirst()
            .orElseThrow();
    vcsim.govc("vm.migrate", "-dc", "DC1", "-host", "/DC1/host/DC1_C0/" + other, name);
    soon(name, vm -> vm.properties().get("summary|parentHost").equals(other));
  }

  @Test
  void performanceIsToldOnceForEachMoment() {
    await()
        .atMost(Duration.ofSeconds(50))
        .until(() -> told.reports.stream().filter(r -> r.part() == Part.PERFORMANCE).count() >= 2);
    List<String> lines = told.lines();
    assertThat(lines)
        .anyMatch(line -> line.startsWith("vcenter_vm_cpu,") && line.contains("usage_average="));
    assertThat(lines).anyMatch(line -> line.startsWith("vcenter_host_mem,"));
    assertThat(lines).anyMatch(line -> line.startsWith("vcenter_cluster_"));
    assertThat(lines)
        .anyMatch(line -> line.startsWith("vcenter_vm_cpu,") && line.contains("readyPct="))
        .anyMatch(line -> line.startsWith("vcenter_host_cpu,") && line.contains("max_cpu_ready="))
        .anyMatch(line -> line.startsWith("vcenter_cluster_net,") && line.contains("droppedPct="));
    Map<String, Long> values =
        lines.stream()
            .flatMap(VCenterCollectorIT::values)
            .collect(Collectors.groupingBy(value -> value, Collectors.counting()));
    assertThat(values.entrySet()).as("no value twice").noneMatch(value -> value.getValue() > 1);
    Optional<String> position = told.position("performance.20");
    assertThat(position).isPresent();
  }

  /** Series, field and moment of each value of a line. */
  private static Stream<String> values(String line) {
    int fields = line.indexOf(' ');
    int time = line.lastIndexOf(' ');
    return Stream.of(line.substring(fields + 1, time).split(","))
        .map(
            field ->
                line.substring(0, fields)
                    + " "
                    + field.substring(0, field.indexOf('='))
                    + line.substring(time));
  }
}
