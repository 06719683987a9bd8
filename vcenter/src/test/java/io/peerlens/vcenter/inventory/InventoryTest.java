package io.peerlens.vcenter.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.ObjectUpdate;
import io.peerlens.vcenter.vim.PropertyChange;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class InventoryTest {

  private final ExampleVCenter example = new ExampleVCenter();

  private JsonNode properties(String id) {
    return Objects.requireNonNull(example.record(id)).path("properties");
  }

  private JsonNode metrics(String id) {
    return Objects.requireNonNull(example.record(id)).path("metrics");
  }

  @Test
  void theExampleHasEveryPathThatIsRead() {
    Set<String> missing = new TreeSet<>();
    for (String type : example.table.types()) {
      example.missingPaths(type).forEach(path -> missing.add(type + "." + path));
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void everyRuleOfATableTellsSomething() {
    // Names of custom attributes are joined by the inventory.
    assertThat(example.silentPaths()).allMatch(place -> place.contains(".customValue "));
  }

  @Test
  void aMachineTellsWhatItsSnapshotsTake() {
    // 1 GB of the snapshot's state and 2 GB that were written since; the disk's own file does not
    // count.
    assertThat(metrics("vm-42").path("diskspace|snapshot").asDouble()).isEqualTo(3);
    assertThat(metrics("vm-42").path("summary|snapshot_space_used").asDouble()).isEqualTo(3);
  }

  @Test
  void aMachineTellsItsSocketsAndItsName() {
    assertThat(properties("vm-42").path("config|hardware|numSockets").asString()).isEqualTo("2");
    assertThat(properties("vm-42").path("config|name").asString()).isEqualTo("web1");
  }

  @Test
  void aClusterTellsWhatItsMachinesAreGivenInShareOfItsHosts() {
    assertThat(metrics("domain-c8").path("cpu|vcpus_to_cores_allocation_ratio").asDouble())
        .isEqualTo(8 / 32.0);
    assertThat(
            metrics("domain-c8").path("mem|virtual_to_physical_memory_allocation_ratio").asDouble())
        .isEqualTo(16 / 512.0);
    assertThat(
            properties("domain-c8")
                .path("configuration|dasConfig|activeAdmissionControlPolicy")
                .asString())
        .isEqualTo("Cluster resource percentage");
  }

  @Test
  void aHostTellsTheAddressItIsManagedBy() {
    assertThat(properties("host-12").path("net|mgmt_address").asString()).isEqualTo("192.0.2.12");
  }

  @Test
  void theVCenterTellsItsVersionAndHowManyMachinesAreOff() {
    JsonNode vcenter = Objects.requireNonNull(example.records.get("vc"));
    assertThat(vcenter.path("properties").path("summary|version").asString()).isEqualTo("8.0.3");
    assertThat(vcenter.path("metrics").path("summary|number_poweredOff_vms").asDouble())
        .isEqualTo(0);
    assertThat(vcenter.path("metrics").path("summary|total_number_vms").asDouble()).isEqualTo(1);
  }

  @Test
  void aLunIsOneInstanceWhateverTellsOfIt() {
    assertThat(properties("host-12").path("disk:naa.6000|multipathPolicy").asString())
        .isEqualTo("VMW_PSP_FIXED");
    assertThat(properties("host-12").path("disk:naa.6000|queueDepth").asString()).isEqualTo("64");
    assertThat(properties("host-12").propertyNames())
        .noneMatch(key -> key.startsWith("disk:020000000060"));
  }

  @Test
  void aHostTellsItsPlaceInVsan() {
    assertThat(properties("host-12").path("vsan|clusterUuid").asString()).isEqualTo("52aa");
    assertThat(properties("host-12").path("vsan|faultDomain").asString()).isEqualTo("rack 1");
    assertThat(metrics("host-12").path("vsan|disk_groups").asDouble()).isEqualTo(1);
    assertThat(metrics("host-12").path("vsan|capacity").asDouble()).isEqualTo(2000);
  }

  @Test
  void aDiskGroupOfVsanIsAnObjectBelowItsHostAndCluster() {
    JsonNode group = Objects.requireNonNull(example.record("vsan-disk-group-52c1"));
    assertThat(group.path("adapterKind").asString()).isEqualTo("VirtualAndPhysicalSANAdapter");
    assertThat(group.path("objectKind").asString()).isEqualTo("VirtualSANDiskGroup");
    assertThat(group.path("name").asString()).isEqualTo("esx-1 disk group naa.c1");
    assertThat(group.path("parents").valueStream().map(JsonNode::toString))
        .containsExactlyInAnyOrder(
            "{\"adapterKind\":\"VMWARE\",\"objectKind\":\"HostSystem\",\"id\":\"vc/host-12\"}",
            "{\"adapterKind\":\"VMWARE\",\"objectKind\":\"ClusterComputeResource\",\"id\":\"vc/domain-c8\"}");
    assertThat(group.path("properties").path("configuration|type").asString()).isEqualTo("Hybrid");
    assertThat(group.path("properties").path("configuration|isMounted").asString())
        .isEqualTo("true");
    assertThat(group.path("metrics").path("capacity|total_capacity").asDouble()).isEqualTo(2000);
    assertThat(group.path("metrics").path("capacity|cache").asDouble()).isEqualTo(400);
  }

  @Test
  void aDiskOfVsanIsAnObjectBelowItsDiskGroup() {
    JsonNode disk = Objects.requireNonNull(example.record("vsan-disk-52d2"));
    assertThat(disk.path("objectKind").asString()).isEqualTo("CapacityDisk");
    assertThat(disk.path("parents").toString())
        .isEqualTo("[{\"objectKind\":\"VirtualSANDiskGroup\",\"id\":\"vc/vsan-disk-group-52c1\"}]");
    assertThat(
            Objects.requireNonNull(example.record("vsan-disk-52c1")).path("objectKind").asString())
        .isEqualTo("CacheDisk");
  }

  @Test
  void aDiskGroupThatItsHostNoLongerHasIsGone() {
    Inventory inventory = new Inventory(PropertyTable.shipped(), "vc", "vCenter 8.0.3");
    example.objects.forEach(inventory::apply);
    inventory.flush(ExampleVCenter.NOW, true, (id, record) -> {});
    assertThat(inventory.kindsById()).containsEntry("vc/vsan-disk-52d1", "CapacityDisk");
    inventory.apply(
        new ObjectUpdate(
            ObjectUpdate.Kind.MODIFY,
            new Moref("HostSystem", "host-12"),
            List.of(new PropertyChange("config.vsanHostConfig", null)),
            List.of()));
    Map<String, JsonNode> records = new TreeMap<>();
    inventory.flush(ExampleVCenter.NOW, false, records::put);
    for (String id : List.of("vsan-disk-group-52c1", "vsan-disk-52c1", "vsan-disk-52d2")) {
      JsonNode record = Objects.requireNonNull(records.get("vc/" + id), id);
      assertThat(record.path("gone").asBoolean()).isTrue();
      assertThat(record.path("adapterKind").asString()).isEqualTo("VirtualAndPhysicalSANAdapter");
    }
  }

  @Test
  void aMachineTellsItsStoragePoliciesAndThoseOfItsDisks() {
    JsonNode machine = properties("vm-42");
    assertThat(machine.path("config|storagePolicy").asString()).isEqualTo("Gold");
    assertThat(machine.path("config|storagePolicyCompliance").asString()).isEqualTo("Compliant");
    assertThat(machine.path("virtualDisk:scsi0:0|storagePolicy").asString()).isEqualTo("Silver");
    assertThat(machine.path("virtualDisk:scsi0:0|storagePolicyCompliance").asString())
        .isEqualTo("Non compliant");
  }

  @Test
  void whatAnotherCollectorToldAndIsNotSoAnyMoreIsTakenAway() {
    Inventory inventory = new Inventory(PropertyTable.shipped(), "vc", "vCenter 8.0.3");
    example.objects.forEach(inventory::apply);
    inventory.tags(Map.of(), Set.of("tier"));
    inventory.toldBefore(
        "vc/vm-42",
        Set.of(
            "property:config|hardware|numCpu",
            "property:virtualDisk:scsi0:9|label",
            "property:config|storagePolicy",
            "property:cmdb|owner",
            "tag:tier",
            "tag:cost-centre",
            "parent:HostSystem",
            "parent:OpaqueNetwork",
            "parent:Application"));
    Map<String, JsonNode> records = new TreeMap<>();
    inventory.flush(ExampleVCenter.NOW, true, records::put);
    JsonNode record = Objects.requireNonNull(records.get("vc/vm-42"));
    assertThat(record.path("properties").path("config|hardware|numCpu").isString()).isTrue();
    assertThat(record.path("properties").path("virtualDisk:scsi0:9|label").isNull()).isTrue();
    assertThat(record.path("tags").path("tier").isNull()).isTrue();
    assertThat(record.path("parents").toString())
        .contains("{\"objectKind\":\"OpaqueNetwork\",\"id\":null}")
        .doesNotContain("Application");
    assertThat(record.toString())
        .as("other senders' own, and what is not read yet")
        .doesNotContain("cmdb|owner", "cost-centre", "storagePolicy");
  }

  @Test
  void aMachineOwnsTheDisksOfItsHardwareAndOfItsFiles() {
    Inventory inventory = new Inventory(example.table, "vc", "VMware vCenter Server 8.0.3");
    example.objects.forEach(inventory::apply);
    Moref datastore =
        inventory.datastores().entrySet().stream()
            .filter(entry -> entry.getValue().equals("ds1"))
            .findFirst()
            .orElseThrow()
            .getKey();
    DiskOwners owners = inventory.ownersOn(datastore);
    assertThat(owners.disks()).containsExactlyInAnyOrder("web1/web1", "web1/web1_1", "clones/base");
    assertThat(owners.expected()).isEqualTo(owners.disks());
    assertThat(owners.folders()).isEmpty();
    assertThat(owners.unread()).isZero();
  }

  @Test
  void aMachineThatCannotBeReachedOwnsItsFolder() {
    Inventory inventory = new Inventory(example.table, "vc", "VMware vCenter Server 8.0.3");
    example.objects.forEach(inventory::apply);
    Moref machine = new Moref("VirtualMachine", "vm-42");
    Moref datastore = inventory.datastores().keySet().iterator().next();
    lose(inventory, machine, "config.hardware.device", "layoutEx");
    assertThat(inventory.ownersOn(datastore).folders()).containsExactly("web1");
    lose(inventory, machine, "summary.config.vmPathName");
    assertThat(inventory.ownersOn(datastore).folders()).isEmpty();
    assertThat(inventory.ownersOn(datastore).unread()).isEqualTo(1);
  }

  private static void lose(Inventory inventory, Moref machine, String... paths) {
    inventory.apply(
        new ObjectUpdate(
            ObjectUpdate.Kind.MODIFY,
            machine,
            Stream.of(paths).map(path -> new PropertyChange(path, null)).toList(),
            List.of()));
  }

  @Test
  void disksThatWereToldBeforeStayUntilFilesAreListed() {
    Inventory inventory = new Inventory(example.table, "vc", "VMware vCenter Server 8.0.3");
    example.objects.forEach(inventory::apply);
    Moref datastore = inventory.datastores().keySet().iterator().next();
    String id = inventory.id(datastore);
    inventory.toldBefore(id, Set.of("property:unreferencedDisk:old/old|files"));
    assertThat(sent(inventory, id)).doesNotContain("old/old");
    inventory.unreferencedDisks(Map.of(datastore, UnreferencedDisks.failed("No.")));
    assertThat(sent(inventory, id)).contains("notListed").doesNotContain("old/old");
    inventory.unreferencedDisks(
        Map.of(datastore, new UnreferencedDisks(ExampleVCenter.NOW, "", List.of(), 0, 0)));
    assertThat(sent(inventory, id)).contains("\"unreferencedDisk:old/old|files\":null");
  }

  private static String sent(Inventory inventory, String id) {
    StringBuilder sent = new StringBuilder();
    inventory.flush(
        ExampleVCenter.NOW, false, (of, record) -> sent.append(of.equals(id) ? record : ""));
    return sent.toString();
  }
}
