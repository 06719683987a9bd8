package io.peerlens.outlier.result;

import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.definition.DefinitionItems;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleItems;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.RuleUser;
import io.peerlens.outlier.OutlierConfiguration;
import io.peerlens.outlier.event.GroupEventQueries;
import io.peerlens.outlier.event.OutlierEventApiConfiguration;
import io.peerlens.outlier.group.OutlierGroupService;
import io.peerlens.outlier.group.OutlierGroupStore;
import io.peerlens.outlier.group.OutlierProperties;
import jakarta.validation.Validator;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Endpoints of outlier groups, their results and events, with their beans. */
@Configuration(proxyBeanMethods = false)
@Import({
  OutlierConfiguration.class,
  OutlierGroupsController.class,
  OutlierMembersController.class,
  OutlierResultsController.class,
  OutlierEventApiConfiguration.class,
  GroupStateQueries.class,
  OutlierMemberQueries.class,
  OutlierMembers.class,
  ResultQueries.class,
  DifferenceQueries.class,
  ConfigurationAnswers.class,
  GroupEventQueries.class,
  OutlierGroupAnswers.class,
  PeerGroups.class
})
public class OutlierApiConfiguration {

  @Bean
  OutlierGroupService outlierGroupService(
      OutlierGroupStore store,
      RuleStore rules,
      InstantSource clock,
      OutlierProperties properties,
      ObjectProvider<RuleUser> users) {
    return new OutlierGroupService(
        store, rules, clock, properties.maxCount(), () -> users.stream().toList());
  }

  @Bean
  RuleItems outlierGroupItems(
      OutlierGroupStore store, OutlierGroupService service, Validator validator) {
    return new DefinitionItems<>(
        "outlierGroups",
        3,
        OutlierGroupEdit.class,
        store,
        service,
        (path, item) -> {
          OutlierGroupEdit given = Definitions.of(path, item, OutlierGroupEdit.class, validator);
          OutlierGroupEdit edit = service.normal(path + ".", given);
          return new RuleItems.Item(given.getId(), edit.getName(), Definitions.tree(edit));
        });
  }
}
