package io.peerlens.maintenance;

import io.peerlens.definition.RuleUser;
import io.peerlens.definition.StoredRule;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans of the API of maintenance windows. */
@Configuration(proxyBeanMethods = false)
@Import({
  MaintenanceWindowConfiguration.class,
  MaintenanceController.class,
  MaintenanceService.class
})
public class MaintenanceWindowApiConfiguration {

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
