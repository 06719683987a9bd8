package io.peerlens.notify.target;

import io.peerlens.notify.definition.NotificationDefinitionConfiguration;
import io.peerlens.notify.definition.NotificationProperties;
import io.peerlens.notify.definition.NotificationVersionStore;
import io.peerlens.notify.secret.SecretUser;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What notifiers and the API need of targets. */
@Configuration(proxyBeanMethods = false)
@Import(NotificationDefinitionConfiguration.class)
public class NotificationTargetConfiguration {

  @Bean
  NotificationTargetStore notificationTargetStore(
      JdbcClient jdbc, NotificationVersionStore number, NotificationProperties properties) {
    return new NotificationTargetStore(jdbc, number, properties.history());
  }

  @Bean
  SecretUser targetSecrets(NotificationTargetStore store) {
    return secret ->
        store.byId().values().stream()
            .filter(one -> one.rule().inForce().settings().secrets().contains(secret))
            .map(one -> "target \"" + one.name() + "\"")
            .sorted()
            .toList();
  }
}
