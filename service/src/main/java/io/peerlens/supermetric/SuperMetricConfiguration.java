package io.peerlens.supermetric;

import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What evaluators and the API need of super metrics. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SuperMetricProperties.class)
public class SuperMetricConfiguration {

  @Bean
  SuperMetricStore superMetricStore(
      JdbcClient jdbc, PlatformTransactionManager transactions, SuperMetricProperties properties) {
    return new SuperMetricStore(jdbc, new TransactionTemplate(transactions), properties);
  }

  @Bean
  Policies superMetricPolicies(
      JdbcClient jdbc, InstantSource clock, SuperMetricProperties properties) {
    return new Policies(new PolicyQueries(jdbc), clock, properties.policyAge());
  }

  @Bean
  ResultStore superMetricResults(JdbcClient jdbc, PlatformTransactionManager transactions) {
    return new ResultStore(jdbc, new TransactionTemplate(transactions));
  }
}
