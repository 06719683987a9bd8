package io.peerlens.learning;

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
}
