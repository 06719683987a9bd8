package io.peerlens.source.vcenter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.vcenter.inventory.StoragePolicies;
import io.peerlens.vcenter.inventory.StoragePolicies.Disk;
import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.ScriptedAutomationApi;
import io.peerlens.vcenter.vim.VimException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Storage policies of a scripted vCenter: vcsim gives no machine any. */
class StoragePolicyReadingTest {

  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");
  private static final Moref ONE = new Moref("VirtualMachine", "vm-1");
  private static final Moref TWO = new Moref("VirtualMachine", "vm-2");
  private static final Moref THREE = new Moref("VirtualMachine", "vm-3");

  @TempDir private Path folder;
  private ScriptedAutomationApi vcenter;

  @BeforeEach
  void start() throws Exception {
    vcenter = new ScriptedAutomationApi(folder);
  }

  @AfterEach
  void stop() throws Exception {
    vcenter.close();
  }

  private void rest() {
    vcenter
        .answer("/rest/com/vmware/cis/session", "{\"value\": \"s-1\"}")
        .answer(
            "/rest/vcenter/storage/policies",
            """
            {"value": [{"policy": "p-1", "name": "Gold", "description": ""},
                       {"policy": "p-2", "name": "vSAN Default", "description": ""}]}""")
        .answer(
            "/rest/vcenter/storage/policies/p-1/vm",
            """
            {"value": [{"key": "vm-1", "value": {"vm_home": true, "disks": ["2000"]}}]}""")
        .answer(
            "/rest/vcenter/storage/policies/p-2/vm",
            """
            {"value": [{"key": "vm-1", "value": {"vm_home": false, "disks": ["2001"]}},
                       {"key": "vm-2", "value": {"vm_home": true, "disks": []}}]}""")
        .answer(
            "/rest/vcenter/storage/policies/compliance/vm",
            """
            {"value": [{"key": "vm-1", "value": {"vm_home": "COMPLIANT",
                        "disks": [{"key": "2000", "value": "NON_COMPLIANT"}]}}]}""");
  }

  @Test
  void aMachineHasThePolicyOfItsFilesAndOfEachDisk() throws Exception {
    rest();
    Map<Moref, StoragePolicies> told =
        new StoragePolicyReading(vcenter.client()).round(NOW, List.of(ONE, TWO, THREE));
    assertThat(told)
        .containsOnly(
            Map.entry(
                ONE,
                new StoragePolicies(
                    "Gold",
                    "Compliant",
                    Map.of(
                        "2000", new Disk("Gold", "Non compliant"),
                        "2001", new Disk("vSAN Default", "")))),
            Map.entry(TWO, new StoragePolicies("vSAN Default", "", Map.of())));
    assertThat(vcenter.requests.getLast())
        .startsWith("/rest/vcenter/storage/policies/compliance/vm?filter.status.1=COMPLIANT&")
        .endsWith("&filter.vms.1=vm-1&filter.vms.2=vm-2");
  }

  @Test
  void theNewerFormOfTheApiTellsTheSame() throws Exception {
    vcenter
        .answer("/api/session", "\"s-1\"")
        .answer("/api/vcenter/storage/policies", "[{\"policy\": \"p-1\", \"name\": \"Gold\"}]")
        .answer(
            "/api/vcenter/storage/policies/p-1/vm",
            "{\"vm-1\": {\"vm_home\": true, \"disks\": [\"2000\"]}}")
        .answer(
            "/api/vcenter/storage/policies/compliance/vm",
            "{\"vm-1\": {\"vm_home\": \"OUT_OF_DATE\", \"disks\": {\"2000\": \"COMPLIANT\"}}}");
    assertThat(new StoragePolicyReading(vcenter.client()).round(NOW, List.of(ONE)))
        .containsOnly(
            Map.entry(
                ONE,
                new StoragePolicies(
                    "Gold", "Out of date", Map.of("2000", new Disk("Gold", "Compliant")))));
    assertThat(vcenter.requests.getLast())
        .startsWith("/api/vcenter/storage/policies/compliance/vm?status=COMPLIANT&")
        .endsWith("&vms=vm-1");
  }

  @Test
  void aVCenterWithoutStoragePoliciesTellsNone() throws Exception {
    vcenter.answer("/rest/com/vmware/cis/session", "{\"value\": \"s-1\"}");
    assertThat(new StoragePolicyReading(vcenter.client()).round(NOW, List.of(ONE))).isEmpty();
  }

  @Test
  void withinAnHourNothingIsAskedAgain() throws Exception {
    rest();
    StoragePolicyReading reading = new StoragePolicyReading(vcenter.client());
    Map<Moref, StoragePolicies> first = reading.round(NOW, List.of(ONE, TWO));
    int asked = vcenter.requests.size();
    assertThat(reading.round(NOW.plus(Duration.ofMinutes(59)), List.of(ONE, TWO))).isEqualTo(first);
    assertThat(vcenter.requests).hasSize(asked);
    vcenter.answer("/rest/vcenter/storage/policies/p-1/vm", "{\"value\": []}");
    assertThat(reading.round(NOW.plus(Duration.ofHours(1)), List.of(ONE, TWO)).get(ONE))
        .isEqualTo(
            new StoragePolicies("", "Compliant", Map.of("2001", new Disk("vSAN Default", ""))));
  }

  @Test
  void machinesOfAPolicyThatTooManyHaveAreAskedOneByOneInRounds() throws Exception {
    rest();
    vcenter.refuse("/rest/vcenter/storage/policies/p-2/vm", 500);
    List<Moref> machines =
        IntStream.rangeClosed(1, StoragePolicyReading.ALONE + 50)
            .mapToObj(n -> new Moref("VirtualMachine", "vm-" + n))
            .toList();
    for (Moref machine : machines) {
      vcenter.answer(
          "/rest/vcenter/vm/" + machine.value() + "/storage/policy",
          "{\"value\": {\"vm_home\": \"p-2\", \"disks\": [{\"key\": \"2000\", \"value\": \"p-1\"}]}}");
    }
    StoragePolicyReading reading = new StoragePolicyReading(vcenter.client());
    assertThat(reading.round(NOW, machines)).hasSize(StoragePolicyReading.ALONE);
    Map<Moref, StoragePolicies> all = reading.round(NOW.plus(Duration.ofMinutes(5)), machines);
    assertThat(all).hasSize(machines.size());
    assertThat(all.get(machines.getLast()))
        .isEqualTo(new StoragePolicies("vSAN Default", "", Map.of("2000", new Disk("Gold", ""))));
    assertThat(vcenter.requests.stream().filter(path -> path.endsWith("/storage/policy")))
        .doesNotHaveDuplicates()
        .hasSize(machines.size());
  }

  @Test
  void aSessionThatHasEndedIsAnErrorAndNoAnswer() throws Exception {
    rest();
    StoragePolicyReading reading = new StoragePolicyReading(vcenter.client());
    vcenter.refuse("/rest/vcenter/storage/policies", 401);
    assertThatThrownBy(() -> reading.round(NOW, List.of(ONE)))
        .isInstanceOf(VimException.Fault.class);
    vcenter.refuse("/rest/vcenter/storage/policies", 200);
    assertThat(reading.round(NOW.plus(Duration.ofMinutes(5)), List.of(ONE))).containsKey(ONE);
  }
}
