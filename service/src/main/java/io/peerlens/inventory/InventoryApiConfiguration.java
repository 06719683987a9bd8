package io.peerlens.inventory;

import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The reading side of the inventory: objects, kinds, changes. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(InventoryProperties.class)
@Import({ObjectsController.class, KindsController.class, ChangesController.class})
public class InventoryApiConfiguration {

  @Bean
  ObjectQueries objectQueries(
      JdbcClient jdbc, InventoryProperties properties, InstantSource clock) {
    return new ObjectQueries(jdbc, properties, clock);
  }

  @Bean
  KindQueries kindQueries(JdbcClient jdbc) {
    return new KindQueries(jdbc);
  }

  @Bean
  ChangeQueries changeQueries(JdbcClient jdbc) {
    return new ChangeQueries(jdbc);
  }
}
