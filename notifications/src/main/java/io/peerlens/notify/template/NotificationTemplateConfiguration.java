package io.peerlens.notify.template;

import io.peerlens.notify.definition.NotificationDefinitionConfiguration;
import io.peerlens.notify.definition.NotificationProperties;
import io.peerlens.notify.definition.NotificationVersionStore;
import io.peerlens.notify.secret.SecretUser;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What notifiers and the API need of templates. */
@Configuration(proxyBeanMethods = false)
@Import({NotificationDefinitionConfiguration.class, NotificationTemplates.class})
public class NotificationTemplateConfiguration {

  @Bean
  NotificationTemplateStore notificationTemplateStore(
      JdbcClient jdbc, NotificationVersionStore number, NotificationProperties properties) {
    return new NotificationTemplateStore(jdbc, number, properties.history());
  }

  @Bean
  SecretUser templateSecrets(NotificationTemplateStore store) {
    return secret ->
        store.byId().values().stream()
            .filter(one -> one.rule().template().needs().secrets().contains(secret))
            .map(one -> "template \"" + one.name() + "\"")
            .sorted()
            .toList();
  }
}
