package io.peerlens.notify.preview;

import io.peerlens.notify.channel.ChannelsConfiguration;
import io.peerlens.notify.dispatch.SimulationConfiguration;
import io.peerlens.notify.render.RenderConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Endpoints of previews, simulations and tests of targets. */
@Configuration(proxyBeanMethods = false)
@Import({
  ChannelsConfiguration.class,
  RenderConfiguration.class,
  SimulationConfiguration.class,
  NotificationPreviewsController.class,
  NotificationSimulationsController.class,
  NotificationTestsController.class,
  OpenAlertQueries.class,
  PastStepQueries.class,
  RuleSimulator.class,
  SampleContexts.class,
  SilencePreviews.class,
  SilencedAlerts.class,
  TargetTests.class,
  TemplatePreviews.class
})
public class PreviewApiConfiguration {}
