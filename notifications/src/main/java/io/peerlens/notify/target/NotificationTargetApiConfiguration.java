package io.peerlens.notify.target;

import io.peerlens.api.model.NotificationTargetEdit;
import io.peerlens.definition.DefinitionItems;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleItems;
import io.peerlens.definition.RuleUser;
import io.peerlens.notify.definition.AdminOnly;
import io.peerlens.notify.definition.NotificationProperties;
import io.peerlens.notify.definition.NotificationVersionStore;
import io.peerlens.notify.secret.SecretApiConfiguration;
import io.peerlens.notify.secret.Secrets;
import jakarta.validation.Validator;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Targets in the API. */
@Configuration(proxyBeanMethods = false)
@Import({
  NotificationTargetConfiguration.class,
  SecretApiConfiguration.class,
  NotificationTargetsController.class
})
public class NotificationTargetApiConfiguration {

  @Bean
  NotificationTargetService notificationTargetService(
      NotificationTargetStore store,
      NotificationVersionStore number,
      Secrets secrets,
      InstantSource clock,
      NotificationProperties properties,
      ObjectProvider<RuleUser> users,
      ObjectProvider<TargetUser> rules) {
    return new NotificationTargetService(
        store,
        number,
        secrets,
        clock,
        properties.maxTargets(),
        () -> users.stream().toList(),
        () -> rules.stream().toList());
  }

  @Bean
  RuleItems notificationTargetItems(
      NotificationTargetStore store, NotificationTargetService service, Validator validator) {
    return new DefinitionItems<>(
        "notificationTargets",
        12,
        NotificationTargetEdit.class,
        store,
        service,
        (path, item) -> {
          AdminOnly.require("A target");
          NotificationTargetEdit given =
              Definitions.of(path, item, NotificationTargetEdit.class, validator);
          NotificationTargetEdit edit = NotificationTargetService.ofFile(path + ".", given);
          return new RuleItems.Item(given.getId(), edit.getName(), Definitions.tree(edit));
        });
  }
}
