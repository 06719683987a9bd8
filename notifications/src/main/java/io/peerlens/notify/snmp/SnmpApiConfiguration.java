package io.peerlens.notify.snmp;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Who we are in SNMP, in the API; the rest of SNMP comes with the channels. */
@Configuration(proxyBeanMethods = false)
@Import(SnmpEngineController.class)
public class SnmpApiConfiguration {}
