package io.peerlens.inventory;

import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** The reading side of the inventory: objects, kinds, changes. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(InventoryProperties.class)
@Import({ObjectsController.class, KindsController.class, ChangesController.class})
public class InventoryApiConfiguration {

  @Bean
  Silence silence(InventoryProperties properties, InstantSource clock) {
    return new Silence(properties, clock);
  }

  @Bean
  ObjectQueries objectQueries(JdbcClient jdbc, Silence silence, InstantSource clock) {
    return new ObjectQueries(jdbc, silence, clock);
  }

  @Bean
  ObjectsCsv objectsCsv(JsonMapper json) {
    return new ObjectsCsv(json);
  }

  @Bean
  KindQueries kindQueries(JdbcClient jdbc, Silence silence, InstantSource clock) {
    return new KindQueries(jdbc, silence, clock);
  }

  @Bean
  ChangeQueries changeQueries(JdbcClient jdbc) {
    return new ChangeQueries(jdbc);
  }
}
