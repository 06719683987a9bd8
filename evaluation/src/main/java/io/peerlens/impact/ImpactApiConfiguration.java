package io.peerlens.impact;

import io.peerlens.alert.MetricNameQueries;
import io.peerlens.series.SeriesProperties;
import io.peerlens.series.SeriesService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Recorded changes and comparisons in the API. */
@Configuration(proxyBeanMethods = false)
@Import({
  RecordedChangesController.class,
  ComparisonsController.class,
  Goals.class,
  RecordedChangeStore.class,
  ComparisonQueries.class
})
public class ImpactApiConfiguration {

  @Bean
  Comparisons comparisons(
      ComparisonQueries queries,
      SeriesService series,
      SeriesProperties properties,
      JdbcClient jdbc) {
    return new Comparisons(
        queries, new PeriodReader(series, properties), new MetricNameQueries(jdbc));
  }
}
