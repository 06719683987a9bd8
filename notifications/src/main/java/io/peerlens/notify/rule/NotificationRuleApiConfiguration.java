package io.peerlens.notify.rule;

import io.peerlens.api.model.NotificationRuleEdit;
import io.peerlens.api.model.RuleRef;
import io.peerlens.definition.DefinitionItems;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleItems;
import io.peerlens.definition.RuleUser;
import io.peerlens.notify.definition.NotificationProperties;
import io.peerlens.notify.definition.NotificationVersionStore;
import io.peerlens.notify.target.NotificationTargetStore;
import io.peerlens.notify.target.TargetUser;
import io.peerlens.notify.template.NotificationTemplates;
import io.peerlens.notify.template.TemplateUser;
import jakarta.validation.Validator;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Notification rules in the API. */
@Configuration(proxyBeanMethods = false)
@Import({
  NotificationRuleConfiguration.class,
  NotificationRulesController.class,
  NotificationRuleDrafts.class
})
public class NotificationRuleApiConfiguration {

  @Bean
  NotificationRuleService notificationRuleService(
      NotificationRuleStore store,
      NotificationVersionStore number,
      NotificationTemplates templates,
      NotificationTargetStore targets,
      InstantSource clock,
      NotificationProperties properties,
      ObjectProvider<RuleUser> users) {
    return new NotificationRuleService(
        store,
        number,
        templates,
        targets,
        clock,
        properties.maxRules(),
        () -> users.stream().toList());
  }

  @Bean
  RuleItems notificationRuleItems(
      NotificationRuleStore store, NotificationRuleService service, Validator validator) {
    return new DefinitionItems<>(
        "notificationRules",
        13,
        NotificationRuleEdit.class,
        store,
        service,
        (path, item) -> {
          NotificationRuleEdit given =
              Definitions.of(path, item, NotificationRuleEdit.class, validator);
          NotificationRuleEdit edit = NotificationRuleService.normal(path + ".", given);
          return new RuleItems.Item(given.getId(), edit.getName(), Definitions.tree(edit));
        });
  }

  @Bean
  TemplateUser rulesOfTemplates(NotificationRuleStore store) {
    return template -> named(store, rule -> rule.template().equals(template));
  }

  @Bean
  TargetUser rulesOfTargets(NotificationRuleStore store) {
    return target -> named(store, rule -> rule.targets().contains(target));
  }

  private static List<RuleRef> named(
      NotificationRuleStore store, Predicate<NotificationRule> chosen) {
    return store.byId().values().stream()
        .filter(one -> chosen.test(one.rule()))
        .map(one -> new RuleRef(one.id(), one.name()))
        .sorted(Comparator.comparing(RuleRef::getName))
        .toList();
  }
}
