package io.peerlens.supermetrics.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ExplainerTest {

  private static final ObjectKind VM = World.kind("VirtualMachine");
  private static final ObjectKind CLUSTER = World.kind("ClusterComputeResource");
  private final World world = ProgramTest.world();

  private Explanation explain(String formula, ObjectKind kind, int number) {
    return explain(formula, kind, number, Explainer.Limits.DEFAULT);
  }

  private Explanation explain(
      String formula, ObjectKind kind, int number, Explainer.Limits limits) {
    Definition definition = new Definition(new UUID(0, 1), Formula.parse(formula), List.of(kind));
    return new Explainer(world, Program.Options.DEFAULT, limits)
        .explain(definition, kind, world.objects().id(kind, number));
  }

  @Test
  void theExplanationShowsTheMatchesOfAnEntryAndTheirUse() {
    Explanation told =
        explain(
            "avg(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=mem|usage_average, depth=2,"
                + " where=(${metric=sys|poweredOn} == 1 && $value.isFresh())})",
            CLUSTER,
            0);
    assertThat(told.value()).isEqualTo(10);
    Explanation entry = told.parts().getFirst();
    assertThat(entry.part()).isEqualTo(Explanation.Part.ENTRY);
    assertThat(entry.several()).isTrue();
    assertThat(entry.values()).isEqualTo(1);
    Explanation.Match match = entry.match();
    assertThat(match.kind()).isEqualTo(VM);
    assertThat(match.depth()).isEqualTo(2);
    assertThat(match.where()).isEqualTo("${metric=sys|poweredOn} == 1 && $value.isFresh()");
    assertThat(List.of(match.objects(), match.candidates(), match.withValue(), match.kept()))
        .containsExactly(3, 3, 3, 1);
    assertThat(match.leftOut()).isEqualTo(2);
    assertThat(match.items())
        .extracting("name", "level", "value", "fresh", "asked", "outcome")
        .containsExactly(
            tuple("vm1", 2, 10.0, true, asked("1"), Explanation.Outcome.KEPT),
            tuple("vm2", 2, 70.0, false, asked("1"), Explanation.Outcome.LEFT_OUT),
            tuple("vm3", 2, 30.0, true, asked("0"), Explanation.Outcome.LEFT_OUT));
  }

  @Test
  void theExplanationGivesTimesOfSamplesEvenIfTooOld() {
    World sampled =
        ProgramTest.world()
            .sampled("vm1", "mem|usage_average", 1_000)
            .add("VirtualMachine", "vm9", "mem|usage_average", Double.NaN)
            .relate("h2", "vm9")
            .sampled("vm9", "mem|usage_average", 500);
    Definition definition =
        new Definition(
            new UUID(0, 1),
            Formula.parse(
                "count(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=mem|usage_average,"
                    + " depth=2})"),
            List.of(CLUSTER));
    Explanation told =
        new Explainer(sampled, Program.Options.DEFAULT, Explainer.Limits.DEFAULT)
            .explain(definition, CLUSTER, sampled.objects().id(CLUSTER, 0));
    assertThat(told.parts().getFirst().match().items())
        .extracting("name", "time", "outcome")
        .contains(
            tuple("vm1", 1_000L, Explanation.Outcome.KEPT),
            tuple("vm2", 0L, Explanation.Outcome.KEPT),
            tuple("vm9", 500L, Explanation.Outcome.NO_VALUE));
  }

  private static Map<String, String> asked(String value) {
    return Map.of("sys|poweredOn", value);
  }

  @Test
  void theExplanationNamesInstancesAndObjectsWithoutOne() {
    Explanation told =
        explain(
            "sum(${adaptertype=VMWARE, objecttype=VirtualMachine, attribute=net|usage_average,"
                + " depth=2})",
            CLUSTER,
            0);
    assertThat(told.value()).isEqualTo(5);
    Explanation.Match match = told.parts().getFirst().match();
    assertThat(match.items())
        .extracting("name", "key", "outcome")
        .containsExactly(
            tuple("vm2", "net:4000|usage_average", Explanation.Outcome.KEPT),
            tuple("vm2", "net:4001|usage_average", Explanation.Outcome.KEPT),
            tuple("vm1", null, Explanation.Outcome.NO_VALUE),
            tuple("vm3", null, Explanation.Outcome.NO_VALUE));
  }

  @Test
  void theExplanationSaysWhyThereIsNoValue() {
    Explanation told =
        explain("${this, metric=cpu|usage_average} > 60 ? 1 / 0 : ${this, metric=x}", VM, 0);
    assertThat(told.part()).isEqualTo(Explanation.Part.CHOICE);
    assertThat(told.reason()).isEqualTo(Reason.NOT_A_NUMBER);
    assertThat(told.parts())
        .extracting("text", "taken", "value")
        .containsExactly(
            tuple("${this, metric=cpu|usage_average} > 60", true, 1.0),
            tuple("1 / 0", true, Double.NaN),
            tuple("${this, metric=x}", false, Double.NaN));
    assertThat(told.parts().get(1).at().start()).isEqualTo(41);
    assertThat(explain("${this, metric=x} + 1", VM, 0).reason()).isEqualTo(Reason.UNKNOWN_KEY);
    assertThat(explain("${this, metric=config|name} + 1", VM, 0).reason())
        .isEqualTo(Reason.NOT_NUMERIC);
    assertThat(explain("0 && ${this, metric=x}", VM, 0).parts().get(1).taken()).isFalse();
  }

  @Test
  void anAliasShowsItsDefinition() {
    Explanation told = explain("${this, metric=cpu|usage_average} as a + A", VM, 0);
    assertThat(told.value()).isEqualTo(180);
    assertThat(told.parts().get(1).part()).isEqualTo(Explanation.Part.ALIAS);
    assertThat(told.parts().get(1).parts().getFirst().match().items().getFirst().name())
        .isEqualTo("vm1");
  }

  @Test
  void anExplanationIsBoundedInPartsItemsAndTime() {
    String sum = "1" + " + 1".repeat(300);
    Explanation told = explain(sum, VM, 0, new Explainer.Limits(5, 10, Duration.ofSeconds(5)));
    assertThat(told.value()).isEqualTo(301);
    assertThat(count(told)).isLessThanOrEqualTo(5);
    Explanation few =
        explain(
            "count(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=mem|usage_average,"
                + " depth=2})",
            CLUSTER,
            0,
            new Explainer.Limits(100, 2, Duration.ofSeconds(5)));
    Explanation.Match match = few.parts().getFirst().match();
    assertThat(match.items()).hasSize(2);
    assertThat(match.truncated()).isTrue();
    assertThat(match.kept()).isEqualTo(3);
    AtomicLong clock = new AtomicLong();
    Program.Options slow =
        new Program.Options(false, Duration.ofSeconds(1), 1000, () -> clock.addAndGet(100_000_000));
    Definition definition = new Definition(new UUID(0, 1), Formula.parse(sum), List.of(VM));
    Explanation late =
        new Explainer(world, slow, new Explainer.Limits(100, 10, Duration.ofSeconds(1)))
            .explain(definition, VM, world.objects().id(VM, 0));
    assertThat(late.reason()).isEqualTo(Reason.OVER_BUDGET);
  }

  private static int count(Explanation told) {
    return 1 + told.parts().stream().mapToInt(ExplainerTest::count).sum();
  }

  @Test
  void otherSuperMetricsAreReadFromTheRunOrTheStore() {
    Definition first =
        new Definition(
            new UUID(0, 1), Formula.parse("${this, metric=cpu|usage_average} * 2"), List.of(VM));
    Definition second =
        new Definition(
            new UUID(0, 2), Formula.parse("${this, metric=" + first.key() + "} + 1"), List.of(VM));
    Program program = Program.of(List.of(second, first), Program.Options.DEFAULT);
    Results results = program.run(world, Program.Enabled.ALL);
    Explainer explainer = new Explainer(world, Program.Options.DEFAULT, Explainer.Limits.DEFAULT);
    int vm1 = world.objects().id(VM, 0);
    assertThat(explainer.explain(second, VM, vm1, results, Set.of()).value()).isEqualTo(181);
    assertThat(explainer.explain(second, VM, vm1, results, Set.of(first.id())).reason())
        .isEqualTo(Reason.UNKNOWN_KEY);
    assertThat(explainer.explain(second, VM, vm1).reason()).isEqualTo(Reason.UNKNOWN_KEY);
  }

  @Test
  void anObjectThatIsNotThereIsRefused() {
    assertThatThrownBy(
            () ->
                new Explainer(world, Program.Options.DEFAULT, Explainer.Limits.DEFAULT)
                    .explain(
                        new Definition(new UUID(0, 1), Formula.parse("1"), List.of(VM)), VM, 999))
        .hasMessage("no object 999 of kind VMWARE/VirtualMachine");
  }
}
