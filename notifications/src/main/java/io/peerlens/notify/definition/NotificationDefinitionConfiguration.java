package io.peerlens.notify.definition;

import io.peerlens.notify.secret.SecretUser;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Stores of the definitions of notifications, for notifiers and the API. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(NotificationProperties.class)
@Import({
  NotificationVersionStore.class,
  NotificationRuleStore.class,
  NotificationTargetStore.class,
  NotificationTemplateStore.class,
  NotificationTemplates.class,
  LookupStore.class,
  SilenceStore.class
})
public class NotificationDefinitionConfiguration {

  @Bean
  SecretUser targetSecrets(NotificationTargetStore store) {
    return SecretUser.of("target", store, target -> target.active().settings().secrets());
  }

  @Bean
  SecretUser templateSecrets(NotificationTemplateStore store) {
    return SecretUser.of("template", store, template -> template.template().needs().secrets());
  }
}
