package io.peerlens.source.collect;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.peerlens.event.EventProperties;
import io.peerlens.node.KafkaConnection;
import io.peerlens.node.NodeProperties;
import io.peerlens.notify.secret.Secrets;
import io.peerlens.samples.IngestProperties;
import io.peerlens.samples.KafkaConfiguration;
import io.peerlens.source.SourceCollectors;
import io.peerlens.source.Topic;
import io.peerlens.source.definition.CollectorProperties;
import io.peerlens.source.definition.SourceConfiguration;
import io.peerlens.source.definition.SourcePauseStore;
import io.peerlens.source.definition.SourceStore;
import io.peerlens.source.vcenter.VCenterConfiguration;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Collecting from sources on this node. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(EventProperties.class)
@Import({SourceConfiguration.class, VCenterConfiguration.class, KafkaConfiguration.class})
public class CollectorConfiguration {

  @Bean
  KafkaOutlets kafkaOutlets(
      KafkaConnection kafka, IngestProperties ingest, EventProperties events) {
    return new KafkaOutlets(
        kafka, Map.of(Topic.METRICS, ingest.topic(), Topic.EVENTS, events.topic()));
  }

  @Bean
  LeaseKeeper leaseKeeper(
      JdbcClient jdbc,
      PlatformTransactionManager transactions,
      SourceStore sources,
      SourcePauseStore pauses,
      ObjectProvider<SourceCollectors> collectors,
      KafkaOutlets outlets,
      Secrets secrets,
      NodeProperties node,
      CollectorProperties properties,
      InstantSource clock,
      MeterRegistry meters) {
    UUID holder = UUID.randomUUID();
    LeaseTiming timing = LeaseTiming.USUAL;
    LeaseKeeper keeper =
        new LeaseKeeper(
            new LeaseStore(jdbc, holder, node.node(), timing.lease()),
            sources,
            pauses,
            collectors.orderedStream().toList(),
            new HeldSource.Parts(
                new JournalStore(jdbc, new TransactionTemplate(transactions), holder),
                outlets,
                secrets,
                timing,
                node.node(),
                clock),
            properties.keepErrors());
    Gauge.builder("peerlens.collector.sources", keeper, LeaseKeeper::reading)
        .description("Sources that this node reads")
        .register(meters);
    return keeper;
  }
}
