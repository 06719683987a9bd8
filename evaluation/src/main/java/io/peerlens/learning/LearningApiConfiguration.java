package io.peerlens.learning;

import io.peerlens.frame.Means;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Learned bounds in the API. */
@Configuration(proxyBeanMethods = false)
@Import({
  LearningConfiguration.class,
  LearningController.class,
  LearningQueries.class,
  AnomalousMetrics.class
})
public class LearningApiConfiguration {

  @Bean
  AnomalyScores anomalyScores(LearningQueries queries, Means means, LearningProperties properties) {
    return new AnomalyScores(queries, means, properties.zone());
  }
}
