package io.peerlens.flow;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;

/** What reading flows and keeping them share; either role brings it. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(FlowProperties.class)
class FlowConfiguration {}
