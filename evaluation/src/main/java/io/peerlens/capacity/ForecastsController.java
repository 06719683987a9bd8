package io.peerlens.capacity;

import io.peerlens.api.ForecastsApi;
import io.peerlens.api.model.ForecastList;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.web.ApiException;
import java.util.UUID;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class ForecastsController implements ForecastsApi {

  private final CapacityQueries queries;
  private final CapacityAnswers answers;

  ForecastsController(CapacityQueries queries, CapacityAnswers answers) {
    this.queries = queries;
    this.answers = answers;
  }

  @Heavy(HeavyWork.RANKING)
  @Override
  public ResponseEntity<ForecastList> listForecasts(UUID id) {
    int object = queries.object(id).orElseThrow(() -> ApiException.notFound("object", id));
    return ResponseEntity.ok(
        new ForecastList(
            answers.of(new int[] {object}, null).stream()
                .map(CapacityAnswers.OfObject::forecast)
                .toList()));
  }
}
