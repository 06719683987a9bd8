package io.peerlens.flow;

import io.peerlens.samples.DeadLetterCheck;
import io.peerlens.samples.IngestProperties;
import io.peerlens.samples.TopicOffsets;
import java.time.InstantSource;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Beans of flows for the API: named networks, status of ingest, dead letters. */
@Configuration(proxyBeanMethods = false)
@Import({FlowConfiguration.class, NetworksController.class})
public class FlowApiConfiguration {

  @Bean
  DeadLetterCheck flowDeadLetterCheck(FlowProperties properties, InstantSource clock) {
    return new FlowDeadLetterCheck(properties.topic(), properties.guards(), clock);
  }

  @Bean
  NetworkService networkService(
      NetworkStore store, JdbcClient jdbc, FlowProperties properties, InstantSource clock) {
    return new NetworkService(
        store, new SeenAddressQueries(jdbc), properties.internalCidrs(), clock);
  }

  @Bean
  TopicOffsets flowTopicOffsets(
      JdbcClient jdbc, IngestProperties ingest, FlowProperties properties) {
    return new TopicOffsets(jdbc, ingest, List.of(properties.topic()));
  }

  @Bean
  FlowStatusQueries flowStatusQueries(
      JdbcClient jdbc,
      @Qualifier("flowTopicOffsets") TopicOffsets offsets,
      FlowProperties properties) {
    return new FlowStatusQueries(jdbc, offsets, properties);
  }
}
