package io.peerlens.notify.report;

import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.peerlens.definition.StoredRule;
import io.peerlens.notify.definition.NotificationTargetStore;
import io.peerlens.notify.definition.NotificationTemplates;
import io.peerlens.notify.dispatch.DirectMessages;
import io.peerlens.notify.dispatch.PipelineConfiguration;
import io.peerlens.notify.dispatch.PipelineProperties;
import io.peerlens.store.RollUpProperties;
import io.peerlens.talker.report.ReportAnswers;
import io.peerlens.talker.report.TalkerReportConfiguration;
import io.peerlens.talker.report.TalkerReportRunStore;
import io.peerlens.talker.report.TalkerReportStore;
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans that answer reports when they are due, and send them. */
@Configuration(proxyBeanMethods = false)
@Import({TalkerReportConfiguration.class, PipelineConfiguration.class})
public class TalkerReportNotifierConfiguration {

  @Bean
  TalkerReportRuns talkerReportRuns(
      TalkerReportStore reports,
      TalkerReportRunStore store,
      ReportAnswers answers,
      NotificationTargetStore targets,
      DirectMessages messages,
      NotificationTemplates templates,
      PipelineProperties properties,
      RollUpProperties rollUps) {
    return new TalkerReportRuns(
        () -> reports.byId().values().stream().map(StoredRule::rule).toList(),
        store,
        answers,
        targets::find,
        new TalkerReportMessages(messages, templates, properties.url()),
        rollUps.flowLag().plus(Duration.ofMinutes(10)));
  }

  @Bean
  Task<Void> talkerReportsTask(TalkerReportRuns runs, InstantSource clock) {
    return Tasks.recurring("talker-reports", FixedDelay.of(Duration.ofSeconds(15)))
        .execute((instance, context) -> runs.look(clock.instant()));
  }
}
