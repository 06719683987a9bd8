package io.peerlens.store;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.peerlens.job.JobRecord.Kind;
import io.peerlens.job.JobRun;
import io.peerlens.job.Jobs;
import io.peerlens.job.NumberedTask;
import io.peerlens.job.Progress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationListener;
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
@EnableConfigurationProperties(ChunkProperties.class)
@Import({Retention.class, Columnstore.class, ChunkLengths.class})
public class MaintenanceConfiguration {
  /** Parts of roll-ups that a node works at. */
  private static final int MOST_AT_ONCE = 4;

  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Duration ENDED_JOBS = Duration.ofDays(30);

  @Bean
  MetricViews metricViews(JdbcClient jdbc, PlatformTransactionManager transactions) {
    return new MetricViews(jdbc, new TransactionTemplate(transactions));
  }

  @Bean
  SmartInitializingSingleton columnstoreSwitch(Columnstore columnstore) {
    return columnstore::enable;
  }

  /**
   * One instance for each part. A node rolls up a few at a time, since each takes three
   * connections; what it has no room for is soon tried again, by whoever has.
   */
  @Bean
  Task<Void> rollUpTask(
      DataSource dataSource,
      SampleReader reader,
      Jobs jobs,
      InstantSource clock,
      RollUpProperties properties) {
    Semaphore room =
        new Semaphore(Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MOST_AT_ONCE));
    return partsOf(properties)
        .task(
            properties.every(),
            part -> {
              if (!room.tryAcquire()) {
                return clock.instant().plus(SOON);
              }
              try {
                rollUp(dataSource, reader, jobs, clock, properties, part);
              } finally {
                room.release();
              }
              return clock.instant().plus(properties.every());
            });
  }

  private static NumberedTask partsOf(RollUpProperties properties) {
    return new NumberedTask("roll-up-part", properties.parts());
  }

  private static void rollUp(
      DataSource dataSource,
      SampleReader reader,
      Jobs jobs,
      InstantSource clock,
      RollUpProperties properties,
      int part) {
    SetPart sets = new SetPart(part, properties.parts());
    RollUps rollUps = new RollUps(dataSource, reader, properties.lag(), properties.quiet(), sets);
    run(
        jobs.startQuietly(Kind.ROLL_UP, sets.title("Roll-ups"), "buckets", true),
        progress -> rollUps.run(clock.instant(), progress));
  }

  @Bean
  ApplicationListener<ApplicationReadyEvent> rollUpParts(
      SchedulerClient scheduler, RollUpProperties properties, InstantSource clock) {
    return partsOf(properties).begin(scheduler, clock);
  }

  @Bean
  Task<Void> retentionTask(
      Retention retention, ChunkLengths chunks, Jobs jobs, InstantSource clock) {
    return Tasks.recurring("retention", FixedDelay.of(Duration.ofMinutes(10)))
        .execute(
            (instance, context) -> {
              chunks.adjust();
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
