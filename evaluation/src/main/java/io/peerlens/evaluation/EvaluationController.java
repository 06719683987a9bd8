package io.peerlens.evaluation;

import io.peerlens.api.EvaluationApi;
import io.peerlens.api.model.EvaluationStatus;
import io.peerlens.api.model.HeldRule;
import io.peerlens.evaluation.ReadRules.Held;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class EvaluationController implements EvaluationApi {

  private final EvaluationQueries queries;
  private final ReadRules.Stores rules;
  private final EvaluationProperties properties;
  private final InstantSource clock;

  EvaluationController(
      EvaluationQueries queries,
      ReadRules.Stores rules,
      EvaluationProperties properties,
      InstantSource clock) {
    this.queries = queries;
    this.rules = rules;
    this.properties = properties;
    this.clock = clock;
  }

  @Override
  public ResponseEntity<EvaluationStatus> getEvaluation() {
    Instant now = clock.instant();
    EvaluationStatus status =
        new EvaluationStatus(
            now,
            properties.lag().toMillis() / 1e3,
            properties.catchUp().toMillis() / 1e3,
            queries.shards(now, properties.lag()));
    status.setHeld(
        ReadRules.of(rules).held().values().stream()
            .sorted(Comparator.comparing(Held::kind).thenComparing(Held::name))
            .map(EvaluationController::held)
            .toList());
    return ResponseEntity.ok(status);
  }

  private static HeldRule held(Held rule) {
    return new HeldRule(
        HeldRule.KindEnum.fromValue(rule.kind()), rule.id(), rule.name(), rule.reason());
  }
}
