package io.peerlens.incident;

import io.peerlens.alert.AlertStepStore;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Endpoints of incidents, with their beans. */
@Configuration(proxyBeanMethods = false)
@Import({
  IncidentsController.class,
  StoredIncidentQueries.class,
  AlertStepStore.class,
  IncidentStore.class,
  IncidentActions.class
})
public class IncidentApiConfiguration {}
