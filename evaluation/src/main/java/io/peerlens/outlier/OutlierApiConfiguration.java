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
  OutlierEventsController.class
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
  GroupStateQueries outlierGroupStates(JdbcClient jdbc) {
    return new GroupStateQueries(jdbc);
  }

  @Bean
  OutlierGroupAnswers outlierGroupAnswers(
      GroupStateQueries states, JdbcClient jdbc, RuleChecks checks, InstantSource clock) {
    return new OutlierGroupAnswers(
        states, new GroupEventQueries(jdbc), checks, new MetricNameQueries(jdbc), clock);
  }

  @Bean
  MemberQueries outlierMemberQueries(JdbcClient jdbc) {
    return new MemberQueries(jdbc);
  }

  @Bean
  OutlierMembers outlierMembers(
      GroupStateQueries states, MemberQueries queries, InstantSource clock) {
    return new OutlierMembers(states, queries, clock);
  }

  @Bean
  ExceptionStore outlierExceptionStore(JdbcClient jdbc, RuleStore rules, OutlierEventStore events) {
    return new ExceptionStore(jdbc, rules, events);
  }

  @Bean
  ResultQueries outlierResultQueries(JdbcClient jdbc) {
    return new ResultQueries(jdbc);
  }

  @Bean
  OutlierEventQueries outlierEventQueries(JdbcClient jdbc) {
    return new OutlierEventQueries(jdbc);
  }

  @Bean
  StreamedOutliers streamedOutliers(OutlierEventQueries queries) {
    return new StreamedOutliers(queries);
  }

  @Bean
  OutlierEventActionStore outlierEventActions(
      JdbcClient jdbc, PlatformTransactionManager transactions) {
    return new OutlierEventActionStore(jdbc, new TransactionTemplate(transactions));
  }
}
