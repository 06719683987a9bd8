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
import java.util.Objects;
import java.util.UUID;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Endpoints of alerts, alert definitions and the health of objects, with their beans. */
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
  OpenAlertQueries.class,
  RelatedQueries.class,
  AlertActionStore.class,
  AlertEventQueries.class,
  AlertEvents.class,
  AlertStepStore.class
})
public class AlertApiConfiguration {

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
