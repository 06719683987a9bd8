package io.peerlens.role;

import org.springframework.context.annotation.Configuration;

/** Roll-ups and retention; later super metrics, thresholds and outliers. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.EVALUATOR)
public class EvaluatorRole {}
