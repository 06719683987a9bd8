package io.peerlens.role;

import org.springframework.context.annotation.Configuration;

/** The REST API and the pages. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.API)
public class ApiRole {}
