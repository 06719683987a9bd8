package io.peerlens.maintenance;

import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Maintenance windows in the API. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MaintenanceProperties.class)
@Import({MaintenanceWindowConfiguration.class, MaintenanceController.class})
public class MaintenanceWindowApiConfiguration {

  @Bean
  MaintenanceService maintenanceService(
      MaintenanceStore store, InstantSource clock, MaintenanceProperties properties) {
    return new MaintenanceService(store, clock, properties.maxWindows());
  }
}
