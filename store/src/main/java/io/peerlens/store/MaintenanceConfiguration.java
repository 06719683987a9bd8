package io.peerlens.store;

import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.peerlens.job.JobRecord.Kind;
import io.peerlens.job.JobRun;
import io.peerlens.job.Jobs;
import io.peerlens.job.Progress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Tasks of roll-up, retention and views of samples. db-scheduler gives each task to one node at a
 * time and, when that node dies, to another.
 */
@Configuration(proxyBeanMethods = false)
@Import({Retention.class, Columnstore.class})
public class MaintenanceConfiguration {
  private static final Duration ENDED_JOBS = Duration.ofDays(30);

  @Bean
  RollUps rollUps(DataSource dataSource, SampleReader reader, RollUpProperties properties) {
    return new RollUps(dataSource, reader, properties.lag(), properties.quiet());
  }

  @Bean
  MetricViews metricViews(JdbcClient jdbc, PlatformTransactionManager transactions) {
    return new MetricViews(jdbc, new TransactionTemplate(transactions));
  }

  @Bean
  SmartInitializingSingleton columnstoreSwitch(Columnstore columnstore) {
    return columnstore::enable;
  }

  @Bean
  Task<Void> rollUpTask(
      RollUps rollUps, Jobs jobs, InstantSource clock, RollUpProperties properties) {
    return Tasks.recurring("roll-up", FixedDelay.of(properties.every()))
        .execute(
            (instance, context) ->
                run(
                    jobs.startQuietly(Kind.ROLL_UP, "Roll-ups", "buckets", true),
                    progress -> rollUps.run(clock.instant(), progress)));
  }

  @Bean
  Task<Void> retentionTask(Retention retention, Jobs jobs, InstantSource clock) {
    return Tasks.recurring("retention", FixedDelay.of(Duration.ofMinutes(10)))
        .execute(
            (instance, context) -> {
              jobs.failAbandoned(clock.instant());
              jobs.deleteEnded(clock.instant().minus(ENDED_JOBS));
              run(
                  jobs.startQuietly(Kind.RETENTION, "Removing old samples", "rows", true),
                  progress -> retention.run(clock.instant(), progress));
            });
  }

  @Bean
  Task<Void> metricViewsTask(MetricViews views) {
    return Tasks.recurring("metric-views", FixedDelay.of(Duration.ofSeconds(30)))
        .execute((instance, context) -> views.refresh());
  }

  private static void run(JobRun job, Consumer<Progress> work) {
    try (job) {
      work.accept(job);
      job.finish();
    } catch (RuntimeException e) {
      job.fail(e.getMessage() + " It is tried again.");
      throw e;
    }
  }
}
