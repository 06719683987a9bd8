package io.peerlens.capacity;

import io.peerlens.baselines.TimeRemaining;
import io.peerlens.ingest.key.MetricKey;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Forecasts as the contract writes them. Thread-safe. */
public final class CapacityAnswers {

  private final Forecasts forecasts;

  CapacityAnswers(Forecasts forecasts) {
    this.forecasts = forecasts;
  }

  /** What of an object fills up, by its internal id. */
  public record OfObject(int object, io.peerlens.api.model.Forecast forecast) {}

  /**
   * What of the objects fills up, the first to be full first.
   *
   * @param objects internal ids
   * @param asOf a past moment, after which nothing counts; null = now
   */
  public List<OfObject> of(int[] objects, @Nullable Instant asOf) {
    Integer[] ids = Arrays.stream(objects).boxed().toArray(Integer[]::new);
    return forecasts.of(ids, asOf).stream()
        .sorted(
            Comparator.comparingDouble((Forecast one) -> one.remaining().days())
                .thenComparing(one -> one.remaining().earliest())
                .thenComparing(one -> one.container().name())
                .thenComparing(Forecast::instance))
        .map(one -> new OfObject(one.objectId(), answer(one)))
        .toList();
  }

  /** The metric of a kind of objects that fills up; null = none is known to. */
  public static @Nullable String key(ObjectKind kind) {
    return Container.ALL.stream()
        .filter(container -> container.kind().equals(kind))
        .map(container -> container.used().toString())
        .findFirst()
        .orElse(null);
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
