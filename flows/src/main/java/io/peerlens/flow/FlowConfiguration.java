package io.peerlens.flow;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans of flows that the roles ingest, evaluator and api share. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(FlowProperties.class)
@Import({NetworkStore.class})
class FlowConfiguration {}
