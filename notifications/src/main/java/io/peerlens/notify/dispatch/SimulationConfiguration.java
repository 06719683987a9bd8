package io.peerlens.notify.dispatch;

import io.peerlens.notify.definition.LookupStore;
import io.peerlens.notify.definition.NotificationTargetStore;
import io.peerlens.notify.definition.NotificationTemplate;
import io.peerlens.notify.definition.NotificationTemplates;
import io.peerlens.notify.definition.SilenceStore;
import io.peerlens.notify.render.Contexts;
import io.peerlens.scope.Scopes;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Simulation of the pipeline on the past, for the API. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PipelineProperties.class)
public class SimulationConfiguration {

  @Bean
  Simulation notificationSimulation(
      PipelineProperties properties,
      Contexts contexts,
      Scopes scopes,
      NotificationTargetStore targets,
      NotificationTemplates templates,
      LookupStore lookups,
      SilenceStore silences) {
    return new Simulation(
        properties.damping(),
        properties.look(),
        contexts,
        scopes::holding,
        properties.inhibitingKinds(),
        targets::enabled,
        id -> templates.find(id).map(NotificationTemplate::template),
        lookups,
        silences::enabled);
  }
}
