package io.peerlens.flow;

import io.micrometer.core.instrument.MeterRegistry;
import io.peerlens.flow.decode.Exporters;
import io.peerlens.inventory.InventoryCatalog;
import io.peerlens.node.NodeProperties;
import io.peerlens.samples.IngestHealthIndicator;
import io.peerlens.samples.IngestPause;
import io.peerlens.samples.IngestProperties;
import io.peerlens.samples.TopicReaders;
import io.peerlens.store.RollUpProperties;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Beans of the ingest of flows: consumer, decoder, sums by minute, store. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "peerlens.flows.enabled", matchIfMissing = true)
@Import({FlowConfiguration.class, Exporters.class})
public class FlowIngestConfiguration {

  @Bean
  EndpointStore endpointStore(
      @Qualifier("ingestConnections") DataSource dataSource,
      FlowProperties properties,
      InstantSource clock) {
    return new EndpointStore(
        dataSource, new InventoryCatalog(dataSource), properties.maxAddressObjects(), clock);
  }

  @Bean
  FlowLookups flowLookups(
      JdbcClient jdbc, NetworkStore networks, FlowProperties properties, InstantSource clock) {
    return new FlowLookups(
        new AddressQueries(jdbc, properties.addressProperties()),
        networks,
        properties.internalCidrs(),
        properties.refresh(),
        properties.maxAge().plus(properties.maxDuration()),
        clock);
  }

  @Bean
  FlowCounters flowCounters(MeterRegistry registry, EndpointStore endpoints) {
    return new FlowCounters(registry, endpoints.beyondGuard());
  }

  @Bean
  TopicReaders flowReaders(
      FlowProperties properties,
      IngestProperties ingest,
      NodeProperties roles,
      RollUpProperties rollUps,
      EndpointStore endpoints,
      FlowLookups lookups,
      Exporters exporters,
      IngestPause pause,
      FlowCounters counters,
      @Qualifier("ingestConnections") DataSource dataSource,
      InstantSource clock) {
    FlowConsumer.Settings settings =
        new FlowConsumer.Settings(properties, ingest.bootstrapServers(), ingest.kafka());
    return new TopicReaders(
        "flow-consumer",
        properties.consumers(),
        () ->
            new FlowConsumer(
                settings,
                new FlowStore(dataSource, roles.node(), rollUps.flowLag(), clock),
                endpoints,
                lookups,
                exporters,
                pause,
                counters,
                clock),
        clock);
  }

  @Bean
  FlowReportStore flowReportStore(
      JdbcClient jdbc, FlowCounters counters, NodeProperties roles, InstantSource clock) {
    return new FlowReportStore(jdbc, counters, roles.node(), clock);
  }

  @Bean
  IngestHealthIndicator flowHealthIndicator(
      TopicReaders flowReaders, IngestPause pause, InstantSource clock) {
    return new IngestHealthIndicator(flowReaders, pause, clock);
  }
}
