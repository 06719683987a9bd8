package io.peerlens.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.supermetric.FormulaProperties;
import io.peerlens.support.Properties;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EvaluationPropertiesTest {

  @Test
  void defaults() {
    assertThat(Properties.defaults(EvaluationProperties.class))
        .isEqualTo(
            new EvaluationProperties(
                Duration.ofSeconds(20), 4, Duration.ofMinutes(15), Duration.ofSeconds(5)));
  }

  @Test
  void everyKeyIsMapped() {
    assertThat(
            Properties.with(
                EvaluationProperties.class,
                Map.of(
                    "peerlens.evaluation.lag", "5s",
                    "peerlens.evaluation.shards", "2",
                    "peerlens.evaluation.catch-up", "1h",
                    "peerlens.evaluation.formula-budget", "1s")))
        .isEqualTo(
            new EvaluationProperties(
                Duration.ofSeconds(5), 2, Duration.ofHours(1), Duration.ofSeconds(1)));
  }

  @Test
  void anEmptySetIsNoValueUnlessItIsToBeZero() {
    assertThat(Properties.defaults(FormulaProperties.class))
        .isEqualTo(new FormulaProperties(false));
    assertThat(
            Properties.with(
                FormulaProperties.class, Map.of("peerlens.evaluation.empty-is-zero", "true")))
        .isEqualTo(new FormulaProperties(true));
  }

  @Test
  void invalidValuesAreRefusedWithTheirKey() {
    assertThatThrownBy(
            () ->
                new EvaluationProperties(
                    Duration.ZERO, 0, Duration.ofMinutes(15), Duration.ofSeconds(5)))
        .hasMessageContaining("peerlens.evaluation.shards is 0: give 1 to 64");
    assertThatThrownBy(
            () ->
                new EvaluationProperties(
                    Duration.ofHours(2), 4, Duration.ofMinutes(15), Duration.ofSeconds(5)))
        .hasMessageContaining("peerlens.evaluation.lag");
  }
}
