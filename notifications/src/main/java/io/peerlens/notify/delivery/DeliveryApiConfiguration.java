package io.peerlens.notify.delivery;

import io.peerlens.node.NodeProperties;
import io.peerlens.notify.definition.NotificationDefinitionConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Endpoints of the delivery log. */
@Configuration(proxyBeanMethods = false)
@Import({
  NotificationDefinitionConfiguration.class,
  DeliveriesController.class,
  DeliveryActionStore.class,
  DeliveryQueries.class
})
public class DeliveryApiConfiguration {

  @Bean
  TargetHealthStore deliveryLines(JdbcClient jdbc, NodeProperties roles) {
    return new TargetHealthStore(jdbc, roles.node());
  }
}
