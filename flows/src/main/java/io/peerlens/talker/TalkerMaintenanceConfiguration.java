package io.peerlens.talker;

import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.peerlens.flow.FlowDemand;
import io.peerlens.job.JobRecord.Kind;
import io.peerlens.job.JobRun;
import io.peerlens.job.Jobs;
import io.peerlens.store.RollUpProperties;
import java.time.Duration;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Tasks of roll-up and retention of flows and talkers. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(TalkerProperties.class)
@Import({TalkerRetentionStore.class})
public class TalkerMaintenanceConfiguration {

  @Bean
  FlowRollUpStore flowRollUps(
      DataSource dataSource,
      RollUpProperties when,
      TalkerProperties properties,
      FlowDemand demand,
      InstantSource clock) {
    return new FlowRollUpStore(
        dataSource,
        new FlowRollUpStore.Settings(
            when.flowLag(),
            when.quiet(),
            properties.deduplicate(),
            properties.keysPerSender(),
            properties.talkers(),
            properties.portionRows()),
        new FlowMetricStore(dataSource, demand, when.lag(), clock));
  }

  @Bean
  Task<Void> flowRollUpTask(
      FlowRollUpStore rollUps, Jobs jobs, InstantSource clock, RollUpProperties when) {
    return Tasks.recurring("flow-roll-up", FixedDelay.of(when.every()))
        .execute(
            (instance, context) -> {
              try (JobRun job =
                  jobs.startQuietly(Kind.ROLL_UP, "Roll-ups of flows", "buckets", true)) {
                try {
                  rollUps.run(clock.instant(), job);
                  job.finish();
                } catch (RuntimeException e) {
                  job.fail(e.getMessage() + " It is tried again.");
                  throw e;
                }
              }
            });
  }

  @Bean
  Task<Void> talkerRetentionTask(TalkerRetentionStore retention, InstantSource clock) {
    return Tasks.recurring("talker-retention", FixedDelay.of(Duration.ofMinutes(10)))
        .execute((instance, context) -> retention.run(clock.instant()));
  }
}
