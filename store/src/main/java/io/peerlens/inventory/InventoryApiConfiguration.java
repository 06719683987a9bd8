package io.peerlens.inventory;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Endpoints of objects, kinds and changes, with their queries. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(InventoryProperties.class)
@Import({
  ObjectsController.class,
  KindsController.class,
  ChangesController.class,
  Liveness.class,
  ObjectQueries.class,
  ObjectTreeQueries.class,
  ObjectMetricQueries.class,
  ObjectsCsv.class,
  KindQueries.class,
  ChangeQueries.class
})
public class InventoryApiConfiguration {}
