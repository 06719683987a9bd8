package io.peerlens.outlier;

import io.peerlens.alert.MetricNameQueries;
import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.definition.DefinitionItems;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleItems;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.RuleUser;
import io.peerlens.threshold.RuleChecks;
import jakarta.validation.Validator;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Groups of peers, what was found in them, and their events, in the API. */
@Configuration(proxyBeanMethods = false)
@Import({
  OutlierConfiguration.class,
  OutlierGroupsController.class,
  OutlierMembersController.class,
  OutlierResultsController.class,
  OutlierEventsController.class,
  GroupStateQueries.class,
  MemberQueries.class,
  OutlierMembers.class,
  ExceptionStore.class,
  ResultQueries.class,
  OutlierEventQueries.class,
  StreamedOutliers.class
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

  @Bean
  OutlierGroupAnswers outlierGroupAnswers(
      GroupStateQueries states, JdbcClient jdbc, RuleChecks checks, InstantSource clock) {
    return new OutlierGroupAnswers(
        states, new GroupEventQueries(jdbc), checks, new MetricNameQueries(jdbc), clock);
  }

  @Bean
  OutlierEventActionStore outlierEventActions(
      JdbcClient jdbc, PlatformTransactionManager transactions) {
    return new OutlierEventActionStore(jdbc, new TransactionTemplate(transactions));
  }
}
