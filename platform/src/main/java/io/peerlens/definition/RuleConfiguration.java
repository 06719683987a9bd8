package io.peerlens.definition;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Change number that all features with rules share. */
@Configuration(proxyBeanMethods = false)
public class RuleConfiguration {

  @Bean
  RuleStore ruleStore(JdbcClient jdbc, PlatformTransactionManager transactions) {
    return new RuleStore(jdbc, new TransactionTemplate(transactions));
  }
}
