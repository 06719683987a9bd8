package io.peerlens.audit;

import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import io.peerlens.node.KafkaConnection;
import io.peerlens.node.NodeProperties;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import javax.net.ssl.SSLSocketFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import tools.jackson.databind.json.JsonMapper;

/** The recurring work on the audit log: on one node at a time. */
@Configuration(proxyBeanMethods = false)
@Import(AuditStoreConfiguration.class)
public class AuditMaintenanceConfiguration {

  private static final FixedDelay OFTEN = FixedDelay.of(Duration.ofSeconds(1));

  @Bean
  Task<Void> auditRetentionTask(AuditStore store, AuditProperties properties, InstantSource clock) {
    return Tasks.recurring("audit-retention", FixedDelay.of(Duration.ofMinutes(5)))
        .execute(
            (instance, context) -> {
              store.sweep(clock.instant().minus(AuditStore.LONGEST));
              store.forget(clock.instant().minus(properties.retention()));
            });
  }

  /** The topic that gets the log. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty("peerlens.audit.kafka-topic")
  static class KafkaConfiguration {

    @Bean
    AuditExport auditToKafka(
        AuditStore store,
        AuditQueries queries,
        JsonMapper json,
        AuditProperties properties,
        KafkaConnection kafka) {
      String topic = Objects.requireNonNull(properties.kafkaTopic());
      return new AuditExport(store, queries, "kafka", new KafkaSink(json, topic, kafka));
    }

    @Bean
    Task<Void> auditToKafkaTask(AuditExport auditToKafka) {
      return Tasks.recurring("audit-to-kafka", OFTEN)
          .execute((instance, context) -> auditToKafka.run());
    }
  }

  /** The syslog receiver that gets the log. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty("peerlens.audit.syslog")
  static class SyslogConfiguration {

    @Bean
    AuditExport auditToSyslog(
        AuditStore store,
        AuditQueries queries,
        JsonMapper json,
        AuditProperties properties,
        NodeProperties roles) {
      return new AuditExport(
          store,
          queries,
          "syslog",
          new SyslogSink(
              json,
              Objects.requireNonNull(properties.syslog()),
              (SSLSocketFactory) SSLSocketFactory.getDefault(),
              roles.node()));
    }

    @Bean
    Task<Void> auditToSyslogTask(AuditExport auditToSyslog) {
      return Tasks.recurring("audit-to-syslog", OFTEN)
          .execute((instance, context) -> auditToSyslog.run());
    }
  }
}
