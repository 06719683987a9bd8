package io.peerlens.role;

import io.peerlens.inventory.InventoryApiConfiguration;
import io.peerlens.pipeline.IngestApiConfiguration;
import io.peerlens.security.AccessConfiguration;
import io.peerlens.settings.SettingsConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The REST API and the pages. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.API)
@Import({
  AccessConfiguration.class,
  InventoryApiConfiguration.class,
  IngestApiConfiguration.class,
  SettingsConfiguration.class
})
public class ApiRole {}
