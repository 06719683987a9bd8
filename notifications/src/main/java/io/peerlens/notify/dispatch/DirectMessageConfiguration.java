package io.peerlens.notify.dispatch;

import io.peerlens.notify.definition.LookupStore;
import io.peerlens.notify.definition.NotificationDefinitionConfiguration;
import io.peerlens.notify.definition.NotificationRuleStore;
import io.peerlens.notify.definition.NotificationTargetStore;
import io.peerlens.notify.definition.NotificationTemplate;
import io.peerlens.notify.definition.NotificationTemplates;
import io.peerlens.notify.definition.NotificationVersionStore;
import io.peerlens.notify.definition.SilenceStore;
import io.peerlens.notify.delivery.QueueStore;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans that queue messages which no rule asks for; nodes with the role notifier deliver them. */
@Configuration(proxyBeanMethods = false)
@Import({NotificationDefinitionConfiguration.class, QueueStore.class, DirectMessages.class})
public class DirectMessageConfiguration {

  @Bean
  StoredDefinitions storedNotificationDefinitions(
      NotificationVersionStore version,
      NotificationRuleStore rules,
      NotificationTargetStore targets,
      NotificationTemplates templates,
      LookupStore lookups,
      SilenceStore silences) {
    return new StoredDefinitions(
        version::version,
        rules::inOrder,
        targets::find,
        targets::enabled,
        id -> templates.find(id).map(NotificationTemplate::template),
        lookups,
        silences::enabled);
  }
}
