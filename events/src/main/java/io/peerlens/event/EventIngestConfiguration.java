package io.peerlens.event;

import io.micrometer.core.instrument.MeterRegistry;
import io.peerlens.event.EventConfiguration.RuleFiles;
import io.peerlens.event.decode.EventDecoder;
import io.peerlens.node.NodeProperties;
import io.peerlens.samples.IngestHealthIndicator;
import io.peerlens.samples.IngestPause;
import io.peerlens.samples.IngestProperties;
import io.peerlens.samples.TopicReaders;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans of the ingest of events: consumer, decoder, rules, store. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "peerlens.events.enabled", matchIfMissing = true)
@Import(EventConfiguration.class)
public class EventIngestConfiguration {

  @Bean
  EventCounters eventCounters(MeterRegistry registry) {
    return new EventCounters(registry);
  }

  @Bean
  EventStore eventStore(
      @Qualifier("ingestConnections") DataSource dataSource,
      EventProperties properties,
      NodeProperties roles,
      InstantSource clock) {
    return new EventStore(dataSource, properties, roles.node(), clock);
  }

  /** All of ingest may be paused, or events alone. */
  @Bean
  EventPause eventPause(IngestPause pause, RuleFiles files) {
    return new EventPause(pause, files.mistake());
  }

  @Bean
  TopicReaders eventReaders(
      EventProperties properties,
      IngestProperties ingest,
      EventStore store,
      EventDecoder decoder,
      RuleFiles files,
      EventPause pause,
      EventCounters counters,
      InstantSource clock) {
    EventConsumer.Settings settings =
        new EventConsumer.Settings(properties, ingest.bootstrapServers(), ingest.kafka());
    return new TopicReaders(
        "event-consumer",
        1,
        () ->
            new EventConsumer(
                settings,
                store,
                new EventIntake(decoder, files.rules(), properties.maxChangesPerMinute()),
                pause,
                counters,
                clock),
        clock);
  }

  @Bean
  EventRetry eventRetry(
      EventStore store, EventDecoder decoder, RuleFiles files, EventCounters counters) {
    return new EventRetry(
        store, new EventIntake(decoder, files.rules(), Integer.MAX_VALUE), counters);
  }

  @Bean
  IngestHealthIndicator eventHealthIndicator(
      TopicReaders eventReaders, EventPause pause, InstantSource clock) {
    return new IngestHealthIndicator(eventReaders, pause, clock);
  }
}
