package io.peerlens.planning.sizing;

import static io.peerlens.api.model.ComparisonJudgement.BETTER;
import static io.peerlens.api.model.ComparisonJudgement.NOT_ENOUGH_DATA;
import static io.peerlens.api.model.ComparisonJudgement.SAME;
import static io.peerlens.api.model.ComparisonJudgement.WORSE;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OutcomesTest {

  @Test
  void aMachineThatIsFullAfterItWasMadeSmallerIsWorseThoughNothingWaits() {
    assertThat(Outcomes.judgement(Found.TOO_LARGE, SAME, 0, 9)).isEqualTo(WORSE);
    assertThat(Outcomes.judgement(Found.TOO_LARGE, SAME, Double.NaN, 9)).isEqualTo(WORSE);
    assertThat(Outcomes.judgement(Found.TOO_LARGE, SAME, 0, 0.5)).isEqualTo(SAME);
    assertThat(Outcomes.judgement(Found.TOO_LARGE, NOT_ENOUGH_DATA, 0, 0)).isEqualTo(SAME);
    assertThat(Outcomes.judgement(Found.TOO_LARGE, WORSE, 0, 0)).isEqualTo(WORSE);
  }

  @Test
  void aMachineThatIsFullForHalfTheHoursAfterItGrewIsBetter() {
    assertThat(Outcomes.judgement(Found.TOO_SMALL, SAME, 50, 2)).isEqualTo(BETTER);
    assertThat(Outcomes.judgement(Found.TOO_SMALL, SAME, 50, 48)).isEqualTo(SAME);
    assertThat(Outcomes.judgement(Found.TOO_SMALL, WORSE, 50, 0)).isEqualTo(WORSE);
  }
}
