package io.peerlens.supermetrics.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Formulas over 200,000 VMs below one cluster look at the clock often enough. */
class BudgetTest {

  private static final ObjectKind VM = World.kind("VirtualMachine");
  private static final ObjectKind CLUSTER = World.kind("ClusterComputeResource");
  private static final int VMS = 200_000;
  private static final Duration BUDGET = Duration.ofSeconds(1);
  private static final Frame FLEET = new Fleet();

  /** One cluster with its VMs; of these, every other one has a value for {@code some|key}. */
  private static final class Fleet implements Frame {
    private final ObjectGraph objects;
    private final Map<String, Column> columns;
    private final Instances instances;

    Fleet() {
      ObjectGraph.Builder builder = ObjectGraph.builder().object(0, CLUSTER, "c");
      for (int i = 1; i <= VMS; i++) {
        builder.object(i, VM, "vm" + i).relation(0, i);
      }
      objects = builder.build();
      double[] all = new double[VMS];
      Arrays.setAll(all, i -> i % 1000);
      double[] some = new double[VMS];
      Arrays.setAll(some, i -> i % 2 == 0 ? i % 10 : Double.NaN);
      @Nullable String[] texts = new String[VMS];
      Arrays.setAll(texts, i -> i % 2 == 0 ? "on" : "off");
      columns =
          Map.of("cpu|usage", Column.of(all), "some|key", Column.of(some), "t|x", Column.of(texts));
      int[] offsets = new int[VMS + 1];
      Arrays.setAll(offsets, i -> 2 * i);
      double[] values = new double[2 * VMS];
      Arrays.setAll(values, i -> i % 7);
      String[] keys = new String[2 * VMS];
      Arrays.setAll(keys, i -> "net:" + i % 2 + "|usage");
      instances = new Instances(offsets, Column.of(values), keys);
    }

    @Override
    public long time() {
      return 0;
    }

    @Override
    public ObjectGraph objects() {
      return objects;
    }

    @Override
    public @Nullable Column column(ObjectKind kind, String key) {
      return kind.equals(VM) ? columns.get(key) : null;
    }

    @Override
    public @Nullable Instances instances(ObjectKind kind, String attribute) {
      return kind.equals(VM) && attribute.equals("net|usage") ? instances : null;
    }
  }

  /** A clock that stands still until it was looked at so often, then is an hour later. */
  private static final class Script implements LongSupplier {
    private final int jump;
    private int looks;

    Script(int jump) {
      this.jump = jump;
    }

    @Override
    public long getAsLong() {
      return ++looks < jump ? 0 : Duration.ofHours(1).toNanos();
    }
  }

  private static Results run(LongSupplier ticker, ObjectKind kind, String... formulas) {
    List<Definition> definitions = new ArrayList<>();
    for (String formula : formulas) {
      UUID id = new UUID(0, definitions.size() + 1);
      definitions.add(new Definition(id, Formula.parse(formula), List.of(kind)));
    }
    return Program.of(definitions, new Program.Options(false, BUDGET, 50_000_000, ticker))
        .run(FLEET, Program.Enabled.ALL);
  }

  @ParameterizedTest(name = "{0} for {1}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      textBlock =
          """
          sum(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=cpu|usage, depth=1}); ClusterComputeResource; 3
          max([${adaptertype=VMWARE, objecttype=VirtualMachine, metric=cpu|usage, depth=1}, 7]) ; ClusterComputeResource; 3
          avg(${adaptertype=VMWARE, objecttype=VirtualMachine, attribute=net|usage, depth=1}); ClusterComputeResource; 14
          count(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=cpu|usage, depth=1, where=($value > 10 && ${metric=t|x} contains "n")}); ClusterComputeResource; 15
          sum(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=cpu|usage, depth=1} * ${adaptertype=VMWARE, objecttype=VirtualMachine, metric=some|key, depth=1}); ClusterComputeResource; 6
          ${adaptertype=VMWARE, objecttype=VirtualMachine, metric=cpu|usage, depth=1}; ClusterComputeResource; 3
          min(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=t|x, depth=1}); ClusterComputeResource; 9
          pow(${this, metric=cpu|usage}, 2) + abs(-${this, metric=some|key}); VirtualMachine; 15
          ${this, metric=cpu|usage} > 5 ? ${this, metric=some|key, defval=3} : rand(); VirtualMachine; 9
          sum(${this, attribute=net|usage}) % 3; VirtualMachine; 6
          """)
  void looksAtTheClockOftenAndStopsAtOnce(String formula, String kindName, int least) {
    ObjectKind kind = World.kind(kindName);
    Results.Result whole = run(() -> 0, kind, formula).columns().getFirst();
    assertThat(whole.error()).isNull();
    Script still = new Script(Integer.MAX_VALUE);
    run(still, kind, formula);
    assertThat(still.looks).as("looks at the clock").isGreaterThanOrEqualTo(least);
    // two looks begin a formula and one ends it
    for (int jump = 3; jump < still.looks; jump++) {
      Script script = new Script(jump);
      Results.Result result = run(script, kind, formula).columns().getFirst();
      assertThat(script.looks)
          .as("looks, the last but one after the time was over")
          .isEqualTo(jump + 1);
      assertThat(result.noData()).containsOnlyKeys(Reason.OVER_BUDGET);
      if (result.error() == null) {
        // only why the others have none was not found out in time
        assertThat(result.values()).isEqualTo(whole.values());
        assertThat(result.computed()).isEqualTo(whole.computed());
      } else {
        assertThat(result.error()).isEqualTo("more than 1000 ms");
        assertThat(result.values()).containsOnly(Double.NaN);
      }
    }
  }

  @Test
  void aStepThatTookTooLongIsNotTriedAgainByTheNextFormula() {
    String slow =
        "sum(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=cpu|usage, depth=1})";
    run(() -> 0, CLUSTER, slow);
    int[] looks = {0};
    // each look costs a third of the time, so no formula gets through a long loop
    LongSupplier ticker = () -> looks[0]++ * BUDGET.toNanos() / 3;
    Results results = run(ticker, CLUSTER, slow, slow + " + 1", "2 + 3");
    assertThat(results.columns())
        .extracting(Results.Result::error)
        .containsExactly("more than 1000 ms", "more than 1000 ms", null);
    int first = looks[0];
    looks[0] = 0;
    run(ticker, CLUSTER, slow, "2 + 3");
    assertThat(first - looks[0]).as("looks that the second formula costs").isLessThan(6);
  }

  @Test
  void relationsAreFollowedWithinTheTime() {
    ObjectGraph.Builder builder = ObjectGraph.builder();
    for (int i = 0; i < 1_000; i++) {
      builder.object(i, CLUSTER, "c" + i).object(1_000 + i, VM, "vm" + i);
    }
    for (int i = 0; i < 1_000_000; i++) {
      builder.relation(i / 1_000, 1_000 + i % 1_000);
    }
    ObjectGraph objects = builder.build();
    Script script = new Script(9);
    Budget budget = new Budget(script, BUDGET);
    budget.start();
    assertThatThrownBy(() -> objects.related(CLUSTER, VM, 1, budget))
        .isInstanceOf(Budget.Exceeded.class);
    assertThat(script.looks).isEqualTo(9);
    Script enough = new Script(Integer.MAX_VALUE);
    Budget time = new Budget(enough, BUDGET);
    time.start();
    assertThat(objects.related(CLUSTER, VM, 1, time).members()).hasSize(1_000_000);
    assertThat(enough.looks).isGreaterThan(15);
  }
}
