package io.peerlens.role;

import io.peerlens.pipeline.IngestApiConfiguration;
import io.peerlens.security.AccessConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The REST API and the pages. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.API)
@Import({AccessConfiguration.class, IngestApiConfiguration.class})
public class ApiRole {}
