package io.peerlens.outlier.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutlierGroupAnswersTest {

  @ParameterizedTest
  @CsvSource({"4.5, 2.7", "3.5, 2.1", "6, 3.6", "2.3, 1.38"})
  void theClosingScoreHasNoBinaryRoundingErrors(double opensAt, double closesBelow) {
    assertThat(OutlierGroupAnswers.closesBelow(opensAt)).isEqualTo(closesBelow);
  }
}
