package io.peerlens.pipeline;

import io.micrometer.core.instrument.MeterRegistry;
import io.peerlens.ingest.kafka.IngestCounters;
import io.peerlens.ingest.kafka.SampleConsumer;
import io.peerlens.ingest.mapping.Mappings;
import io.peerlens.inventory.InventoryCatalog;
import io.peerlens.role.RoleProperties;
import io.peerlens.store.RollUpProperties;
import io.peerlens.store.TimescaleSampleStore;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Wires the path of a sample: consumer, decoder, catalog, store. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(IngestProperties.class)
public class IngestConfiguration {

  @Bean
  Mappings mappings(IngestProperties properties) {
    return Mappings.load(properties.mappings());
  }

  @Bean
  IngestCounters ingestCounters(MeterRegistry registry) {
    return new IngestCounters(registry);
  }

  @Bean
  SampleConsumers sampleConsumers(
      IngestProperties properties,
      RoleProperties roles,
      Mappings mappings,
      IngestCounters counters,
      DataSource dataSource,
      JdbcClient jdbc,
      InstantSource clock,
      RollUpProperties rollUps) {
    SampleConsumer.Settings settings =
        new SampleConsumer.Settings(
            properties.bootstrapServers(),
            properties.topic(),
            properties.group(),
            properties.maxBatchRecords(),
            properties.linger(),
            properties.timestampPrecision(),
            properties.kafka());
    GuardSettings guards = new GuardSettings(jdbc, clock);
    return new SampleConsumers(
        properties.consumers(),
        () ->
            new SampleConsumer(
                settings,
                mappings,
                new InventoryCatalog(dataSource),
                new TimescaleSampleStore(dataSource, roles.node(), rollUps.lag(), clock),
                guards,
                counters,
                clock));
  }

  @Bean
  IngestReporter ingestReporter(
      JdbcClient jdbc,
      IngestCounters counters,
      Mappings mappings,
      RoleProperties roles,
      InstantSource clock) {
    return new IngestReporter(jdbc, counters, mappings, roles.node(), clock);
  }

  @Bean
  DeadLetterRelay deadLetterRelay(
      JdbcClient jdbc,
      TransactionTemplate transaction,
      IngestProperties properties,
      InstantSource clock) {
    return new DeadLetterRelay(
        jdbc,
        transaction,
        properties.bootstrapServers(),
        properties.deadLetterTopic(),
        properties.kafka(),
        clock);
  }
}
