package io.peerlens.role;

import io.peerlens.job.JobApiConfiguration;
import io.peerlens.security.AccessConfiguration;
import io.peerlens.series.SeriesConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The REST API and the pages. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.API)
@Import({AccessConfiguration.class, JobApiConfiguration.class, SeriesConfiguration.class})
public class ApiRole {}
