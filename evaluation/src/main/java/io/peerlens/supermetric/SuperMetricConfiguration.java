package io.peerlens.supermetric;

import io.peerlens.scope.ScopeConfiguration;
import io.peerlens.scope.Scopes;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What evaluators and the API need of super metrics. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SuperMetricProperties.class)
@Import(ScopeConfiguration.class)
public class SuperMetricConfiguration {

  @Bean
  SuperMetricStore superMetricStore(
      JdbcClient jdbc, PlatformTransactionManager transactions, SuperMetricProperties properties) {
    return new SuperMetricStore(
        jdbc, new SuperMetricVersionStore(jdbc, new TransactionTemplate(transactions)), properties);
  }

  @Bean
  Policies superMetricPolicies(Scopes scopes) {
    return new Policies(scopes);
  }

  @Bean
  ResultStore superMetricResults(JdbcClient jdbc, PlatformTransactionManager transactions) {
    return new ResultStore(jdbc, new TransactionTemplate(transactions));
  }
}
