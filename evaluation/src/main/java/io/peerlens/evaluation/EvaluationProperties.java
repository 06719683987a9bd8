package io.peerlens.evaluation;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the evaluation loop. All evaluators of an installation need the same settings.
 *
 * @param lag how long after its moment a tick is evaluated, so that late samples are included
 * @param shards how many shards the rules are divided into; one evaluator at a time runs a shard.
 *     Rules that depend on each other, or are computed for the same kind of objects, stay together
 * @param catchUp how far back ticks are made up for after an outage of the evaluators; older ones
 *     are skipped and counted
 * @param formulaBudget how long one formula may compute in a tick; beyond it the formula has no
 *     results and reports that
 */
@ConfigurationProperties("peerlens.evaluation")
public record EvaluationProperties(
    @DefaultValue("20s") Duration lag,
    @DefaultValue("4") int shards,
    @DefaultValue("15m") Duration catchUp,
    @DefaultValue("5s") Duration formulaBudget) {

  public EvaluationProperties {
    if (lag.isNegative() || lag.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException(
          "peerlens.evaluation.lag is %s: give 0s to 1h".formatted(lag));
    }
    if (shards < 1 || shards > 64) {
      throw new IllegalArgumentException(
          "peerlens.evaluation.shards is %d: give 1 to 64".formatted(shards));
    }
    if (catchUp.compareTo(Duration.ofMinutes(1)) < 0) {
      throw new IllegalArgumentException(
          "peerlens.evaluation.catch-up is %s: give at least 1m".formatted(catchUp));
    }
    if (formulaBudget.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException(
          "peerlens.evaluation.formula-budget is %s: give at least 1ms".formatted(formulaBudget));
    }
  }
}
