package io.peerlens.role;

import org.springframework.context.annotation.Configuration;

/** Delivers notifications; nothing to deliver exists before alerts do. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.NOTIFIER)
public class NotifierRole {}
