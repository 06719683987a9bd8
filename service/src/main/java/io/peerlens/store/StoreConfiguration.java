package io.peerlens.store;

import org.springframework.context.annotation.Configuration;

/** What every role needs of the database. */
@Configuration(proxyBeanMethods = false)
public class StoreConfiguration {}
