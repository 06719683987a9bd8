package io.peerlens.samples;

import io.peerlens.ingest.kafka.IngestCounters;
import io.peerlens.ingest.kafka.SampleConsumer;
import io.peerlens.ingest.mapping.Mappings;
import io.peerlens.inventory.InventoryCatalog;
import io.peerlens.node.NodeProperties;
import io.peerlens.store.RollUpProperties;
import io.peerlens.store.TimescaleSampleStore;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Beans of the ingest of samples: consumer, decoder, catalog, store. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DiskProperties.class)
@Import({MappingConfiguration.class, IngestCounters.class, FullDatabase.class})
public class IngestConfiguration {

  @Bean
  IngestPause ingestPause(MappingConfiguration.MappingFiles files) {
    IngestPause pause = new IngestPause();
    if (!files.mistake().isEmpty()) {
      pause.pause(
          "mappings",
          "a mapping file is wrong: " + files.mistake() + ". Correct it and restart this node");
    }
    return pause;
  }

  /** Takes the place of Spring's indicator of this name, which looks at the working directory. */
  @Bean
  @ConditionalOnProperty("peerlens.disk.directory")
  DiskWatch diskSpaceHealthIndicator(DiskProperties properties, IngestPause pause) {
    Path directory = Objects.requireNonNull(properties.directory());
    return new DiskWatch(() -> DiskSpace.of(directory), properties, pause);
  }

  @Bean
  SpaceWatch spaceWatch(ObjectProvider<DiskWatch> disk, FullDatabase database) {
    return new SpaceWatch(disk.getIfAvailable(), database);
  }

  @Bean
  TopicReaders sampleReaders(
      IngestProperties properties,
      NodeProperties roles,
      Mappings mappings,
      IngestCounters counters,
      GuardSettings guards,
      IngestPause pause,
      FullDatabase full,
      @Qualifier("ingestConnections") DataSource dataSource,
      InstantSource clock,
      RollUpProperties rollUps) {
    SampleConsumer.Settings settings =
        new SampleConsumer.Settings(
            properties.bootstrapServers(),
            properties.topics(),
            properties.group(),
            properties.maxBatchRecords(),
            properties.linger(),
            properties.timestampPrecision(),
            properties.kafka());
    return new TopicReaders(
        "sample-consumer",
        properties.consumers(),
        () ->
            new SampleConsumer(
                settings,
                mappings,
                full.watched(counters.counted(new InventoryCatalog(dataSource))),
                full.watched(
                    new TimescaleSampleStore(dataSource, roles.node(), rollUps.lag(), clock)),
                guards,
                pause,
                counters,
                clock),
        clock);
  }

  @Bean
  IngestHealthIndicator ingestHealthIndicator(
      TopicReaders sampleReaders, IngestPause pause, InstantSource clock) {
    return new IngestHealthIndicator(sampleReaders, pause, clock);
  }

  @Bean
  IngestReporter ingestReporter(
      JdbcClient jdbc,
      IngestCounters counters,
      Mappings mappings,
      IngestProperties properties,
      NodeProperties roles,
      InstantSource clock) {
    return new IngestReporter(jdbc, counters, mappings, properties, roles.node(), clock);
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
