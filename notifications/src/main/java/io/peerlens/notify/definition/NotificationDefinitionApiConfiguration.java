package io.peerlens.notify.definition;

import io.peerlens.api.model.NotificationRuleEdit;
import io.peerlens.api.model.NotificationTargetEdit;
import io.peerlens.definition.RuleItems;
import io.peerlens.notify.secret.SecretApiConfiguration;
import jakarta.validation.Validator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Endpoints of rules, targets, templates, lookup tables and silences, and their sections in rules
 * files.
 */
@Configuration(proxyBeanMethods = false)
@Import({
  NotificationDefinitionConfiguration.class,
  SecretApiConfiguration.class,
  NotificationRuleService.class,
  NotificationRuleDrafts.class,
  NotificationRulesController.class,
  NotificationTargetService.class,
  NotificationTargetsController.class,
  NotificationTemplateService.class,
  NotificationTemplateItems.class,
  NotificationTemplatesController.class,
  NotificationImportsController.class,
  LookupService.class,
  LookupItems.class,
  LookupsController.class,
  SilenceService.class,
  SilenceItems.class,
  SilencesController.class
})
public class NotificationDefinitionApiConfiguration {

  @Bean
  RuleItems notificationRuleItems(
      NotificationRuleStore store, NotificationRuleService service, Validator validator) {
    return NamedItems.of(
        "notificationRules",
        13,
        NotificationRuleEdit.class,
        store,
        service,
        validator,
        NotificationRuleService::normal);
  }

  @Bean
  RuleItems notificationTargetItems(
      NotificationTargetStore store, NotificationTargetService service, Validator validator) {
    return NamedItems.of(
        "notificationTargets",
        12,
        NotificationTargetEdit.class,
        store,
        service,
        validator,
        NotificationTargetService::ofFile);
  }
}
