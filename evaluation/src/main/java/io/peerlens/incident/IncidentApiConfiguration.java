package io.peerlens.incident;

import io.peerlens.alert.AlertActionStore;
import io.peerlens.alert.AlertStepStore;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Incidents in the API. */
@Configuration(proxyBeanMethods = false)
@Import({IncidentsController.class, StoredIncidentQueries.class})
public class IncidentApiConfiguration {

  @Bean
  IncidentActions incidentActions(
      JdbcClient jdbc, AlertActionStore alerts, PlatformTransactionManager transactions) {
    return new IncidentActions(
        new IncidentStore(jdbc, new AlertStepStore(jdbc)),
        alerts,
        new TransactionTemplate(transactions));
  }
}
