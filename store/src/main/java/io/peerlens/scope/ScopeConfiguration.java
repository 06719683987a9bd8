package io.peerlens.scope;

import io.peerlens.definition.RuleConfiguration;
import io.peerlens.definition.RuleStore;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Beans of scopes for evaluators and the API. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ScopeProperties.class)
@Import({RuleConfiguration.class, ScopeQueries.class})
public class ScopeConfiguration {

  @Bean
  GroupStore groupStore(JdbcClient jdbc, RuleStore rules, ScopeProperties properties) {
    return new GroupStore(jdbc, rules, properties.history());
  }

  @Bean
  Scopes scopes(ScopeQueries queries, InstantSource clock, ScopeProperties properties) {
    return new Scopes(queries, clock, properties.age());
  }
}
