package io.peerlens.capacity;

import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.peerlens.store.ComputedSampleStore;
import io.peerlens.store.LevelStates;
import io.peerlens.store.RollUpProperties;
import io.peerlens.store.SampleReader;
import java.time.Duration;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Task that writes the remaining days as metrics; they hardly change within an hour. */
@Configuration(proxyBeanMethods = false)
public class CapacityConfiguration {

  private static final Duration EVERY = Duration.ofMinutes(30);

  @Bean
  Task<Void> timeRemainingTask(
      DataSource dataSource,
      JdbcClient jdbc,
      TransactionTemplate transactions,
      SampleReader reader,
      LevelStates levels,
      RollUpProperties rollUps,
      InstantSource clock) {
    TimeRemainingMetrics metrics =
        new TimeRemainingMetrics(
            new Forecasts(new CapacityQueries(jdbc), reader, levels),
            (group, of) ->
                new ComputedSampleStore(
                    dataSource, jdbc, transactions, group, of, rollUps.lag(), clock),
            clock);
    return Tasks.recurring("time-remaining", FixedDelay.of(EVERY))
        .execute((instance, context) -> metrics.run());
  }
}
