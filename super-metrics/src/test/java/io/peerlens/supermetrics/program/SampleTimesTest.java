package io.peerlens.supermetrics.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SampleTimesTest {

  private static final ObjectKind VM = World.kind("VirtualMachine");
  private static final UUID ID = new UUID(0, 7);

  private static Definition definition(String formula) {
    return new Definition(ID, Formula.parse(formula), List.of(VM));
  }

  @Test
  void computedResultsHaveTheMomentOfTheRunElseTheTimeOfTheStoredResult() {
    Definition definition = definition("${this, metric=cpu|usage}");
    World world =
        new World()
            .add("VirtualMachine", "a", "cpu|usage", 3)
            .add("VirtualMachine", "b", definition.key(), 8)
            .add("VirtualMachine", "c")
            .sampled("a", "cpu|usage", 5_000)
            .sampled("b", definition.key(), 6_000);
    Results results =
        Program.of(List.of(definition), Program.Options.DEFAULT).run(world, Program.Enabled.ALL);
    Frame over = results.over(world);
    Column column = over.column(VM, definition.key());
    assertThat(column.numbers()).containsExactly(3, Double.NaN, Double.NaN);
    assertThat(column.times()).containsExactly(world.time(), 6_000, 0);
    assertThat(over.column(VM, "cpu|usage").times()).containsExactly(5_000, 0, 0);
    assertThat(over.instances(VM, definition.key()).values()).isSameAs(column);
    assertThat(over.time()).isEqualTo(world.time());
    assertThat(new Results(List.of()).over(world)).isSameAs(world);
  }

  @Test
  void anExplanationReadsTheResultsOfTheRunWithTheirMoment() {
    Definition definition = definition("1");
    World world = new World().add("VirtualMachine", "a");
    Results results =
        Program.of(List.of(definition), Program.Options.DEFAULT).run(world, Program.Enabled.ALL);
    Definition reader =
        new Definition(
            new UUID(0, 8),
            Formula.parse("${this, metric=%s}".formatted(definition.key())),
            List.of(VM));
    Explainer explainer = new Explainer(world, Program.Options.DEFAULT, Explainer.Limits.DEFAULT);
    Explanation told = explainer.explain(reader, VM, world.objects().id(VM, 0), results, Set.of());
    assertThat(told.value()).isEqualTo(1);
    assertThat(told.match().items().getFirst().time()).isEqualTo(world.time());
    Explanation stored =
        explainer.explain(reader, VM, world.objects().id(VM, 0), results, Set.of(ID));
    assertThat(stored.reason()).isEqualTo(Reason.UNKNOWN_KEY);
  }

  @Test
  void instancesKeepTheTimesOfTheirSamples() {
    Column first = new Column(new double[] {1, Double.NaN}, null, null, new long[] {10, 20});
    Column second = Column.of(3, 4);
    Instances of =
        Instances.of(
            2,
            List.of(
                new Instances.Keyed("net:0|usage", false, first),
                new Instances.Keyed("net:1|usage", false, second)));
    assertThat(of.values().numbers()).containsExactly(1, 3, 4);
    assertThat(of.values().times()).containsExactly(10, 0, 0);
    Instances without = Instances.of("cpu|usage", second);
    assertThat(Instances.joined(List.of(without, of)).values().times())
        .containsExactly(0, 0, 10, 0, 0);
    assertThat(Instances.joined(List.of(without)).values().times()).isNull();
  }
}
