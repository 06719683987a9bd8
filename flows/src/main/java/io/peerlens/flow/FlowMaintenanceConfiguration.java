package io.peerlens.flow;

import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Tasks of retention of flows. */
@Configuration(proxyBeanMethods = false)
@Import(FlowConfiguration.class)
public class FlowMaintenanceConfiguration {

  private static final Logger log = LoggerFactory.getLogger(FlowMaintenanceConfiguration.class);

  @Bean
  FlowRetentionStore flowRetentionStore(
      JdbcClient jdbc,
      TransactionTemplate transaction,
      FlowProperties properties,
      MeterRegistry registry) {
    FlowRetentionStore retention =
        new FlowRetentionStore(
            jdbc, transaction, properties.keepMinutes(), properties.keepUnrolled());
    Gauge.builder("peerlens.flows.retention.waiting", retention, FlowRetentionStore::waiting)
        .baseUnit("seconds")
        .description("For how long flows by minute that should be gone wait to be rolled up")
        .register(registry);
    return retention;
  }

  @Bean
  Task<Void> flowRetentionTask(FlowRetentionStore retention, InstantSource clock) {
    return Tasks.recurring("flow-retention", FixedDelay.of(Duration.ofMinutes(10)))
        .execute(
            (instance, context) -> {
              long removed = retention.run(clock.instant());
              if (removed > 0) {
                log.debug("Removed {} chunks or rows of flows by minute", removed);
              }
            });
  }
}
