package io.peerlens.scope;

import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What evaluators and the API need of scopes. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ScopeProperties.class)
public class ScopeConfiguration {

  @Bean
  GroupStore groupStore(JdbcClient jdbc, PlatformTransactionManager transactions) {
    return new GroupStore(jdbc, new TransactionTemplate(transactions));
  }

  @Bean
  ScopeQueries scopeQueries(JdbcClient jdbc, GroupStore groups) {
    return new ScopeQueries(jdbc, groups);
  }

  @Bean
  Scopes scopes(ScopeQueries queries, InstantSource clock, ScopeProperties properties) {
    return new Scopes(queries, clock, properties.age());
  }
}
