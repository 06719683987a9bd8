package io.peerlens.supermetrics.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.supermetrics.formula.Function;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ProgramTest {

  /** Two clusters; the second one is empty but for a host without VMs. */
  static World world() {
    return new World()
        .add("Datacenter", "dc")
        .add("ClusterComputeResource", "c1", "summary|number_running_vms", 3)
        .add("ClusterComputeResource", "c2", "summary|number_running_vms", 0)
        .add("HostSystem", "h1", "cpu|usagemhz_average", 1000, "hardware|cores", "16")
        .add("HostSystem", "h2", "cpu|usagemhz_average", 3000, "hardware|cores", "8 cores")
        .add("HostSystem", "h3", "hardware|cores", "32")
        .add(
            "VirtualMachine",
            "vm1",
            "cpu|usage_average",
            90,
            "config|name",
            "web-1",
            "cpu:0|usage_average",
            80,
            "cpu:1|usage_average",
            100,
            "mem|usage_average",
            10,
            "sys|poweredOn",
            1)
        .add(
            "VirtualMachine",
            "vm2",
            "cpu|usage_average",
            50,
            "config|name",
            "web-2",
            "mem|usage_average",
            70,
            "sys|poweredOn",
            1,
            "net:Aggregate of all instances|usage_average",
            5,
            "net:4000|usage_average",
            2,
            "net:4001|usage_average",
            3)
        .add(
            "VirtualMachine",
            "vm3",
            "config|name",
            "db-1",
            "mem|usage_average",
            30,
            "sys|poweredOn",
            0)
        .add("Datastore", "ds1", "capacity|used_space", 7, "summary|type", "vsan")
        .relate("dc", "c1", "c2")
        .relate("c1", "h1", "h2")
        .relate("c2", "h3")
        .relate("h1", "vm1", "vm2")
        .relate("h2", "vm3")
        .relate("vm1", "ds1")
        .relate("vm2", "ds1")
        .stale("vm2", "mem|usage_average")
        .identifiers("vm1", Map.of("VMEntityObjectID", "vm-1"));
  }

  @ParameterizedTest(name = "{0} of {1} = {2}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      nullValues = "none",
      textBlock =
          """
          2 + 2 / 2 - 3 ? 4 + 5 / 6 : 7 + 8; vm1; 15
          -0.7 ? 10 : 20; vm1; 10
          !1 ? 2 ? 3 : 4 : 5; vm1; 5
          1+1 > 1 ? 10 : 20; vm1; 10
          avg(2+2>3 ? [10,15,20] : [20,25,30]); vm1; 15
          sum(1+1>=3 ? [1,2,3] : [4,5,6]); vm1; 15
          count(1+1==3 ? [3,5,7] : [1,2,3,4,5,6]); vm1; 6
          ${this, metric=cpu|usage_average} as a != 0 ? 1/a*180 : -1; vm1; 2
          ${this, metric=cpu|usage_average} + 1; vm3; none
          max([${this, metric=cpu|usage_average}, 0]); vm3; 0
          ${this, metric=cpu|usage_average, defval=4}; vm3; 4
          count(${this, metric=cpu|usage_average}); vm3; 0
          count(${this, metric=config|name}); vm3; 1
          ${this, metric=config|name}; vm3; none
          avg(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=cpu|usage_average, depth=2}); c1; 70
          avg(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=cpu|usage_average, depth=1}); c1; none
          avg(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=cpu|usage_average, depth=9}); c2; none
          count(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=cpu|usage_average, depth=9}); c2; 0
          sum(${adaptertype=VMWARE, objecttype=HostSystem, metric=hardware|cores, depth=1}); c1; 16
          sum(${adaptertype=VMWARE, objecttype=HostSystem, metric=hardware|cores, depth=2}); dc; 48
          count(${adaptertype=VMWARE, objecttype=HostSystem, metric=hardware|cores, depth=1}); c1; 2
          sum(${adaptertype=VMWARE, objecttype=Datastore, metric=capacity|used_space, depth=5}); c1; 7
          max(${adaptertype=VMWARE, objecttype=HostSystem, metric=cpu|usagemhz_average, depth=-1}); vm3; 3000
          ${adaptertype=VMWARE, objecttype=HostSystem, metric=cpu|usagemhz_average, depth=-1} / 2; vm3; 1500
          ${adaptertype=VMWARE, objecttype=VirtualMachine, metric=mem|usage_average, depth=-1}; ds1; none
          count(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=cpu|usage_average, depth=5, where=($value > 60)}); c1; 1
          count(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=cpu|usage_average, depth=5, where=($value > 70 || ${metric=mem|usage_average} > 60)}); c1; 2
          count(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=config|name, depth=5, where="config|name startsWith web-"}); c1; 2
          count(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=config|name, depth=5, where="!startsWith web-"}); c1; 1
          sum(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=mem|usage_average, depth=5, where=($value.isFresh())}); c1; 40
          sum(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=mem|usage_average, depth=5, where=(${metric=config|name} contains 'b' && ${metric=sys|poweredOn} == 1)}); c1; 80
          sum(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=mem|usage_average, depth=5} as m / 10); c1; 11
          sum(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=mem|usage_average, depth=5} - ${this, metric=summary|number_running_vms}); c1; 101
          avg(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=mem|usage_average, depth=5} * ${adaptertype=VMWARE, objecttype=VirtualMachine, metric=cpu|usage_average, depth=5}); c1; 2200
          max(${adaptertype=VMWARE, objecttype=VirtualMachine, attribute=cpu|usage_average, depth=5}); c1; 100
          count(${adaptertype=VMWARE, objecttype=VirtualMachine, attribute=cpu|usage_average, depth=5}); c1; 4
          avg(${this, attribute=cpu|usage_average}); vm1; 90
          sum(${this, attribute=net|usage_average}); vm2; 5
          count(${this, attribute=net|usage_average, where=($value > 2)}); vm2; 1
          count(${this, attribute=net|usage_average, where=($value > 2 && ${metric=cpu|usage_average} < 10)}); vm2; 0
          ${this, metric=net:Aggregate of all instances|usage_average}; vm2; 5
          sum(${this, attribute=net|usage_average} * ${this, metric=cpu|usage_average}); vm2; 250
          count(${adaptertype=VMWARE, objecttype=*, metric=mem|usage_average, depth=5}); c1; 3
          sum([${this, metric=summary|number_running_vms}, count(${adaptertype=VMWARE, objecttype=*, attribute=cpu|usage_average, depth=5})]); c1; 7
          ${adaptertype=VMWARE, objecttype=VirtualMachine, objectname=vm2, metric=mem|usage_average} + 1; c2; 71
          ${adaptertype=VMWARE, objecttype=VirtualMachine, objectname=vm1, identifiers={VMEntityObjectID=vm-1}, metric=mem|usage_average}; c2; 10
          ${adaptertype=VMWARE, objecttype=VirtualMachine, objectname=vm1, identifiers={VMEntityObjectID=vm-2}, metric=mem|usage_average}; c2; none
          sum(${adaptertype=VMWARE, objecttype=VirtualMachine, objectname=vm2, attribute=net|usage_average}); c2; 5
          sum(combine([${this, metric=summary|number_running_vms}, 4])); c1; 7
          1 / 0; vm1; none
          sqrt(0 - 4); vm1; none
          0 && ${this, metric=nothing}; vm1; 0
          1 || ${this, metric=nothing}; vm1; 1
          ${this, metric=nothing} && 0; vm1; none
          sum(${this, metric=sys|poweredOn} > 0 ? ${this, attribute=cpu|usage_average} : 0); vm1; 270
          7 % 4 / 3; vm1; 1
          sum([1, 2] * 3); vm1; 9
          max(${this, metric=nothing} as x > 1 ? [1] : [2, 5]); vm1; none
          """)
  void formulasOfTheWorld(String formula, String object, Double expected) {
    assertThat(world().value(formula, object))
        .isEqualTo((Double) (expected == null ? Double.NaN : expected));
  }

  static Stream<org.junit.jupiter.params.provider.Arguments> examples() {
    return Arrays.stream(Function.values())
        .flatMap(
            function ->
                function.examples().stream()
                    .map(
                        e ->
                            org.junit.jupiter.params.provider.Arguments.of(
                                e.formula(), e.value())));
  }

  @ParameterizedTest(name = "{0} = {1}")
  @MethodSource("examples")
  void examplesOfTheFunctionsHold(String formula, double value) {
    assertThat(world().value(formula, "vm1")).isEqualTo((Double) value);
  }

  @Test
  void everyFunctionHasAnExample() {
    assertThat(Function.values()).allMatch(function -> !function.examples().isEmpty());
  }
}
