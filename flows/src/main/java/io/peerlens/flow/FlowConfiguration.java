package io.peerlens.flow;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What reading flows, keeping them and answering for them share; any of the roles brings it. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(FlowProperties.class)
@Import({NetworkStore.class})
class FlowConfiguration {}
