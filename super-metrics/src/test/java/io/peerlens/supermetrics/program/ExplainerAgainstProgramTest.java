package io.peerlens.supermetrics.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.supermetrics.formula.Expr;
import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.formula.RandomFormulas;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two ways to compute the same formulas, which share little code, must agree. */
class ExplainerAgainstProgramTest {

  private static final Program.Options ZERO =
      new Program.Options(true, Duration.ofSeconds(60), 1_000_000, System::nanoTime);

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void randomFormulasYieldTheSame(long seed) {
    compare(seed, 400);
  }

  @Tag("proof")
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1001, 1002, 1003, 1004})
  void manyRandomFormulasYieldTheSame(long seed) {
    compare(seed, 20_000);
  }

  private static void compare(long seed, int formulas) {
    RandomFormulas random = new RandomFormulas(seed);
    int values = 0;
    int missing = 0;
    for (int i = 0; i < formulas; i++) {
      World world = RandomWorld.of(seed * 31 + i / 10);
      String text = Formula.print(random.next());
      Formula formula = Formula.parse(text);
      assertThat(formula.isValid()).as(text + "\n" + formula.render()).isTrue();
      Program.Options options = i % 2 == 0 ? Program.Options.DEFAULT : ZERO;
      Definition definition = new Definition(new UUID(seed, i), formula, world.objects().kinds());
      Program program = Program.of(List.of(definition), options);
      Results results = program.run(world, Program.Enabled.ALL);
      for (Results.Result result : results.columns()) {
        ObjectKind kind = result.kind();
        assertThat(result.error()).as(text).isNull();
        Map<Reason, Integer> reasons = new EnumMap<>(Reason.class);
        for (int number = 0; number < result.values().length; number++) {
          Explanation told =
              new Explainer(world, options, Explainer.Limits.DEFAULT)
                  .explain(definition, kind, world.objects().id(kind, number));
          double value = result.values()[number];
          String where = text + "\nof " + kind + " " + number + "\n" + told;
          if (Double.isNaN(value)) {
            assertThat(told.value()).as(where).isNaN();
            assertThat(told.reason()).as(where).isNotNull();
            reasons.merge(told.reason(), 1, Integer::sum);
            missing++;
          } else {
            double precision = Math.max(1e-12, Math.abs(value) * 1e-12);
            assertThat(told.value()).as(where).isCloseTo(value, within(precision));
            assertThat(told.reason()).as(where).isNull();
            values++;
          }
        }
        assertThat(reasons).as("%s of %s", text, kind).isEqualTo(result.noData());
      }
    }
    assertThat(values).isGreaterThan(formulas);
    assertThat(missing).isGreaterThan(formulas);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {11, 12, 13})
  void aPrintedFormulaParsesToTheSameTree(long seed) {
    RandomFormulas random = new RandomFormulas(seed);
    for (int i = 0; i < 3_000; i++) {
      Expr tree = random.next();
      String text = Formula.print(tree);
      assertThat(Formula.parse(text).tree().unplaced()).as(text).isEqualTo(tree);
    }
  }
}
