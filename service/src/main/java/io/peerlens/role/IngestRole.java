package io.peerlens.role;

import io.peerlens.flow.FlowIngestConfiguration;
import io.peerlens.node.Role;
import io.peerlens.samples.IngestConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Role {@code ingest}: reads Kafka and writes samples and flows. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.INGEST)
@Import({IngestConfiguration.class, FlowIngestConfiguration.class})
public class IngestRole {}
