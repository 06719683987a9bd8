package io.peerlens.threshold;

import io.peerlens.scope.ScopeConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans of thresholds that evaluators and the API share. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ThresholdProperties.class)
@Import({ScopeConfiguration.class, SymptomStore.class, ThresholdStore.class})
public class ThresholdConfiguration {}
