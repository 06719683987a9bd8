package io.peerlens.alert;

import io.peerlens.definition.RuleStore;
import io.peerlens.maintenance.MaintenanceWindowConfiguration;
import io.peerlens.maintenance.MaintenanceWindows;
import io.peerlens.scope.Scopes;
import io.peerlens.threshold.ThresholdConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What evaluators and the API need of alerts. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AlertProperties.class)
@Import({
  ThresholdConfiguration.class,
  MaintenanceWindowConfiguration.class,
  AlertStore.class,
  AlertRetentionStore.class
})
public class AlertConfiguration {

  @Bean
  AlertDefinitionStore alertDefinitionStore(
      JdbcClient jdbc, RuleStore rules, AlertProperties properties) {
    return new AlertDefinitionStore(jdbc, rules, properties.history());
  }

  /** Each shard has a stage of its own. */
  @Bean
  AlertStages alertStages(
      AlertStore store,
      MaintenanceWindows windows,
      Scopes scopes,
      JdbcClient jdbc,
      AlertProperties properties) {
    return () ->
        new AlertStage(
            store,
            windows,
            scopes,
            new Explanations(new MetricNameQueries(jdbc)),
            new Nearby(new NearbyQueries(jdbc)),
            properties);
  }
}
