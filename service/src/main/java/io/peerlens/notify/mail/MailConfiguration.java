package io.peerlens.notify.mail;

import io.peerlens.notify.egress.AddressGuard;
import io.peerlens.notify.secret.Secrets;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The channel for targets of type email. */
@Configuration(proxyBeanMethods = false)
public class MailConfiguration {

  @Bean
  MailChannel mailChannel(Secrets secrets, AddressGuard guard) {
    return new MailChannel(secrets, guard);
  }
}
