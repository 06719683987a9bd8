package io.peerlens.learning;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Usual traffic of talkers, from learned bounds. */
@Configuration(proxyBeanMethods = false)
@Import({LearningConfiguration.class, LearnedTraffic.class})
public class LearnedTrafficConfiguration {}
