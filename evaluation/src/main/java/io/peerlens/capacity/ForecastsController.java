package io.peerlens.capacity;

import io.peerlens.api.ForecastsApi;
import io.peerlens.api.model.ForecastList;
import io.peerlens.baselines.TimeRemaining;
import io.peerlens.ingest.key.MetricKey;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.web.ApiException;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class ForecastsController implements ForecastsApi {

  private final CapacityQueries queries;
  private final Forecasts forecasts;

  ForecastsController(CapacityQueries queries, Forecasts forecasts) {
    this.queries = queries;
    this.forecasts = forecasts;
  }

  @Heavy(HeavyWork.RANKING)
  @Override
  public ResponseEntity<ForecastList> listForecasts(UUID id) {
    int object = queries.object(id).orElseThrow(() -> ApiException.notFound("object", id));
    List<io.peerlens.api.model.Forecast> items =
        forecasts.of(object).stream()
            .sorted(
                Comparator.comparingDouble((Forecast one) -> one.remaining().days())
                    .thenComparing(one -> one.remaining().earliest())
                    .thenComparing(one -> one.container().name())
                    .thenComparing(Forecast::instance))
            .map(ForecastsController::answer)
            .toList();
    return ResponseEntity.ok(new ForecastList(items));
  }

  private static io.peerlens.api.model.Forecast answer(Forecast forecast) {
    MetricKey used = forecast.container().used();
    TimeRemaining remaining = forecast.remaining();
    return new io.peerlens.api.model.Forecast(
        new MetricKey(used.group(), forecast.instance(), used.metric()).toString(),
        TimeRemainingMetrics.key(forecast.container(), forecast.instance()),
        forecast.unit(),
        forecast.limit(),
        remaining.level(),
        forecast.asOf(),
        remaining.days(),
        remaining.earliest(),
        remaining.latest(),
        remaining.perDay(),
        remaining.perDayLeast(),
        remaining.perDayMost());
  }
}
