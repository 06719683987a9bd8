package io.peerlens.report;

import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.peerlens.api.model.ReportEdit;
import io.peerlens.dashboard.DashboardStore;
import io.peerlens.dashboard.ViewStore;
import io.peerlens.definition.RuleItems;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.StoredRule;
import io.peerlens.notify.definition.NamedItems;
import io.peerlens.notify.definition.NotificationTargetStore;
import io.peerlens.notify.dispatch.DirectMessageConfiguration;
import io.peerlens.notify.dispatch.DirectMessages;
import io.peerlens.notify.dispatch.PipelineProperties;
import io.peerlens.notify.render.EventType;
import io.peerlens.panel.PanelRequests;
import io.peerlens.planning.LoadProfileReport;
import jakarta.validation.Validator;
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Beans of reports: their definitions, the API, and the task that runs them on the nodes that
 * answer panels.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({ReportProperties.class, PipelineProperties.class})
@Import({DirectMessageConfiguration.class, ReportUser.class, ReportsController.class})
public class ReportConfiguration {

  @Bean
  ReportStore reportStore(
      JdbcClient jdbc, RuleStore rules, InstantSource clock, ReportProperties properties) {
    return new ReportStore(jdbc, rules, clock, properties.history());
  }

  @Bean
  ReportSources reportSources(
      DashboardStore dashboards, ViewStore views, LoadProfileReport profiles) {
    return new ReportSources(dashboards, views, profiles);
  }

  @Bean
  ReportService reportService(
      ReportStore store,
      RuleStore rules,
      ReportSources sources,
      NotificationTargetStore targets,
      InstantSource clock,
      ReportProperties properties) {
    return new ReportService(store, rules, sources, targets, clock, properties);
  }

  @Bean
  ReportRunStore reportRunStore(
      JdbcClient jdbc, PlatformTransactionManager transactions, ReportProperties properties) {
    return new ReportRunStore(jdbc, new TransactionTemplate(transactions), properties);
  }

  @Bean
  ReportContents reportContents(
      ReportSources sources, PanelRequests panels, JdbcClient jdbc, ReportProperties properties) {
    return new ReportContents(sources, panels, new ObjectNameQueries(jdbc), properties);
  }

  @Bean
  ReportRuns reportRuns(
      ReportStore reports,
      ReportRunStore store,
      ReportContents contents,
      NotificationTargetStore targets,
      DirectMessages messages,
      PipelineProperties properties) {
    return new ReportRuns(
        () -> reports.byId().values().stream().map(StoredRule::rule).toList(),
        store,
        contents,
        new ReportMessages(
            (target, name, message, now) ->
                messages.send(target, name, message, "report", EventType.REPORT, "scheduled", now),
            targets::find,
            properties.url()));
  }

  @Bean
  Task<Void> reportsTask(ReportRuns runs, InstantSource clock) {
    return Tasks.recurring("reports", FixedDelay.of(Duration.ofSeconds(15)))
        .execute((instance, context) -> runs.look(clock.instant()));
  }

  @Bean
  RuleItems reportItems(ReportStore store, ReportService service, Validator validator) {
    return NamedItems.of(
        "reports", 17, ReportEdit.class, store, service, validator, ReportService::normal);
  }
}
