package io.peerlens.alert;

import io.peerlens.definition.RuleStore;
import io.peerlens.learning.UnusualPeriodStore;
import io.peerlens.maintenance.MaintenanceWindowConfiguration;
import io.peerlens.maintenance.MaintenanceWindows;
import io.peerlens.scope.Scopes;
import io.peerlens.threshold.ThresholdConfiguration;
import io.peerlens.words.MetricNameQueries;
import io.peerlens.words.MetricNames;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Beans of alerts for evaluators and the API. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AlertProperties.class)
@Import({
  ThresholdConfiguration.class,
  MaintenanceWindowConfiguration.class,
  AlertStore.class,
  AlertStateQueries.class,
  AlertRetentionStore.class,
  MetricNameQueries.class,
  NearbyQueries.class,
  UnusualPeriodStore.class
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
      AlertStateQueries states,
      MaintenanceWindows windows,
      Scopes scopes,
      MetricNameQueries names,
      NearbyQueries nearby,
      UnusualPeriodStore unusual,
      AlertProperties properties) {
    return () ->
        new AlertStage(
            states,
            windows,
            scopes,
            new Explanations(new MetricNames(names)),
            new Nearby(nearby, unusual),
            properties);
  }
}
