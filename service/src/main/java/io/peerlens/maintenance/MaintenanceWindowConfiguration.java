package io.peerlens.maintenance;

import io.peerlens.rule.RuleStore;
import io.peerlens.scope.ScopeConfiguration;
import io.peerlens.scope.Scopes;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What evaluators and the API need of maintenance windows. */
@Configuration(proxyBeanMethods = false)
@Import(ScopeConfiguration.class)
public class MaintenanceWindowConfiguration {

  @Bean
  MaintenanceStore maintenanceStore(JdbcClient jdbc, RuleStore rules) {
    return new MaintenanceStore(jdbc, rules);
  }

  @Bean
  MaintenanceWindows maintenanceWindows(MaintenanceStore store, Scopes scopes) {
    return new MaintenanceWindows(store, scopes);
  }
}
