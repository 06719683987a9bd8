package io.peerlens.incident;

import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.peerlens.alert.AlertStepStore;
import io.peerlens.database.Uuid7;
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.support.TransactionTemplate;

/** Recurring task that forms incidents from open alerts. */
@Configuration(proxyBeanMethods = false)
@Import({AlertStepStore.class, IncidentStore.class, IncidentQueries.class})
public class IncidentConfiguration {

  /** Samples of vSphere that are rolled up come every five minutes. */
  private static final Duration TOLERANCE = Duration.ofMinutes(5);

  @Bean
  IncidentKeeper incidentKeeper(
      IncidentQueries queries, IncidentStore store, TransactionTemplate transaction) {
    return new IncidentKeeper(queries, store, transaction, TOLERANCE, Uuid7::at);
  }

  @Bean
  Task<Void> incidentTask(IncidentKeeper keeper, InstantSource clock) {
    return Tasks.recurring("incidents", FixedDelay.of(Duration.ofSeconds(2)))
        .execute((instance, context) -> keeper.run(clock.instant()));
  }
}
