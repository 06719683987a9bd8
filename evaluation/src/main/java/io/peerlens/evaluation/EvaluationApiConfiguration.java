package io.peerlens.evaluation;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans of the API of the evaluation loop. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(EvaluationProperties.class)
@Import({EvaluationController.class, ReadRules.Stores.class, EvaluationQueries.class})
public class EvaluationApiConfiguration {}
