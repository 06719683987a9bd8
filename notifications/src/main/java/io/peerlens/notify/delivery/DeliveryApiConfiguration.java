package io.peerlens.notify.delivery;

import io.peerlens.node.NodeProperties;
import io.peerlens.notify.target.NotificationTargetConfiguration;
import io.peerlens.notify.target.NotificationTargetStore;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What was sent, what waits, and why, in the API. */
@Configuration(proxyBeanMethods = false)
@Import({NotificationTargetConfiguration.class, DeliveriesController.class, DeliveryQueries.class})
public class DeliveryApiConfiguration {

  @Bean
  DeliveryActionStore deliveryActions(JdbcClient jdbc, PlatformTransactionManager transactions) {
    return new DeliveryActionStore(jdbc, new TransactionTemplate(transactions));
  }

  @Bean
  LineStore deliveryLines(JdbcClient jdbc, NodeProperties roles) {
    return new LineStore(jdbc, roles.node());
  }

  @Bean
  DeliveriesController.TargetNames deliveryTargets(NotificationTargetStore targets) {
    return id -> targets.find(id).isPresent();
  }
}
