package io.peerlens.role;

import io.peerlens.event.EventIngestConfiguration;
import io.peerlens.flow.FlowIngestConfiguration;
import io.peerlens.node.Role;
import io.peerlens.samples.IngestConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Role {@code ingest}: reads Kafka and writes samples, flows and events. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.INGEST)
@Import({IngestConfiguration.class, FlowIngestConfiguration.class, EventIngestConfiguration.class})
public class IngestRole {}
