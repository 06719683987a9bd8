package io.peerlens.series;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans of the API of series. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SeriesProperties.class)
@Import({
  SeriesStore.class,
  SeriesService.class,
  LatestValues.class,
  TopObjects.class,
  WindowStatistics.class,
  SeriesRemarks.class,
  SeriesController.class,
  SeriesCsv.class,
  TopObjectsCsv.class
})
public class SeriesConfiguration {}
