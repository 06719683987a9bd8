package io.peerlens.alert;

import io.peerlens.api.model.AlertDefinitionCreation;
import io.peerlens.api.model.AlertDefinitionEdit;
import io.peerlens.definition.DefinitionItems;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleItems;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.RuleUser;
import io.peerlens.threshold.ThresholdStore;
import jakarta.validation.Validator;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** Alerts, their definitions and what they say of objects, in the API. */
@Configuration(proxyBeanMethods = false)
@Import({
  AlertConfiguration.class,
  AlertsController.class,
  AlertEventsController.class,
  AlertDefinitionsController.class,
  HealthController.class,
  AlertQueries.class,
  AlertsCsv.class,
  AlertCountQueries.class,
  PastAlertQueries.class,
  HealthQueries.class,
  OpenAlertQueries.class
})
public class AlertApiConfiguration {

  @Bean
  RelatedQueries alertRelatedQueries(JdbcClient jdbc) {
    return new RelatedQueries(jdbc, new MetricNameQueries(jdbc));
  }

  @Bean
  AlertActionStore alertActionStore(JdbcClient jdbc, PlatformTransactionManager transactions) {
    return new AlertActionStore(jdbc, new TransactionTemplate(transactions));
  }

  @Bean
  AlertEvents alertEvents(
      JdbcClient jdbc,
      List<StreamedEvents> sources,
      JsonMapper json,
      InstantSource clock,
      AlertProperties properties) {
    return new AlertEvents(new AlertEventQueries(jdbc), sources, json, clock, properties);
  }

  @Bean
  AlertDefinitionService alertDefinitionService(
      AlertDefinitionStore store,
      RuleStore rules,
      ThresholdStore thresholds,
      InstantSource clock,
      AlertProperties properties,
      ObjectProvider<RuleUser> users) {
    return new AlertDefinitionService(
        store,
        rules,
        thresholds,
        clock,
        properties.maxDefinitions(),
        () -> users.stream().toList());
  }

  @Bean
  RuleItems alertDefinitionItems(
      AlertDefinitionStore store, AlertDefinitionService service, Validator validator) {
    return new DefinitionItems<>(
        "alertDefinitions",
        2,
        AlertDefinitionEdit.class,
        store,
        service,
        (path, item) -> {
          AlertDefinitionCreation given =
              Definitions.of(path, item, AlertDefinitionCreation.class, validator);
          AlertDefinitionEdit edit = AlertDefinitionService.edit(given);
          UUID id = given.getId();
          AlertDefinitionReader.read(
              Objects.requireNonNullElseGet(id, UUID::randomUUID), path + ".", edit);
          return new RuleItems.Item(id, edit.getName(), Definitions.tree(edit));
        });
  }
}
