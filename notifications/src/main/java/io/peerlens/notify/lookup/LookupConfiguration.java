package io.peerlens.notify.lookup;

import io.peerlens.notify.definition.NotificationDefinitionConfiguration;
import io.peerlens.notify.definition.NotificationProperties;
import io.peerlens.notify.definition.NotificationVersionStore;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What notifiers and the API need of lookup tables. */
@Configuration(proxyBeanMethods = false)
@Import(NotificationDefinitionConfiguration.class)
public class LookupConfiguration {

  @Bean
  LookupStore lookupStore(
      JdbcClient jdbc, NotificationVersionStore number, NotificationProperties properties) {
    return new LookupStore(jdbc, number, properties.history());
  }
}
