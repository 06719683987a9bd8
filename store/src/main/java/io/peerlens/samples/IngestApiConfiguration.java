package io.peerlens.samples;

import io.peerlens.ingest.mapping.Mappings;
import io.peerlens.inventory.InventoryCatalog;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Beans that answer for ingest on any node, by database and Kafka alone. */
@Configuration(proxyBeanMethods = false)
@Import({MappingConfiguration.class, IngestController.class, DeadLetters.class})
public class IngestApiConfiguration {

  @Bean
  TopicOffsets topicOffsets(JdbcClient jdbc, IngestProperties properties) {
    return new TopicOffsets(jdbc, properties, properties.topics());
  }

  @Bean
  IngestStatusReader ingestStatusReader(
      JdbcClient jdbc,
      @Qualifier("topicOffsets") TopicOffsets topicOffsets,
      GuardSettings guards,
      ObjectProvider<IngestStatusPart> parts,
      InstantSource clock) {
    return new IngestStatusReader(
        new IngestStatusQueries(jdbc, topicOffsets, guards), parts, clock);
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
