package io.peerlens.evaluation;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What the API says of the evaluation loop. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(EvaluationProperties.class)
@Import({EvaluationController.class, ReadRules.Stores.class})
public class EvaluationApiConfiguration {

  @Bean
  EvaluationQueries evaluationQueries(JdbcClient jdbc) {
    return new EvaluationQueries(jdbc);
  }
}
