package io.peerlens.role;

import org.springframework.context.annotation.Configuration;

/** Reads Kafka and writes samples. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.INGEST)
public class IngestRole {}
