package io.peerlens.notify.snmp;

import io.peerlens.notify.egress.AddressGuard;
import io.peerlens.notify.secret.Secrets;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The channel for targets of type snmp. */
@Configuration(proxyBeanMethods = false)
public class SnmpConfiguration {

  @Bean
  SnmpEngines snmpEngines(JdbcClient jdbc, InstantSource clock) {
    return new SnmpEngines(new SnmpEngineStore(jdbc)::use, clock);
  }

  @Bean
  SnmpChannel snmpChannel(
      Secrets secrets, AddressGuard guard, SnmpEngines engines, InstantSource clock) {
    return new SnmpChannel(secrets, guard, engines, clock);
  }
}
