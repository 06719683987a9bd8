package io.peerlens.standalone.size;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlanTextTest {
  private static final Estate LARGE =
      new Estate(1_000_000, 200_000_000, 300, 10_000_000, 8, Kept.SHIPPED);
  private static final Estate SMALL = new Estate(350, 9_000, 20, 0, 6, Kept.SHIPPED);

  private static String text(Estate estate, boolean explain) {
    return String.join("\n", PlanText.lines(Planner.plan(estate), explain));
  }

  @Test
  void aLargeEstateSaysWhatIsBeyondWhatWasMeasuredAndWhatToChange() {
    assertThat(text(LARGE, false))
        .contains("1,000,000 objects, 200,000,000 metrics every 300 s in sets of 8")
        .contains("TimescaleDB with columnstore")
        .contains("peerlens.learning.parts = 8")
        .contains("All of this is calculated, from unit costs that were measured on two cores.")
        .contains("Larger than anything measured, which is in brackets: evaluation (100,000")
        .contains("made shorter by themselves, about 1 h")
        .contains("installations")
        .doesNotContain("UNIT COSTS")
        .doesNotContain("NaN")
        .doesNotContain("Infinity");
  }

  @Test
  void aSmallEstateIsOneMachineWithNothingToChange() {
    assertThat(text(SMALL, false))
        .contains("one for everything: 2 cores, 8 GB of memory")
        .contains("peerlens.rollup.parts = 2 (as shipped)")
        .doesNotContain("WHAT TO CHANGE")
        .doesNotContain("peerlens.flows ")
        .doesNotContain("roll-ups of flows");
  }

  @Test
  void linesFitATerminal() {
    assertThat(PlanText.lines(Planner.plan(LARGE), true))
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(125));
  }

  @ParameterizedTest
  @EnumSource(Cost.class)
  void everyCostIsExplainedAndStandsWhereItSays(Cost cost) throws IOException {
    assertThat(text(LARGE, true)).contains("\n" + cost.label() + ": ");
    String document = Files.readString(Path.of("..", cost.document()));
    for (String heading : cost.section().split("; ")) {
      assertThat(document).containsPattern("(?m)^#+ " + heading + "$");
    }
  }
}
