package io.peerlens.standalone.esxtop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstanceFormTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "MACHINE; 19299:web1; web1; 19299; ''",
        "MACHINE; 19299:web: the first; web: the first; 19299; ''",
        "VCPU; 19299:web1:19301:vmx-vcpu-0:web1; web1; 19299; 0",
        "VCPU; 19299:a:b:19312:vmx-vcpu-11:a:b; a:b; 19299; 11",
        "VCPU; 7:vmm0:19301:vmm1:vmm0; vmm0; 7; 1",
        "DISK; web1:scsi0:3; web1; ''; scsi0:3",
        "DISK; web1; web1; ''; ''",
        "DISK; a:b:nvme1:0; a:b; ''; nvme1:0",
        "PORT; vSwitch6:134217730:36139:web1; web1; ''; 134217730",
        "PORT; DvsPortset-0:67108870:web1.eth1; web1; ''; eth1",
        "PORT; DvsPortset-0:67108870:2101:web1 eth0; web1; ''; eth0",
      })
  void namesOfMachinesAreReadWhateverTheyHold(
      InstanceForm form, String text, String name, String group, String instance) {
    assertThat(form.read(text))
        .isEqualTo(new InstanceForm.Place(new Owner.Machine(name, group), instance));
  }

  @ParameterizedTest
  @CsvSource({
    "PCPU, 12, 12",
    "PCPU, _Total, ''",
    "ADAPTER, vmhba64, vmhba64",
    "DEVICE, naa.600508b1, naa.600508b1",
    "DEVICE, t10.NVMe____X, t10.NVMe____X",
    "PATH, vmhba1:C0:T3:L7, vmhba1:C0:T3:L7",
    "UPLINK, vSwitch0:33554434:vmnic0, vmnic0",
    "VMKERNEL, vSwitch0:33554436:vmk2, vmk2",
    "WHOLE, 0, 0",
    "NONE, '', ''",
  })
  void partsOfTheHostKeepTheNamesThatVCenterGivesThem(
      InstanceForm form, String text, String instance) {
    assertThat(form.read(text)).isEqualTo(new InstanceForm.Place(new Owner.Host(), instance));
  }

  @ParameterizedTest
  @CsvSource({
    "VCPU, 2101:hostd:2102:hostd-worker",
    "VCPU, 19299:web1:19300:vmx",
    "VCPU, 19299:web1:19305:mks:web1",
    "MACHINE, idle",
    "ADAPTER, vmhba1:C0:T3:L7",
    "PATH, vmhba1",
    "DEVICE, vmhba1",
    "UPLINK, vSwitch0:33554436:vmk2",
    "PORT, vSwitch0:33554434:vmnic0",
    "PORT, vSwitch0:33554434",
    "PCPU, all",
  })
  void whatHasAnotherFormIsNotTaken(InstanceForm form, String text) {
    assertThat(form.read(text)).isNull();
  }

  @Test
  void aColumnNameIsTakenApartWhereANameHoldsBracketsAndBackslashes() {
    assertThat(ColumnName.parse("\\\\esx1.lab\\Group Cpu(7:a (old)\\b)\\% Ready"))
        .isEqualTo(new ColumnName("esx1.lab", "Group Cpu", "7:a (old)\\b", "% Ready"));
    assertThat(ColumnName.parse("\\\\esx1\\Memory\\Memory Overcommit (1 Minute Avg)"))
        .isEqualTo(new ColumnName("esx1", "Memory", "", "Memory Overcommit (1 Minute Avg)"));
    assertThat(ColumnName.parse("\\\\esx1\\Physical Cpu(0)\\% Util Time"))
        .isEqualTo(new ColumnName("esx1", "Physical Cpu", "0", "% Util Time"));
    assertThat(ColumnName.parse("Memory\\Free MBytes")).isNull();
    assertThat(ColumnName.parse("\\\\esx1")).isNull();
    assertThat(ColumnName.parse("")).isNull();
  }
}
