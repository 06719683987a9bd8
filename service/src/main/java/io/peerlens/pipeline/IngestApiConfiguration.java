package io.peerlens.pipeline;

import io.peerlens.ingest.mapping.Mappings;
import io.peerlens.inventory.InventoryCatalog;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Answers for ingest on any node, by database and Kafka alone. */
@Configuration(proxyBeanMethods = false)
@Import({PipelineConfiguration.class, IngestController.class})
public class IngestApiConfiguration {

  @Bean
  EndOffsets endOffsets(IngestProperties properties) {
    return new EndOffsets(properties);
  }

  @Bean
  IngestStatusReader ingestStatusReader(
      JdbcClient jdbc,
      EndOffsets endOffsets,
      GuardSettings guards,
      IngestProperties properties,
      InstantSource clock) {
    return new IngestStatusReader(jdbc, endOffsets, guards, properties.topic(), clock);
  }

  @Bean
  DeadLetters deadLetters(JdbcClient jdbc) {
    return new DeadLetters(jdbc);
  }

  @Bean
  DeadLetterReplay deadLetterReplay(
      JdbcClient jdbc,
      TransactionTemplate transaction,
      DataSource dataSource,
      Mappings mappings,
      GuardSettings guards,
      ObjectProvider<DeadLetterCheck> otherTopics,
      IngestProperties properties,
      InstantSource clock) {
    return new DeadLetterReplay(
        jdbc,
        transaction,
        new InventoryCatalog(dataSource),
        mappings,
        guards,
        otherTopics.stream().toList(),
        properties,
        clock);
  }
}
