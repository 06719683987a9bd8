package io.peerlens.audit;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** The audit log in the database. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AuditProperties.class)
@Import({AuditQueries.class})
class AuditStoreConfiguration {

  @Bean
  AuditStore auditStore(JdbcClient jdbc, PlatformTransactionManager transactions, JsonMapper json) {
    return new AuditStore(jdbc, new TransactionTemplate(transactions), json);
  }
}
