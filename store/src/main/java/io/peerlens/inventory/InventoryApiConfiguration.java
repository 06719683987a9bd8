package io.peerlens.inventory;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The reading side of the inventory: objects, kinds, changes. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(InventoryProperties.class)
@Import({
  ObjectsController.class,
  KindsController.class,
  ChangesController.class,
  Silence.class,
  ObjectQueries.class,
  ObjectsCsv.class,
  KindQueries.class,
  ChangeQueries.class
})
public class InventoryApiConfiguration {}
