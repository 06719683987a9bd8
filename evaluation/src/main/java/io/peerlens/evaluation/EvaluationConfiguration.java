package io.peerlens.evaluation;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.peerlens.alert.AlertRetentionStore;
import io.peerlens.inventory.InventoryProperties;
import io.peerlens.inventory.LivenessHistory;
import io.peerlens.job.NumberedTask;
import io.peerlens.learning.LearningConfiguration;
import io.peerlens.outlier.OutlierConfiguration;
import io.peerlens.outlier.event.OutlierUpkeepStore;
import io.peerlens.samples.IngestProgressQueries;
import io.peerlens.supermetric.FormulaProperties;
import io.peerlens.talker.report.TalkerShareConfiguration;
import io.peerlens.threshold.ThresholdStages;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Evaluation loop: one db-scheduler task for each shard. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({
  EvaluationProperties.class,
  FormulaProperties.class,
  InventoryProperties.class
})
@Import({
  LearningConfiguration.class,
  OutlierConfiguration.class,
  TalkerShareConfiguration.class,
  ReadRules.Stores.class,
  IngestProgressQueries.class,
  ThresholdStages.class,
  Evaluation.Stages.class,
  EvaluationStore.class,
  ShardTask.class
})
public class EvaluationConfiguration {

  /** Whoever knows how far ingest is also notes who went silent; one node at a time. */
  @Bean
  Task<Void> silenceHistoryTask(
      JdbcClient jdbc,
      InventoryProperties properties,
      IngestProgressQueries readings,
      InstantSource clock) {
    LivenessHistory history = new LivenessHistory(jdbc, properties);
    return Tasks.recurring("silence-history", FixedDelay.of(Duration.ofSeconds(30)))
        .execute(
            (instance, context) -> {
              Instant now = clock.instant();
              history.note(now, readings.at(now).noticing(now));
            });
  }

  @Bean
  Task<Void> evaluationTask(ShardTask shards, EvaluationProperties properties) {
    return shardsOf(properties).task(Duration.ofSeconds(5), shards::run);
  }

  private static NumberedTask shardsOf(EvaluationProperties properties) {
    return new NumberedTask("evaluation", properties.shards());
  }

  @Bean
  Task<Void> alertRetentionTask(AlertRetentionStore retention, InstantSource clock) {
    return Tasks.recurring("alert-retention", FixedDelay.of(Duration.ofMinutes(30)))
        .execute((instance, context) -> retention.run(clock.instant()));
  }

  @Bean
  Task<Void> outlierRetentionTask(OutlierUpkeepStore upkeep, InstantSource clock) {
    return Tasks.recurring("outlier-retention", FixedDelay.of(Duration.ofHours(1)))
        .execute((instance, context) -> upkeep.forgetOld(clock.instant()));
  }

  @Bean
  Task<Void> outlierApartTask(OutlierUpkeepStore upkeep) {
    return Tasks.recurring("outlier-apart", FixedDelay.of(Duration.ofSeconds(30)))
        .execute((instance, context) -> upkeep.lookApart());
  }

  @Bean
  ApplicationListener<ApplicationReadyEvent> evaluationShards(
      SchedulerClient scheduler, EvaluationProperties properties, InstantSource clock) {
    return shardsOf(properties).begin(scheduler, clock);
  }
}
