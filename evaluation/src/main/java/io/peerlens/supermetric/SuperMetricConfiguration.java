package io.peerlens.supermetric;

import io.peerlens.scope.ScopeConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans of super metrics that evaluators and the API share. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SuperMetricProperties.class)
@Import({
  ScopeConfiguration.class,
  SuperMetricVersionStore.class,
  SuperMetricStore.class,
  Policies.class,
  ResultStore.class
})
public class SuperMetricConfiguration {}
