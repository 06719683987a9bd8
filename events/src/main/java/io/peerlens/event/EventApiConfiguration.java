package io.peerlens.event;

import io.peerlens.event.EventConfiguration.RuleFiles;
import io.peerlens.event.decode.EventDecoder;
import io.peerlens.samples.DeadLetterCheck;
import io.peerlens.samples.IngestProperties;
import io.peerlens.samples.TopicOffsets;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Beans of events for the API: dead letters, status of ingest. */
@Configuration(proxyBeanMethods = false)
@Import(EventConfiguration.class)
public class EventApiConfiguration {

  @Bean
  DeadLetterCheck eventDeadLetterCheck(
      EventProperties properties, EventDecoder decoder, RuleFiles files) {
    return new EventDeadLetterCheck(properties.topic(), decoder, files.rules());
  }

  @Bean
  TopicOffsets eventTopicOffsets(
      JdbcClient jdbc, IngestProperties ingest, EventProperties properties) {
    return new TopicOffsets(jdbc, ingest, List.of(properties.topic()));
  }

  @Bean
  EventStatusQueries eventStatusQueries(
      JdbcClient jdbc,
      @Qualifier("eventTopicOffsets") TopicOffsets offsets,
      EventProperties properties) {
    return new EventStatusQueries(jdbc, offsets, properties);
  }
}
