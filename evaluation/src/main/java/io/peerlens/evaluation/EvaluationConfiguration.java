package io.peerlens.evaluation;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.micrometer.core.instrument.MeterRegistry;
import io.peerlens.alert.AlertRetentionStore;
import io.peerlens.alert.AlertStages;
import io.peerlens.alert.AlertStore;
import io.peerlens.frame.FrameProperties;
import io.peerlens.frame.Frames;
import io.peerlens.inventory.InventoryProperties;
import io.peerlens.inventory.SilenceHistory;
import io.peerlens.learning.LearningConfiguration;
import io.peerlens.learning.StoredBands;
import io.peerlens.node.NodeProperties;
import io.peerlens.outlier.OutlierConfiguration;
import io.peerlens.outlier.OutlierStages;
import io.peerlens.outlier.OutlierStore;
import io.peerlens.outlier.OutlierUpkeepStore;
import io.peerlens.samples.ReadingQueries;
import io.peerlens.scope.Scopes;
import io.peerlens.store.RollUpProperties;
import io.peerlens.store.SampleWriter;
import io.peerlens.supermetric.FormulaProperties;
import io.peerlens.supermetric.Policies;
import io.peerlens.supermetric.ResultStore;
import io.peerlens.talker.report.ShareOutcomes;
import io.peerlens.talker.report.TalkerShareConfiguration;
import io.peerlens.threshold.SymptomStore;
import io.peerlens.threshold.ThresholdProperties;
import io.peerlens.threshold.ThresholdStage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The evaluation loop: one db-scheduler task for each shard. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({
  EvaluationProperties.class,
  FormulaProperties.class,
  InventoryProperties.class
})
@Import({
  LearningConfiguration.class,
  OutlierConfiguration.class,
  ReadRules.Stores.class,
  TalkerShareConfiguration.class
})
public class EvaluationConfiguration {

  private static final String TASK = "evaluation";

  @Bean
  ShardTask shardTask(
      ReadRules.Stores rulesOf,
      Policies policies,
      Frames frames,
      FrameProperties frameProperties,
      Scopes scopes,
      SymptomStore symptoms,
      ThresholdProperties thresholds,
      StoredBands.Factory bands,
      OutlierStages outlierStages,
      ShareOutcomes shares,
      OutlierStore outliers,
      AlertStages alertStages,
      AlertStore alerts,
      ResultStore sets,
      DataSource dataSource,
      JdbcClient jdbc,
      EvaluationProperties properties,
      FormulaProperties formulas,
      RollUpProperties rollUps,
      NodeProperties roles,
      InstantSource clock,
      MeterRegistry meters) {
    // Each shard has a store of its own, since the writer's buffer is for one thread.
    Supplier<EvaluationStore> stores =
        () ->
            new EvaluationStore(
                dataSource,
                jdbc,
                sets,
                new SampleWriter(rollUps.lag(), clock),
                symptoms,
                outliers,
                alerts,
                roles.node(),
                clock);
    return new ShardTask(
        shard ->
            new Evaluation(
                shard,
                rulesOf,
                policies,
                frames,
                () ->
                    new ThresholdStage(
                        symptoms,
                        scopes,
                        bands::create,
                        frameProperties.metricAge(),
                        thresholds.staleAfter(),
                        System::nanoTime),
                outlierStages,
                shares,
                alertStages,
                stores.get(),
                properties,
                formulas,
                System::nanoTime),
        stores.get(),
        properties,
        new ReadingQueries(jdbc),
        clock,
        meters);
  }

  /** Whoever knows how far ingest is also notes who went silent; one node at a time. */
  @Bean
  Task<Void> silenceHistoryTask(
      JdbcClient jdbc, InventoryProperties properties, InstantSource clock) {
    SilenceHistory history = new SilenceHistory(jdbc, properties);
    ReadingQueries readings = new ReadingQueries(jdbc);
    return Tasks.recurring("silence-history", FixedDelay.of(Duration.ofSeconds(30)))
        .execute(
            (instance, context) -> {
              Instant now = clock.instant();
              history.note(now, readings.at(now).noticing(now));
            });
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
    return ready -> {
      for (int shard = 0; shard < properties.shards(); shard++) {
        scheduler.scheduleIfNotExists(
            new TaskInstance<>(TASK, Integer.toString(shard)), clock.instant());
      }
    };
  }
}
