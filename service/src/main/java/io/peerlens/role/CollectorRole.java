package io.peerlens.role;

import io.peerlens.node.Role;
import io.peerlens.source.collect.CollectorConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Role {@code collector}: reads sources and writes what they say to Kafka. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.COLLECTOR)
@Import(CollectorConfiguration.class)
public class CollectorRole {}
