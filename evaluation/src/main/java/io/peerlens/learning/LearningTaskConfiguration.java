package io.peerlens.learning;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.peerlens.frame.Frames;
import io.peerlens.job.NumberedTask;
import io.peerlens.store.ComputedSampleStore;
import io.peerlens.store.RollUpProperties;
import io.peerlens.store.SampleReader;
import io.peerlens.store.SetPart;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Learns bounds in the background, each part on one node at a time. */
@Configuration(proxyBeanMethods = false)
@Import(LearningConfiguration.class)
public class LearningTaskConfiguration {

  private static final Duration EVERY = Duration.ofMinutes(1);

  /** Pause when this node is learning another part. */
  private static final Duration SOON = Duration.ofSeconds(5);

  /** Of each run, for objects that have no score yet. */
  private static final Duration LEARN = Duration.ofSeconds(8);

  /** One instance for each part. */
  @Bean
  Task<Void> learningTask(LearningJobs jobs, LearningProperties properties, InstantSource clock) {
    return partsOf(properties)
        .task(
            EVERY,
            part -> {
              boolean had =
                  !properties.enabled() || jobs.runByItself(new SetPart(part, properties.parts()));
              return clock.instant().plus(had ? EVERY : SOON);
            });
  }

  private static NumberedTask partsOf(LearningProperties properties) {
    return new NumberedTask("learning-part", properties.parts());
  }

  @Bean
  ApplicationListener<ApplicationReadyEvent> learningParts(
      SchedulerClient scheduler, LearningProperties properties, InstantSource clock) {
    return partsOf(properties).begin(scheduler, clock);
  }

  @Bean
  AnomalyCounts anomalyCounts(
      BandStore groups,
      BandQueries bands,
      SampleReader reader,
      Frames frames,
      LearningQueries queries,
      AnomalyScores history,
      UnusualPeriodStore periods,
      DataSource dataSource,
      JdbcClient jdbc,
      PlatformTransactionManager transactions,
      RollUpProperties rollUps,
      InstantSource clock) {
    return new AnomalyCounts(
        groups,
        bands,
        reader,
        frames,
        new ComputedSampleStore(
            dataSource,
            jdbc,
            new TransactionTemplate(transactions),
            AnomalyCounts.GROUP,
            AnomalyCounts.METRICS,
            rollUps.lag(),
            clock),
        new RunningScores(queries, history, periods));
  }

  @Bean
  Task<Void> anomalyCountsTask(AnomalyCounts counts, InstantSource clock) {
    AtomicReference<Instant> last = new AtomicReference<>(Instant.EPOCH);
    return Tasks.recurring("anomaly-counts", FixedDelay.of(Duration.ofSeconds(20)))
        .execute(
            (instance, context) -> {
              Instant end = AnomalyCounts.newest(clock.instant());
              if (end.isAfter(last.get())) {
                counts.run(end);
                last.set(end);
              }
              counts.learn(last.get(), LEARN);
            });
  }
}
