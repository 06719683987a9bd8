package io.peerlens.notify.channel;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Endpoint of the local SNMPv3 engine. */
@Configuration(proxyBeanMethods = false)
@Import(SnmpEngineController.class)
public class SnmpEngineApiConfiguration {}
