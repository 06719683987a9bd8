package io.peerlens.planning.sizing;

import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.peerlens.frame.Frames;
import io.peerlens.frame.Means;
import io.peerlens.impact.ChangeImpacts;
import io.peerlens.impact.RecordedChangeStore;
import io.peerlens.inventory.ChangeQueries;
import io.peerlens.job.Jobs;
import io.peerlens.notify.channel.Channels;
import io.peerlens.notify.definition.NotificationTargetStore;
import io.peerlens.notify.render.PagesAddressQueries;
import io.peerlens.scope.Scopes;
import io.peerlens.store.ComputedSampleStore;
import io.peerlens.store.RollUpProperties;
import java.time.Duration;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** Beans of right-sizing: its API, and the task that evaluates on the nodes that answer it. */
@Configuration(proxyBeanMethods = false)
@Import({
  RightSizingController.class,
  RecommendationsCsv.class,
  RecommendationQueries.class,
  ClusterQueries.class,
  DecisionStore.class,
  OutcomeStore.class,
  SizingSettingsStore.class,
  SizingInventoryQueries.class,
  DatastoreQueries.class
})
public class SizingConfiguration {

  private static final Duration EVERY = Duration.ofMinutes(5);

  @Bean
  ResultStore sizingResultStore(JdbcClient jdbc, PlatformTransactionManager transactions) {
    return new ResultStore(jdbc, new TransactionTemplate(transactions));
  }

  @Bean
  HistoryReader sizingHistoryReader(Means means) {
    return new HistoryReader(means);
  }

  @Bean
  SizingMetrics sizingMetrics(
      ResultStore results,
      DataSource dataSource,
      JdbcClient jdbc,
      PlatformTransactionManager transactions,
      RollUpProperties rollUps,
      InstantSource clock) {
    return new SizingMetrics(
        results,
        (group, of) ->
            new ComputedSampleStore(
                dataSource,
                jdbc,
                new TransactionTemplate(transactions),
                group,
                of,
                rollUps.lag(),
                clock),
        clock);
  }

  @Bean
  SizingEvaluation sizingEvaluation(
      SizingInventoryQueries inventory,
      DatastoreQueries datastores,
      HistoryReader reader,
      Scopes scopes,
      SizingSettingsStore settings,
      ResultStore results,
      SizingMetrics metrics,
      Jobs jobs,
      InstantSource clock) {
    return new SizingEvaluation(
        inventory, datastores, reader, scopes, settings, results, metrics, jobs, clock);
  }

  @Bean
  Tickets recommendationTickets(
      NotificationTargetStore targets,
      Channels channels,
      DecisionStore store,
      JsonMapper json,
      JdbcClient jdbc,
      @Value("${peerlens.notify.url:}") String url,
      InstantSource clock) {
    return new Tickets(targets, channels, store, json, new PagesAddressQueries(jdbc, url), clock);
  }

  @Bean
  Outcomes sizingOutcomes(
      OutcomeStore store,
      RecordedChangeStore changes,
      ChangeQueries recorded,
      ChangeImpacts impacts,
      HistoryReader reader,
      Frames frames,
      PlatformTransactionManager transactions) {
    return new Outcomes(
        store, changes, recorded, impacts, reader, frames, new TransactionTemplate(transactions));
  }

  @Bean
  Task<Void> rightSizingTask(
      SizingEvaluation evaluation,
      SizingInventoryQueries inventory,
      SizingMetrics metrics,
      Outcomes outcomes,
      Jobs jobs,
      InstantSource clock) {
    SizingUpkeep upkeep = new SizingUpkeep(evaluation, inventory, metrics, outcomes, jobs, clock);
    return Tasks.recurring("right-sizing", FixedDelay.of(EVERY))
        .execute((instance, context) -> upkeep.look());
  }
}
