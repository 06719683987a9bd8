package io.peerlens.notify.pipeline;

import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.micrometer.core.instrument.MeterRegistry;
import io.peerlens.notify.context.ContextQueries;
import io.peerlens.notify.context.Contexts;
import io.peerlens.notify.context.PagesAddressQueries;
import io.peerlens.notify.definition.NotificationVersionStore;
import io.peerlens.notify.delivery.DeliveryConfiguration;
import io.peerlens.notify.delivery.DeliveryProperties;
import io.peerlens.notify.delivery.QueueStore;
import io.peerlens.notify.delivery.Wake;
import io.peerlens.notify.flow.Flow;
import io.peerlens.notify.lookup.LookupConfiguration;
import io.peerlens.notify.lookup.LookupStore;
import io.peerlens.notify.rule.NotificationRuleConfiguration;
import io.peerlens.notify.rule.NotificationRuleStore;
import io.peerlens.notify.silence.SilenceConfiguration;
import io.peerlens.notify.silence.SilenceStore;
import io.peerlens.notify.target.NotificationTargetConfiguration;
import io.peerlens.notify.target.NotificationTargetStore;
import io.peerlens.notify.template.NotificationTemplate;
import io.peerlens.notify.template.NotificationTemplateConfiguration;
import io.peerlens.notify.template.NotificationTemplates;
import io.peerlens.scope.ScopeConfiguration;
import io.peerlens.scope.Scopes;
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The pipeline: what happened to alerts becomes deliveries. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PipelineProperties.class)
@Import({
  ScopeConfiguration.class,
  LookupConfiguration.class,
  SilenceConfiguration.class,
  NotificationTargetConfiguration.class,
  NotificationTemplateConfiguration.class,
  NotificationRuleConfiguration.class,
  DeliveryConfiguration.class
})
public class PipelineConfiguration {

  @Bean
  StoredDefinitions storedNotificationDefinitions(
      NotificationVersionStore version,
      NotificationRuleStore rules,
      NotificationTargetStore targets,
      NotificationTemplates templates,
      LookupStore lookups,
      SilenceStore silences) {
    return new StoredDefinitions(
        version::version,
        rules::inOrder,
        targets::find,
        targets::enabled,
        id -> templates.find(id).map(NotificationTemplate::template),
        lookups,
        silences::enabled);
  }

  @Bean
  NotificationPipeline notificationPipeline(
      StoredDefinitions definitions,
      Scopes scopes,
      JdbcClient jdbc,
      JdbcTemplate template,
      PlatformTransactionManager transactions,
      InstantSource clock,
      PipelineProperties properties) {
    Flow flow =
        new Flow(
            new Flow.Damping(
                properties.flapOpenings(), properties.flapWindow(), properties.flapLasting()),
            properties.look());
    StandingStore standings = new StandingStore(jdbc, template);
    QueueStore queue = new QueueStore(jdbc, template);
    AlertSource alerts =
        new StoredAlertQueries(
            jdbc,
            new Contexts(
                new ContextQueries(jdbc), new PagesAddressQueries(jdbc, properties.url())));
    return new NotificationPipeline(
        new IntakeStore(jdbc),
        standings,
        new Stages(alerts, scopes::holding, properties.speakingKinds(), flow, standings, queue),
        queue,
        new TraceStore(template),
        definitions,
        new TransactionTemplate(transactions),
        clock,
        properties.batch());
  }

  @Bean
  DirectMessages directMessages(
      StoredDefinitions definitions, JdbcClient jdbc, JdbcTemplate template) {
    return new DirectMessages(definitions, new QueueStore(jdbc, template));
  }

  @Bean
  PipelineLoop notificationLoop(
      NotificationPipeline pipeline,
      Wake wake,
      PipelineProperties properties,
      MeterRegistry meters) {
    return new PipelineLoop(pipeline, wake::now, properties.poll(), meters);
  }

  @Bean
  ApplicationListener<ApplicationReadyEvent> notificationsStart(PipelineLoop loop) {
    return ready -> loop.start();
  }

  @Bean
  UpkeepStore notificationUpkeep(
      JdbcClient jdbc, DeliveryProperties deliveries, PipelineProperties properties) {
    Duration window = properties.flapWindow();
    Duration day = Duration.ofDays(1);
    return new UpkeepStore(jdbc, deliveries.keep(), window.compareTo(day) > 0 ? window : day);
  }

  @Bean
  Task<Void> notificationUpkeepTask(UpkeepStore upkeep, InstantSource clock) {
    return Tasks.recurring("notification-upkeep", FixedDelay.of(Duration.ofMinutes(10)))
        .execute((instance, context) -> upkeep.run(clock.instant()));
  }
}
