package io.peerlens.notify.notice;

import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.peerlens.definition.UnreadableDefinitions;
import io.peerlens.notify.foreign.ForeignAlertStore;
import io.peerlens.notify.pipeline.DirectMessages;
import io.peerlens.notify.pipeline.PipelineConfiguration;
import io.peerlens.notify.rule.NotificationRuleStore;
import io.peerlens.notify.target.NotificationTargetStore;
import java.time.InstantSource;
import java.util.List;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What the installation tells of itself. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(NoticeProperties.class)
@Import(PipelineConfiguration.class)
public class NoticeConfiguration {

  @Bean
  Notices notices(
      JdbcClient jdbc,
      PlatformTransactionManager transactions,
      NoticeProperties properties,
      List<UnreadableDefinitions> definitions) {
    return new Notices(
        new NoticeQueries(jdbc, properties, definitions),
        new ForeignAlertStore(jdbc, new TransactionTemplate(transactions)));
  }

  @Bean
  Heartbeats heartbeats(
      JdbcClient jdbc,
      NotificationTargetStore targets,
      NotificationRuleStore rules,
      DirectMessages messages) {
    return new Heartbeats(new HeartbeatStore(jdbc), targets::enabled, rules::inOrder, messages);
  }

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
