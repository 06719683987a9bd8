package io.peerlens.vcenter.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
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
}
