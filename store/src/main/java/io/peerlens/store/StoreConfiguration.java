package io.peerlens.store;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans of the store that every role needs. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(RollUpProperties.class)
@Import({SampleReader.class, LevelStates.class})
public class StoreConfiguration {}
