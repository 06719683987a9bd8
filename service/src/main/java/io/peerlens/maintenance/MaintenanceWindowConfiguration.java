package io.peerlens.maintenance;

import io.peerlens.scope.ScopeConfiguration;
import io.peerlens.scope.Scopes;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What evaluators and the API need of maintenance windows. */
@Configuration(proxyBeanMethods = false)
@Import(ScopeConfiguration.class)
public class MaintenanceWindowConfiguration {

  @Bean
  MaintenanceStore maintenanceStore(JdbcClient jdbc, PlatformTransactionManager transactions) {
    return new MaintenanceStore(jdbc, new TransactionTemplate(transactions));
  }

  @Bean
  MaintenanceWindows maintenanceWindows(MaintenanceStore store, Scopes scopes) {
    return new MaintenanceWindows(store, scopes);
  }
}
