package io.peerlens.notify.notice;

import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.peerlens.notify.dispatch.PipelineConfiguration;
import io.peerlens.notify.relay.ForeignAlertStore;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Notices about the installation itself, and heartbeats of targets. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(NoticeProperties.class)
@Import({
  PipelineConfiguration.class,
  ForeignAlertStore.class,
  NoticeQueries.class,
  Notices.class,
  HeartbeatStore.class,
  Heartbeats.class
})
public class NoticeConfiguration {

  @Bean
  Task<Void> noticesTask(
      Notices notices, Heartbeats heartbeats, NoticeProperties properties, InstantSource clock) {
    return Tasks.recurring("notification-notices", FixedDelay.of(properties.every()))
        .execute(
            (instance, context) -> {
              notices.look(clock.instant());
              heartbeats.beat(clock.instant());
            });
  }
}
