package io.peerlens.pipeline;

import io.peerlens.ingest.mapping.Mappings;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What reading samples and answering for it share; either role brings it. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(IngestProperties.class)
class PipelineConfiguration {

  @Bean
  Mappings mappings(IngestProperties properties) {
    return Mappings.load(properties.mappings());
  }

  @Bean
  GuardSettings guardSettings(JdbcClient jdbc, InstantSource clock) {
    return new GuardSettings(jdbc, clock);
  }
}
