package io.peerlens.threshold;

import io.peerlens.definition.RuleStore;
import io.peerlens.scope.ScopeConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What evaluators and the API need of thresholds. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ThresholdProperties.class)
@Import({ScopeConfiguration.class, SymptomStore.class})
public class ThresholdConfiguration {

  @Bean
  ThresholdStore thresholdStore(JdbcClient jdbc, RuleStore rules, ThresholdProperties properties) {
    return new ThresholdStore(jdbc, rules, properties.history());
  }
}
