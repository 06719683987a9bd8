package io.peerlens.scope;

import io.peerlens.api.model.GroupEdit;
import io.peerlens.definition.DefinitionItems;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleItems;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.RuleUser;
import jakarta.validation.Validator;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Endpoints of groups, with their beans. */
@Configuration(proxyBeanMethods = false)
@Import({ScopeConfiguration.class, GroupsController.class, ScopeMemberQueries.class})
public class ScopeApiConfiguration {

  @Bean
  GroupService groupService(
      GroupStore store,
      RuleStore rules,
      InstantSource clock,
      ScopeProperties properties,
      ObjectProvider<RuleUser> users) {
    return new GroupService(
        store, rules, clock, properties.maxGroups(), () -> users.stream().toList());
  }

  @Bean
  RuleItems groupItems(GroupStore store, GroupService service, Validator validator) {
    return new DefinitionItems<>(
        "groups",
        0,
        GroupEdit.class,
        store,
        service,
        (path, item) -> {
          GroupEdit given = Definitions.of(path, item, GroupEdit.class, validator);
          GroupEdit edit = GroupService.normal(path + ".", given);
          return new RuleItems.Item(given.getId(), edit.getName(), Definitions.tree(edit));
        });
  }
}
