package io.peerlens.series;

import io.peerlens.api.model.Series;
import io.peerlens.api.model.SeriesResult;
import io.peerlens.web.CsvConverter;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Series as CSV: a line for each step of each series, written as it is made. */
final class SeriesCsv extends CsvConverter<SeriesResult> {

  SeriesCsv() {
    super(SeriesResult.class);
  }

  @Override
  protected List<String> columns() {
    return List.of(
        "time",
        "objectId",
        "metric",
        "unit",
        "value",
        "min",
        "max",
        "percentileFrom",
        "relativeError");
  }

  @Override
  protected Iterable<List<@Nullable Object>> lines(SeriesResult answer) {
    List<Instant> times = answer.getTimes().stream().map(Instant::ofEpochMilli).toList();
    return () -> answer.getSeries().stream().flatMap(series -> lines(times, series)).iterator();
  }

  private static Stream<List<@Nullable Object>> lines(List<Instant> times, Series series) {
    return IntStream.range(0, times.size())
        .mapToObj(
            step ->
                line(
                    times.get(step),
                    series.getObjectId(),
                    series.getMetric(),
                    series.getUnit(),
                    series.getValues().get(step),
                    value(series.getMin(), step),
                    value(series.getMax(), step),
                    series.getPercentileFrom(),
                    series.getRelativeError()));
  }

  private static @Nullable Double value(@Nullable List<Double> values, int step) {
    return values == null ? null : values.get(step);
  }
}
