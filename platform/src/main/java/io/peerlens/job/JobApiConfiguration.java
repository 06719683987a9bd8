package io.peerlens.job;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Jobs in the API. */
@Configuration(proxyBeanMethods = false)
@Import(JobsController.class)
public class JobApiConfiguration {}
