package io.peerlens.notify.template;

import io.peerlens.definition.RuleItems;
import io.peerlens.definition.StoredRule;
import io.peerlens.notify.definition.NotificationProperties;
import io.peerlens.notify.definition.NotificationVersionStore;
import io.peerlens.notify.lookup.LookupApiConfiguration;
import io.peerlens.notify.lookup.LookupStore;
import io.peerlens.notify.lookup.LookupUser;
import io.peerlens.notify.secret.SecretApiConfiguration;
import jakarta.validation.Validator;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Templates in the API. */
@Configuration(proxyBeanMethods = false)
@Import({
  NotificationTemplateConfiguration.class,
  LookupApiConfiguration.class,
  SecretApiConfiguration.class,
  NotificationTemplatesController.class,
  NotificationImportsController.class
})
public class NotificationTemplateApiConfiguration {

  @Bean
  NotificationTemplateService notificationTemplateService(
      NotificationTemplateStore store,
      NotificationTemplates templates,
      NotificationVersionStore number,
      LookupStore lookups,
      InstantSource clock,
      NotificationProperties properties,
      ObjectProvider<TemplateUser> users) {
    return new NotificationTemplateService(
        store,
        templates,
        number,
        lookups,
        clock,
        properties.maxTemplates(),
        () -> users.stream().toList());
  }

  @Bean
  RuleItems notificationTemplateItems(
      NotificationTemplateStore store, NotificationTemplateService service, Validator validator) {
    return new NotificationTemplateItems(store, service, validator);
  }

  @Bean
  LookupUser templatesOfLookups(NotificationTemplateStore store) {
    return table ->
        store.byId().values().stream()
            .filter(one -> one.rule().template().needs().lookups().contains(table))
            .map(StoredRule::name)
            .toList();
  }
}
