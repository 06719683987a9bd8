package io.peerlens.evaluation;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.micrometer.core.instrument.MeterRegistry;
import io.peerlens.frame.Frames;
import io.peerlens.role.RoleProperties;
import io.peerlens.store.RollUpProperties;
import io.peerlens.store.SampleWriter;
import io.peerlens.supermetric.Policies;
import io.peerlens.supermetric.ResultStore;
import io.peerlens.supermetric.SuperMetricStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The evaluation loop: one db-scheduler task for each shard. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(EvaluationProperties.class)
public class EvaluationConfiguration {

  private static final String TASK = "evaluation";

  @Bean
  ShardTask shardTask(
      SuperMetricStore superMetrics,
      Policies policies,
      Frames frames,
      ResultStore sets,
      DataSource dataSource,
      JdbcClient jdbc,
      EvaluationProperties properties,
      RollUpProperties rollUps,
      RoleProperties roles,
      InstantSource clock,
      MeterRegistry meters) {
    return new ShardTask(
        shard ->
            new Evaluation(
                shard,
                superMetrics,
                policies,
                frames,
                store(dataSource, jdbc, sets, rollUps, roles, clock),
                properties,
                System::nanoTime),
        store(dataSource, jdbc, sets, rollUps, roles, clock),
        properties,
        clock,
        meters);
  }

  /** Each shard has a store of its own, since the writer's buffer is for one thread. */
  private static EvaluationStore store(
      DataSource dataSource,
      JdbcClient jdbc,
      ResultStore sets,
      RollUpProperties rollUps,
      RoleProperties roles,
      InstantSource clock) {
    return new EvaluationStore(
        dataSource, jdbc, sets, new SampleWriter(rollUps.lag(), clock), roles.node(), clock);
  }

  @Bean
  Task<Void> evaluationTask(ShardTask shards, EvaluationProperties properties) {
    return Tasks.custom(TASK, Void.class)
        .onFailure(
            (execution, operations) ->
                operations.reschedule(
                    execution, execution.getTimeDone().plus(Duration.ofSeconds(5))))
        .onDeadExecutionRevive()
        .execute(
            (instance, context) -> {
              int shard = Integer.parseInt(instance.getId());
              if (shard >= properties.shards()) {
                return (execution, operations) -> operations.stop();
              }
              Instant next = shards.run(shard);
              return (execution, operations) -> operations.reschedule(execution, next);
            });
  }

  @Bean
  ApplicationListener<ApplicationReadyEvent> evaluationShards(
      SchedulerClient scheduler, EvaluationProperties properties, InstantSource clock) {
    return ready -> {
      for (int shard = 0; shard < properties.shards(); shard++) {
        scheduler.scheduleIfNotExists(
            new TaskInstance<>(TASK, Integer.toString(shard)), clock.instant());
      }
    };
  }
}
