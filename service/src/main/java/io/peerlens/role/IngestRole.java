package io.peerlens.role;

import io.peerlens.pipeline.IngestConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Reads Kafka and writes samples. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.INGEST)
@Import(IngestConfiguration.class)
public class IngestRole {}
