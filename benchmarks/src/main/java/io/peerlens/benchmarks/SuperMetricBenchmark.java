package io.peerlens.benchmarks;

import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Definition;
import io.peerlens.supermetrics.program.Input;
import io.peerlens.supermetrics.program.Program;
import io.peerlens.supermetrics.program.Results;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One tick of 50 super metrics over a fleet whose frame is loaded: the formulas are of the kind and
 * mix that people publish, half of them over related objects.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class SuperMetricBenchmark {

  private static final String VMS = "${adaptertype=VMWARE, objecttype=VirtualMachine, ";
  private static final String HOSTS = "${adaptertype=VMWARE, objecttype=HostSystem, ";
  private static final String DATASTORES = "${adaptertype=VMWARE, objecttype=Datastore, ";

  /** Of virtual machines and hosts alone. */
  static final List<String> FLAT =
      List.of(
          "${this, metric=mem|consumed_average} / 1048576",
          "${this, metric=cpu|usagemhz_average} / ${this, metric=cpu|corecount_provisioned}",
          "floor(${this, metric=cpu|readyPct} * 100 + 0.5) / 100",
          "${this, metric=sys|poweredOn} == 1 ? ${this, metric=cpu|usage_average} : 0",
          "max([${this, metric=cpu|readyPct}, ${this, metric=cpu|costopPct}, 0])",
          "(${this, metric=cpu|readyPct} + ${this, metric=cpu|costopPct}) / 2",
          "${this, metric=mem|usage_average} > 90 && ${this, metric=cpu|usage_average} > 90",
          "100 - ${this, metric=cpu|usage_average}",
          "sum(${this, attribute=virtualDisk|commandsAveraged_average})",
          "${this, metric=net|usage_average} * 8 / 1024",
          "count(${this, metric=cpu|usage_average, where=($value > 80)}) ? 1 : 0",
          "${this, metric=cpu|iowaitAvg} as w < 1 ? 100 : w < 3 ? 75 : w < 5 ? 50 : 25",
          "min([${this, metric=mem|usage_average}, 100]) * ${this, metric=sys|poweredOn}",
          "${this, metric=diskspace|used} / ${this, metric=diskspace|total} * 100",
          "sqrt(pow(${this, metric=cpu|usage_average}, 2) + pow(${this, metric=mem|usage_average}, 2))",
          "avg([${this, metric=cpu|usage_average}, ${this, metric=mem|usage_average}])",
          "!count(${this, metric=summary|guest|fullName, where=($value contains 'Windows')})",
          "ceil(${this, metric=mem|consumed_average} / 1048576 / 4) * 4",
          "max([${this, metric=diskspace|used} - ${this, metric=guest|used}, 0])",
          "${this, metric=summary|oversized} ? ${this, metric=summary|oversized|vcpus} : 0",
          "avg(" + HOSTS + "metric=cpu|usage_average, depth=-1})",
          "max("
              + HOSTS
              + "metric=cpu|usage_average, depth=-1}) > 80 ? ${this, metric=cpu|readyPct} : 0",
          "max(" + DATASTORES + "metric=datastore|totalLatency_average, depth=1})",
          "sum(" + DATASTORES + "metric=capacity|available, depth=1}) / 1024",
          "${this, metric=mem|swapped_average} > 0 ? 1 : 0");

  /** Of hosts, clusters and datacenters over what is below them. */
  static final List<String> OVER_OTHERS =
      List.of(
          "sum(" + VMS + "metric=cpu|corecount_provisioned, depth=5})",
          "sum(" + VMS + "metric=mem|consumed_average, depth=5}) / 1048576",
          "avg(" + VMS + "metric=cpu|usage_average, depth=5})",
          "max(" + VMS + "metric=cpu|readyPct, depth=5})",
          "min(" + VMS + "metric=cpu|usage_average, depth=5})",
          "count(" + VMS + "metric=cpu|usage_average, depth=5, where=($value > 80)})",
          "count(" + VMS + "metric=mem|usage_average, depth=5, where=\"> 90\"})",
          "count("
              + VMS
              + "metric=summary|guest|fullName, depth=5, where=\"startsWith Microsoft Windows\"})",
          "sum(" + VMS + "metric=net|usage_average, depth=5})",
          "max(" + VMS + "metric=mem|usage_average, depth=5})",
          "sum(" + VMS + "metric=diskspace|used, depth=5})",
          "count("
              + VMS
              + "metric=sys|poweredOn, depth=5, where=(${metric=cpu|usage_average} > 50"
              + " && $value.isFresh())})",
          "sum(" + VMS + "metric=cpu|usagemhz_average, depth=5})",
          "avg(" + VMS + "metric=mem|usage_average, depth=5} / 1024)",
          "max(" + VMS + "attribute=virtualDisk|commandsAveraged_average, depth=5})",
          "sum(" + HOSTS + "metric=hardware|cpuInfo|numCpuCores, depth=3})",
          "max("
              + HOSTS
              + "metric=cpu|usage_average, depth=3}) - min("
              + HOSTS
              + "metric=cpu|usage_average, depth=3})",
          "count(" + HOSTS + "metric=runtime|maintenance, depth=3, where=(!($value == 0))})",
          "sum("
              + VMS
              + "metric=cpu|corecount_provisioned, depth=5}) / sum("
              + HOSTS
              + "metric=hardware|cpuInfo|numCpuCores, depth=3})",
          "sum(" + VMS + "metric=summary|oversized|vcpus, depth=5, where=\"> 0\"})",
          "avg(" + VMS + "metric=cpu|readyPct, depth=5}) > 5 ? 1 : 0",
          "sum(" + DATASTORES + "metric=capacity|available, depth=6})",
          "max(" + DATASTORES + "metric=datastore|totalLatency_average, depth=6})",
          "count("
              + VMS
              + "metric=cpu|readyPct, depth=5, where=\"> 5\"}) / count("
              + VMS
              + "metric=cpu|readyPct, depth=5}) * 100",
          "floor(min([sum("
              + VMS
              + "metric=summary|oversized|vcpus, depth=5}) / 4, sum("
              + VMS
              + "metric=summary|oversized|memory, depth=5}) / 32]))");

  @Param({"1000", "10000", "100000"})
  public int objects;

  @Param({"all", "flat", "others"})
  public String formulas = "all";

  private Fleet fleet = new Fleet(1000);
  private Program program = Program.of(List.of(), Program.Options.DEFAULT);
  private final Map<UUID, String> texts = new HashMap<>();
  private final Program.Workspace workspace = new Program.Workspace();

  @Setup
  public void load() {
    fleet = new Fleet(objects);
    List<Definition> definitions = new ArrayList<>();
    if (!formulas.equals("others")) {
      FLAT.forEach(
          text -> definitions.add(definition(text, List.of(Fleet.VM), definitions.size())));
    }
    if (!formulas.equals("flat")) {
      List<ObjectKind> kinds = List.of(Fleet.CLUSTER, Fleet.DATACENTER);
      OVER_OTHERS.forEach(text -> definitions.add(definition(text, kinds, definitions.size())));
    }
    definitions.forEach(one -> texts.put(one.id(), one.formula().text()));
    program = Program.of(definitions, Program.Options.DEFAULT);
    for (Input input : program.inputs()) {
      if (input.attribute()) {
        fleet.instances(input.kind(), input.key());
      } else {
        fleet.column(input.kind(), input.key());
      }
    }
    for (Results.Result result : tick().columns()) {
      if (result.error() != null) {
        throw new IllegalStateException(result.error());
      }
    }
  }

  /** Text of a formula, for people. */
  String text(UUID id) {
    return texts.getOrDefault(id, "");
  }

  private static Definition definition(String text, List<ObjectKind> kinds, int number) {
    return new Definition(new UUID(0, number), Formula.parse(text), kinds);
  }

  @Benchmark
  public Results tick() {
    return program.run(fleet, Program.Enabled.ALL, workspace);
  }
}
