package io.peerlens.evaluation;

import io.peerlens.api.EvaluationApi;
import io.peerlens.api.model.EvaluationStatus;
import java.time.Instant;
import java.time.InstantSource;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class EvaluationController implements EvaluationApi {

  private final EvaluationQueries queries;
  private final EvaluationProperties properties;
  private final InstantSource clock;

  EvaluationController(
      EvaluationQueries queries, EvaluationProperties properties, InstantSource clock) {
    this.queries = queries;
    this.properties = properties;
    this.clock = clock;
  }

  @Override
  public ResponseEntity<EvaluationStatus> getEvaluation() {
    Instant now = clock.instant();
    return ResponseEntity.ok(
        new EvaluationStatus(
            now,
            properties.lag().toMillis() / 1e3,
            properties.catchUp().toMillis() / 1e3,
            queries.shards(now, properties.lag())));
  }
}
