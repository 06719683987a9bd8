package io.peerlens.flow;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;

/** What reading flows, keeping them and answering for them share; any of the roles brings it. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(FlowProperties.class)
class FlowConfiguration {}
