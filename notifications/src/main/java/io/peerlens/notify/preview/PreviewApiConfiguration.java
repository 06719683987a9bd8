package io.peerlens.notify.preview;

import io.peerlens.alert.AlertSilences;
import io.peerlens.notify.ChannelsConfiguration;
import io.peerlens.notify.chart.ChartConfiguration;
import io.peerlens.notify.context.ContextQueries;
import io.peerlens.notify.context.Contexts;
import io.peerlens.notify.context.PagesAddressQueries;
import io.peerlens.notify.pipeline.Simulation;
import io.peerlens.notify.pipeline.SimulationConfiguration;
import io.peerlens.notify.rule.NotificationRuleDrafts;
import io.peerlens.notify.silence.SilenceStore;
import io.peerlens.scope.Scopes;
import java.time.InstantSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Previews, simulations and tests in the API. */
@Configuration(proxyBeanMethods = false)
@Import({
  ChannelsConfiguration.class,
  ChartConfiguration.class,
  SimulationConfiguration.class,
  NotificationPreviewsController.class,
  NotificationSimulationsController.class,
  NotificationTestsController.class,
  SampleContexts.class,
  TemplatePreviews.class,
  TargetTests.class
})
public class PreviewApiConfiguration {

  /** Links lead where those of notifications lead. */
  @Bean
  Contexts previewContexts(JdbcClient jdbc, @Value("${peerlens.notify.url:}") String url) {
    return new Contexts(new ContextQueries(jdbc), new PagesAddressQueries(jdbc, url));
  }

  @Bean
  SilencePreviews silencePreviews(
      JdbcClient jdbc, Contexts previewContexts, Scopes scopes, InstantSource clock) {
    return new SilencePreviews(new OpenAlertQueries(jdbc), previewContexts, scopes, clock);
  }

  @Bean
  AlertSilences alertSilences(
      SilenceStore silences,
      JdbcClient jdbc,
      Contexts previewContexts,
      Scopes scopes,
      InstantSource clock) {
    return new SilencedAlerts(silences, new OpenAlertQueries(jdbc), previewContexts, scopes, clock);
  }

  @Bean
  RuleSimulator ruleSimulator(
      NotificationRuleDrafts drafts, JdbcClient jdbc, Simulation simulation, InstantSource clock) {
    return new RuleSimulator(drafts, new PastStepQueries(jdbc), simulation, clock);
  }
}
