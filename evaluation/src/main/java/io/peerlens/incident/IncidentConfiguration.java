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
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Incidents where alerts are evaluated. */
@Configuration(proxyBeanMethods = false)
public class IncidentConfiguration {

  /** Samples of vSphere that are rolled up come every five minutes. */
  private static final Duration TOLERANCE = Duration.ofMinutes(5);

  @Bean
  IncidentKeeper incidentKeeper(JdbcClient jdbc, PlatformTransactionManager transactions) {
    return new IncidentKeeper(
        new IncidentQueries(jdbc),
        new IncidentStore(jdbc, new AlertStepStore(jdbc)),
        new TransactionTemplate(transactions),
        TOLERANCE,
        Uuid7::at);
  }

  @Bean
  Task<Void> incidentTask(IncidentKeeper keeper, InstantSource clock) {
    return Tasks.recurring("incidents", FixedDelay.of(Duration.ofSeconds(2)))
        .execute((instance, context) -> keeper.run(clock.instant()));
  }
}
