package io.peerlens.maintenance;

import io.peerlens.definition.RuleStore;
import io.peerlens.scope.ScopeConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What evaluators and the API need of maintenance windows. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MaintenanceProperties.class)
@Import({ScopeConfiguration.class, MaintenanceWindows.class})
public class MaintenanceWindowConfiguration {

  @Bean
  MaintenanceStore maintenanceStore(
      JdbcClient jdbc, RuleStore rules, MaintenanceProperties properties) {
    return new MaintenanceStore(jdbc, rules, properties.history());
  }
}
