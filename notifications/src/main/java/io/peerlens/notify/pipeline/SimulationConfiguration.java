package io.peerlens.notify.pipeline;

import io.peerlens.notify.context.ContextQueries;
import io.peerlens.notify.context.Contexts;
import io.peerlens.notify.context.PagesAddressQueries;
import io.peerlens.notify.flow.Flow;
import io.peerlens.notify.lookup.LookupStore;
import io.peerlens.notify.silence.SilenceStore;
import io.peerlens.notify.target.NotificationTargetStore;
import io.peerlens.notify.template.NotificationTemplate;
import io.peerlens.notify.template.NotificationTemplates;
import io.peerlens.scope.Scopes;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The pipeline on the past, for the API. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PipelineProperties.class)
public class SimulationConfiguration {

  @Bean
  Simulation notificationSimulation(
      JdbcClient jdbc,
      PipelineProperties properties,
      Scopes scopes,
      NotificationTargetStore targets,
      NotificationTemplates templates,
      LookupStore lookups,
      SilenceStore silences) {
    return new Simulation(
        new Flow.Damping(
            properties.flapOpenings(), properties.flapWindow(), properties.flapLasting()),
        properties.look(),
        new Contexts(new ContextQueries(jdbc), new PagesAddressQueries(jdbc, properties.url())),
        scopes::holding,
        properties.speakingKinds(),
        targets::enabled,
        id -> templates.find(id).map(NotificationTemplate::template),
        lookups,
        silences::enabled);
  }
}
