package io.peerlens.impact;

import io.peerlens.words.MetricNameQueries;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans of the API of recorded changes and comparisons. */
@Configuration(proxyBeanMethods = false)
@Import({
  RecordedChangesController.class,
  ComparisonsController.class,
  Comparisons.class,
  ChangeImpacts.class,
  PeriodReader.class,
  MetricNameQueries.class,
  Goals.class,
  RecordedChangeStore.class,
  ComparisonQueries.class
})
public class ImpactApiConfiguration {}
