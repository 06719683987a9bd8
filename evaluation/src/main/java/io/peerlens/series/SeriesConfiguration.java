package io.peerlens.series;

import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import io.peerlens.vocabulary.Vocabularies;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Series in the API. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SeriesProperties.class)
@Import({SeriesController.class, SeriesCsv.class, TopObjectsCsv.class})
public class SeriesConfiguration {

  @Bean
  SeriesService seriesService(
      JdbcClient jdbc, LevelStates levels, SampleReader reader, SeriesProperties properties) {
    return new SeriesService(new SeriesStore(jdbc), levels, reader, properties);
  }

  @Bean
  SeriesRemarks seriesRemarks(JdbcClient jdbc, Vocabularies vocabularies) {
    return new SeriesRemarks(new SeriesStore(jdbc), vocabularies);
  }
}
