package io.peerlens.maintenance;

import io.peerlens.definition.RuleStore;
import io.peerlens.definition.RuleUser;
import io.peerlens.definition.StoredRule;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Maintenance windows in the API. */
@Configuration(proxyBeanMethods = false)
@Import({MaintenanceWindowConfiguration.class, MaintenanceController.class})
public class MaintenanceWindowApiConfiguration {

  @Bean
  MaintenanceService maintenanceService(
      MaintenanceStore store,
      RuleStore rules,
      InstantSource clock,
      MaintenanceProperties properties) {
    return new MaintenanceService(store, rules, clock, properties.maxWindows());
  }

  /** A group that a window names cannot be deleted. */
  @Bean
  RuleUser maintenanceUses(MaintenanceStore store) {
    return rule ->
        store.byId().values().stream()
            .filter(window -> window.rule().scope().groups().contains(rule))
            .map(StoredRule::name)
            .toList();
  }
}
