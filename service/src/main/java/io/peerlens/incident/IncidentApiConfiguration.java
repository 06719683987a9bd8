package io.peerlens.incident;

import java.time.Duration;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Incidents in the API. */
@Configuration(proxyBeanMethods = false)
@Import(IncidentsController.class)
public class IncidentApiConfiguration {

  /** Samples of vSphere that are rolled up come every five minutes. */
  private static final Duration TOLERANCE = Duration.ofMinutes(5);

  @Bean
  Incidents incidents(JdbcClient jdbc, InstantSource clock) {
    return new Incidents(new IncidentQueries(jdbc), TOLERANCE, clock);
  }
}
