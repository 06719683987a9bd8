package io.peerlens.learning;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans of the API of learned bounds. */
@Configuration(proxyBeanMethods = false)
@Import({LearningConfiguration.class, LearningController.class, AnomalousMetrics.class})
public class LearningApiConfiguration {}
