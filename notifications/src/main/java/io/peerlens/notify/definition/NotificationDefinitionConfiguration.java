package io.peerlens.notify.definition;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What all definitions of notifications need. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(NotificationProperties.class)
public class NotificationDefinitionConfiguration {

  @Bean
  NotificationVersionStore notificationVersion(
      JdbcClient jdbc, PlatformTransactionManager transactions) {
    return new NotificationVersionStore(jdbc, new TransactionTemplate(transactions));
  }
}
