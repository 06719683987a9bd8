package io.peerlens.notify.dispatch;

import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.micrometer.core.instrument.MeterRegistry;
import io.peerlens.notify.definition.NotificationDefinitionConfiguration;
import io.peerlens.notify.delivery.DeliveryConfiguration;
import io.peerlens.notify.delivery.DeliveryProperties;
import io.peerlens.notify.delivery.QueueStore;
import io.peerlens.notify.delivery.Wake;
import io.peerlens.notify.render.Contexts;
import io.peerlens.notify.render.RenderConfiguration;
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
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Notification pipeline: alert events in, deliveries out. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PipelineProperties.class)
@Import({
  ScopeConfiguration.class,
  NotificationDefinitionConfiguration.class,
  RenderConfiguration.class,
  DeliveryConfiguration.class,
  IntakeStore.class,
  NotificationStateStore.class,
  TraceStore.class,
  DirectMessageConfiguration.class
})
public class PipelineConfiguration {

  @Bean
  NotificationPipeline notificationPipeline(
      StoredDefinitions definitions,
      Scopes scopes,
      Contexts contexts,
      IntakeStore intake,
      NotificationStateStore states,
      QueueStore queue,
      TraceStore traces,
      JdbcClient jdbc,
      PlatformTransactionManager transactions,
      InstantSource clock,
      PipelineProperties properties) {
    return new NotificationPipeline(
        intake,
        states,
        new Stages(
            new StoredAlertQueries(jdbc, contexts),
            scopes::holding,
            properties.inhibitingKinds(),
            new Flow(properties.damping(), properties.look()),
            states,
            queue),
        queue,
        traces,
        definitions,
        new TransactionTemplate(transactions),
        clock,
        properties.batch());
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
