package io.peerlens.notify.egress;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Where notifications may go. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(EgressProperties.class)
public class EgressConfiguration {

  @Bean
  AddressGuard addressGuard(EgressProperties properties) {
    return new AddressGuard(properties, HostResolver.SYSTEM);
  }
}
