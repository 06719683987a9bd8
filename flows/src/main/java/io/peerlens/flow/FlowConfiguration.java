package io.peerlens.flow;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** What reading flows, keeping them and answering for them share; any of the roles brings it. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(FlowProperties.class)
class FlowConfiguration {

  @Bean
  NetworkStore networkStore(JdbcClient jdbc, TransactionTemplate transaction) {
    return new NetworkStore(jdbc, transaction);
  }
}
