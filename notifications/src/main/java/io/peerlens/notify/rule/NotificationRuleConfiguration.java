package io.peerlens.notify.rule;

import io.peerlens.notify.definition.NotificationDefinitionConfiguration;
import io.peerlens.notify.definition.NotificationProperties;
import io.peerlens.notify.definition.NotificationVersionStore;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What notifiers and the API need of notification rules. */
@Configuration(proxyBeanMethods = false)
@Import(NotificationDefinitionConfiguration.class)
public class NotificationRuleConfiguration {

  @Bean
  NotificationRuleStore notificationRuleStore(
      JdbcClient jdbc, NotificationVersionStore number, NotificationProperties properties) {
    return new NotificationRuleStore(jdbc, number, properties.history());
  }
}
