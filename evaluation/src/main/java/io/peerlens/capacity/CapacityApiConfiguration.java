package io.peerlens.capacity;

import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Forecasts in the API. */
@Configuration(proxyBeanMethods = false)
@Import(ForecastsController.class)
public class CapacityApiConfiguration {

  @Bean
  CapacityQueries capacityQueries(JdbcClient jdbc) {
    return new CapacityQueries(jdbc);
  }

  @Bean
  Forecasts forecasts(CapacityQueries queries, SampleReader reader, LevelStates levels) {
    return new Forecasts(queries, reader, levels);
  }
}
