package io.peerlens.source.definition;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Changes of stored sources, for the API. */
@Configuration(proxyBeanMethods = false)
@Import({SourceConfiguration.class, SourceService.class})
public class SourceServiceConfiguration {}
