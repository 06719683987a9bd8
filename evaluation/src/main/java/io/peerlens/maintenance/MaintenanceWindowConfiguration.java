package io.peerlens.maintenance;

import io.peerlens.scope.ScopeConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans of maintenance windows that evaluators and the API share. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MaintenanceProperties.class)
@Import({ScopeConfiguration.class, MaintenanceWindows.class, MaintenanceStore.class})
public class MaintenanceWindowConfiguration {}
