package io.peerlens.learning;

import io.peerlens.frame.Means;
import io.peerlens.store.SampleReader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Learned bounds in the API. */
@Configuration(proxyBeanMethods = false)
@Import({LearningConfiguration.class, LearningController.class})
public class LearningApiConfiguration {

  @Bean
  LearningQueries learningQueries(JdbcClient jdbc) {
    return new LearningQueries(jdbc);
  }

  @Bean
  AnomalyScores anomalyScores(LearningQueries queries, Means means, LearningProperties properties) {
    return new AnomalyScores(queries, means, properties.zone());
  }

  @Bean
  AnomalousMetrics anomalousMetrics(LearningQueries queries, SampleReader reader) {
    return new AnomalousMetrics(queries, reader);
  }
}
