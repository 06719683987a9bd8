package io.peerlens.threshold;

import io.peerlens.scope.ScopeConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What evaluators and the API need of thresholds. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ThresholdProperties.class)
@Import(ScopeConfiguration.class)
public class ThresholdConfiguration {

  @Bean
  ThresholdStore thresholdStore(
      JdbcClient jdbc, PlatformTransactionManager transactions, ThresholdProperties properties) {
    return new ThresholdStore(jdbc, new TransactionTemplate(transactions), properties.history());
  }

  @Bean
  SymptomStore symptomStore(JdbcClient jdbc) {
    return new SymptomStore(jdbc);
  }
}
