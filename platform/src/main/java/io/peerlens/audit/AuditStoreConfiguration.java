package io.peerlens.audit;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Audit log in the database. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AuditProperties.class)
@Import({AuditStore.class, AuditQueries.class})
class AuditStoreConfiguration {}
