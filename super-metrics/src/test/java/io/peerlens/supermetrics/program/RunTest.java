package io.peerlens.supermetrics.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How several super metrics are computed together. */
class RunTest {

  private static final ObjectKind VM = World.kind("VirtualMachine");
  private static final ObjectKind HOST = World.kind("HostSystem");
  private static final ObjectKind CLUSTER = World.kind("ClusterComputeResource");
  private static final String VMS = "${adaptertype=VMWARE, objecttype=VirtualMachine, ";

  /** A world that counts who asks for which key, and can take its time. */
  private static final class Watched implements Frame {
    private final World world = ProgramTest.world();
    private final Map<String, Integer> asked = new HashMap<>();
    private final AtomicLong clock = new AtomicLong();

    @Override
    public long time() {
      return world.time();
    }

    @Override
    public ObjectGraph objects() {
      return world.objects();
    }

    @Override
    public @Nullable Column column(ObjectKind kind, String key) {
      asked.merge(key, 1, Integer::sum);
      if (key.equals("slow|key")) {
        clock.addAndGet(Duration.ofSeconds(20).toNanos());
      }
      return world.column(kind, key);
    }

    @Override
    public @Nullable Instances instances(ObjectKind kind, String attribute) {
      asked.merge(attribute, 1, Integer::sum);
      return world.instances(kind, attribute);
    }
  }

  private static UUID id(int number) {
    return new UUID(0, number);
  }

  private static String key(int number) {
    return Keys.superMetric(id(number));
  }

  private static Definition definition(int number, String formula, ObjectKind... kinds) {
    return new Definition(id(number), Formula.parse(formula), List.of(kinds));
  }

  private static Program program(Definition... definitions) {
    return Program.of(List.of(definitions), Program.Options.DEFAULT);
  }

  @ParameterizedTest(name = "{2}: {0} of {1}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      textBlock =
          """
          ${this, metric=no|key} + 1; VirtualMachine; UNKNOWN_KEY=3
          ${this, metric=cpu|usage_average} + 1; VirtualMachine; NO_VALUE=1
          ${this, metric=config|name} * 2; VirtualMachine; NOT_NUMERIC=3
          ${this, metric=cpu|usage_average, where=($value > 60)}; VirtualMachine; NO_VALUE=1, LEFT_OUT=1
          max(${adaptertype=VMWARE, objecttype=Datastore, metric=capacity|used_space, depth=1}); VirtualMachine; NO_RELATED_OBJECT=1
          max(${adaptertype=VMWARE, objecttype=Datastore, metric=no|key, depth=1}); VirtualMachine; NO_RELATED_OBJECT=1, UNKNOWN_KEY=2
          max(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=cpu|usage_average, depth=1}); HostSystem; NO_RELATED_OBJECT=1, NO_VALUE=1
          sum(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=mem|usage_average, depth=5, where=\"> 99\"}); ClusterComputeResource; NO_RELATED_OBJECT=1, LEFT_OUT=1
          sum(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=config|name, depth=5}); ClusterComputeResource; NO_RELATED_OBJECT=1, NOT_NUMERIC=1
          ${adaptertype=VMWARE, objecttype=HostSystem, objectname=h9, metric=hardware|cores}; Datacenter; NO_SUCH_OBJECT=1
          max(${adaptertype=VMWARE, objecttype=HostSystem, objectname=h9, attribute=hardware|cores}); Datacenter; NO_SUCH_OBJECT=1
          ${adaptertype=VMWARE, objecttype=HostSystem, metric=cpu|usagemhz_average, depth=1}; ClusterComputeResource; NO_VALUE=1, SEVERAL_VALUES=1
          1 / (${this, metric=summary|number_running_vms} - 3); ClusterComputeResource; NOT_A_NUMBER=1
          sum(${this, attribute=net|usage_average}); VirtualMachine; NO_VALUE=2
          sum(${this, attribute=no|key}); VirtualMachine; UNKNOWN_KEY=3
          max([${this, metric=no|key}, ${this, metric=config|name}]); VirtualMachine; NOT_NUMERIC=3
          ${this, metric=cpu|usage_average} > 60 ? ${this, metric=no|key} : 1; VirtualMachine; UNKNOWN_KEY=1, NO_VALUE=1
          count(${this, metric=no|key}); VirtualMachine; ''
          """)
  void objectsWithoutAValueHaveTheReason(String formula, String kind, String reasons) {
    Results.Result result =
        program(definition(1, formula.replace("\\\"", "\""), World.kind(kind)))
            .run(ProgramTest.world(), Program.Enabled.ALL)
            .columns()
            .getFirst();
    String told = result.noData().toString().replaceAll("[{}]", "");
    assertThat(told).isEqualTo(reasons.replace("''", ""));
    long missing = Arrays.stream(result.values()).filter(Double::isNaN).count();
    assertThat(result.noData().values().stream().mapToInt(i -> i).sum()).isEqualTo((int) missing);
    assertThat(result.computed()).isEqualTo(result.values().length - (int) missing);
  }

  @Test
  void inputsAreComputedFirstAndSeenAtOnce() {
    Definition first = definition(9, "${this, metric=cpu|usage_average} * 2", VM);
    Definition second = definition(5, "max(" + VMS + "metric=" + first.key() + ", depth=1})", HOST);
    Definition third =
        definition(
            1,
            "sum(${adaptertype=VMWARE, objecttype=HostSystem, metric="
                + second.key()
                + ", depth=1}) + 1",
            CLUSTER);
    Program program = program(third, second, first);
    assertThat(program.dependencies().order()).containsExactly(id(9), id(5), id(1));
    assertThat(program.dependencies().reads(id(1))).containsExactly(id(5));
    assertThat(program.dependencies().cycle(id(1))).isEmpty();
    assertThat(program.inputs()).containsExactly(new Input(VM, "cpu|usage_average", false, false));
    Results results = program.run(ProgramTest.world(), Program.Enabled.ALL);
    assertThat(results.of(id(5), HOST).values()[0]).isEqualTo(180);
    assertThat(results.of(id(1), CLUSTER).values()[0]).isEqualTo(181);
    assertThat(results.of(id(1), HOST)).isNull();
  }

  @Test
  void aSuperMetricThatReadsItselfSeesItsLastStoredValue() {
    World world = ProgramTest.world().add("VirtualMachine", "vm4", key(1), 41);
    String formula =
        "max([${this, metric="
            + key(1)
                .toUpperCase(java.util.Locale.ROOT)
                .replace("SUPER METRIC|SM_", "Super Metric|sm_")
            + "}, 0]) + 1";
    Program program = program(definition(1, formula, VM));
    assertThat(program.dependencies().cycle(id(1))).containsExactly(id(1));
    assertThat(program.inputs()).containsExactly(new Input(VM, key(1), false, false));
    Results results = program.run(world, Program.Enabled.ALL);
    assertThat(results.of(id(1), VM).values()).containsExactly(1, 1, 1, 42);
  }

  @Test
  void superMetricsThatReadOneAnotherSeeLastStoredValuesInWhereToo() {
    World world =
        new World().add("VirtualMachine", "vm", key(1), 10, key(2), 20, "cpu|usage_average", 1);
    Definition one = definition(1, "${this, metric=" + key(2) + "} + 1", VM);
    Definition two =
        definition(
            2, "${this, metric=cpu|usage_average, where=(${metric=" + key(1) + "} == 10)} + 1", VM);
    Definition reader = definition(3, "${this, metric=" + key(1) + "} * 2", VM);
    Program program = program(reader, two, one);
    assertThat(program.dependencies().order()).containsExactly(id(1), id(2), id(3));
    assertThat(program.dependencies().cycle(id(2))).containsExactlyInAnyOrder(id(1), id(2));
    Results results = program.run(world, Program.Enabled.ALL);
    assertThat(results.of(id(1), VM).values()).containsExactly(21);
    assertThat(results.of(id(2), VM).values()).containsExactly(2);
    assertThat(results.of(id(3), VM).values()).containsExactly(42);
  }

  @Test
  void longChainsAndCirclesAreSortedWithoutRecursion() {
    Definition[] chain = new Definition[3_000];
    for (int i = 0; i < chain.length; i++) {
      String formula = i == 0 ? "1" : "${this, metric=" + key(i - 1) + "} + 1";
      chain[chain.length - 1 - i] = definition(i, formula, VM);
    }
    Results results = program(chain).run(ProgramTest.world(), Program.Enabled.ALL);
    assertThat(results.of(id(2_999), VM).values()[0]).isEqualTo(3_000);
  }

  @Test
  void sharedStepsAreComputedOnce() {
    Watched frame = new Watched();
    Program program =
        program(
            definition(1, "sum(" + VMS + "metric=mem|usage_average, depth=2})", CLUSTER),
            definition(2, "max(" + VMS + "metric=mem|usage_average, depth=2}) + 1", CLUSTER),
            definition(3, "count(" + VMS + "metric=mem|usage_average, depth=2} / 2)", CLUSTER),
            definition(4, "${this, metric=mem|usage_average}", VM));
    program.run(frame, Program.Enabled.ALL);
    // the first cluster has values; of the second, which has no VMs, it is asked why
    assertThat(frame.asked.get("mem|usage_average")).isEqualTo(1);
    assertThat(program.inputs()).hasSize(1);
  }

  @Test
  void aSlowSuperMetricIsReportedAndOthersContinue() {
    Watched frame = new Watched();
    Program.Options options =
        new Program.Options(false, Duration.ofSeconds(10), 1_000, frame.clock::get);
    Program program =
        Program.of(
            List.of(
                definition(1, "${this, metric=slow|key} + ${this, metric=sys|poweredOn}", VM),
                definition(2, "${this, metric=sys|poweredOn} + 1", VM)),
            options);
    Results results = program.run(frame, Program.Enabled.ALL);
    assertThat(results.of(id(1), VM).error()).isEqualTo("more than 10000 ms");
    assertThat(results.of(id(1), VM).noData()).isEqualTo(Map.of(Reason.OVER_BUDGET, 3));
    assertThat(results.of(id(2), VM).values()).containsExactly(2, 2, 1);
    assertThat(results.of(id(2), VM).error()).isNull();
  }

  @Test
  void setsThatAreTooLargeAreRefused() {
    Program.Options options =
        new Program.Options(false, Duration.ofSeconds(10), 3, System::nanoTime);
    Results results =
        Program.of(
                List.of(
                    definition(1, "sum(" + VMS + "attribute=cpu|usage_average, depth=2})", CLUSTER),
                    definition(2, "1", CLUSTER)),
                options)
            .run(ProgramTest.world(), Program.Enabled.ALL);
    assertThat(results.of(id(1), CLUSTER).error()).isEqualTo("more than 3 instances");
    assertThat(results.of(id(2), CLUSTER).values()).containsExactly(1, 1);

    ObjectGraph.Builder graph = ObjectGraph.builder().mostSteps(2);
    graph.object(1, CLUSTER, "c").object(2, HOST, "h1").object(3, HOST, "h2").object(4, HOST, "h3");
    graph.relation(1, 2).relation(1, 3).relation(1, 4);
    ObjectGraph objects = graph.build();
    assertThatThrownBy(() -> objects.related(CLUSTER, HOST, 1))
        .hasMessageContaining("more than 2 relations");
    assertThatThrownBy(() -> objects.near(CLUSTER, 0, HOST, 1))
        .hasMessageContaining("more than 2 relations");
  }

  @Test
  void randomNumbersDifferByObjectFormulaAndPlaceButNotByRun() {
    Program program =
        program(
            definition(1, "rand()", VM),
            definition(2, "rand()", VM),
            definition(3, "rand() as r - r + (rand() == rand() ? 9 : 0)", VM));
    Results once = program.run(ProgramTest.world(), Program.Enabled.ALL);
    Results again = program.run(ProgramTest.world(), Program.Enabled.ALL);
    double[] values = once.of(id(1), VM).values();
    assertThat(values).isEqualTo(again.of(id(1), VM).values()).doesNotHaveDuplicates();
    assertThat(values).isNotEqualTo(once.of(id(2), VM).values());
    assertThat(once.of(id(3), VM).values()).containsOnly(0);
    assertThat(Arrays.stream(values).allMatch(v -> v >= 0 && v < 1)).isTrue();
  }

  @Test
  void aDisabledSuperMetricHasNeitherValueNorReason() {
    Program.Enabled firstOnly = (id, kind) -> new boolean[] {true, false, false};
    Results.Result result =
        program(definition(1, "${this, metric=cpu|usage_average} + 1", VM))
            .run(ProgramTest.world(), firstOnly)
            .columns()
            .getFirst();
    assertThat(result.values()).containsExactly(91, Double.NaN, Double.NaN);
    assertThat(result.noData()).isEmpty();
    assertThat(result.computed()).isEqualTo(1);
  }

  @Test
  void runsMayShareAWorkspaceAndOwnTheirResults() {
    World world = new World();
    for (int i = 0; i < 200; i++) {
      world.add("VirtualMachine", "vm" + i, "cpu|usage_average", i);
    }
    Program program =
        program(
            definition(1, "${this, metric=cpu|usage_average}", VM),
            definition(2, "${this, metric=cpu|usage_average} * 2 + 1", VM),
            definition(3, "${this, metric=" + key(2) + "} * 2", VM),
            definition(4, "${this, metric=cpu|usage_average} * 2 + 1", VM));
    Program.Workspace workspace = new Program.Workspace();
    Results first = program.run(world, Program.Enabled.ALL, workspace);
    double[] kept = first.of(id(2), VM).values().clone();
    Results second = program.run(world, Program.Enabled.ALL, workspace);
    assertThat(first.of(id(2), VM).values()).isEqualTo(kept);
    assertThat(second.of(id(4), VM).values()).isEqualTo(kept);
    assertThat(second.of(id(3), VM).values()[10]).isEqualTo(42);
    second.of(id(1), VM).values()[0] = 77;
    assertThat(world.column(VM, "cpu|usage_average").numbers()[0]).isEqualTo(0);
  }

  @Test
  void formulasAsLargeAsAllowedAreComputedAndExplained() throws InterruptedException {
    StringBuilder aliases = new StringBuilder("sum([(1" + " + 1".repeat(100) + ") as a0");
    for (int i = 1; i < 5; i++) {
      aliases.append(", (a%d + a%d) as a%d".formatted(i - 1, i - 1, i));
    }
    Map<String, Double> large =
        Map.of(
            "1" + " + 1".repeat(1_000), 1_001.0,
            "-".repeat(98) + "1", 1.0,
            "abs(".repeat(98) + "1" + ")".repeat(98), 1.0,
            aliases + "])", 101.0 * 31);
    Map<String, Double> computed = new HashMap<>();
    Map<String, Double> explained = new HashMap<>();
    Runnable all =
        () ->
            large
                .keySet()
                .forEach(
                    text -> {
                      World world = ProgramTest.world();
                      computed.put(text, world.value(text, "vm1"));
                      explained.put(
                          text,
                          new Explainer(world, Program.Options.DEFAULT, Explainer.Limits.DEFAULT)
                              .explain(definition(1, text, VM), VM, world.objects().id(VM, 0))
                              .value());
                    });
    Thread small = new Thread(null, all, "small stack", 1 << 20);
    small.start();
    small.join();
    assertThat(computed).isEqualTo(large);
    assertThat(explained).isEqualTo(large);
  }

  @Test
  void emptySetsAreZeroIfWanted() {
    Program.Options zero =
        new Program.Options(true, Duration.ofSeconds(10), 1_000, System::nanoTime);
    for (String function : List.of("sum", "avg", "min", "max")) {
      String formula = function + "(" + VMS + "metric=cpu|usage_average, depth=9})";
      assertThat(ProgramTest.world().value(formula, "c2", zero)).isEqualTo(0);
      assertThat(ProgramTest.world().value(formula, "c2")).isNaN();
    }
  }
}
