package io.peerlens.notify.mail;

import io.peerlens.notify.egress.AddressGuard;
import io.peerlens.notify.secret.Secrets;
import io.peerlens.notify.webhook.TokenClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The channel for targets of type email. */
@Configuration(proxyBeanMethods = false)
public class MailConfiguration {

  @Bean
  MailChannel mailChannel(Secrets secrets, AddressGuard guard, TokenClient tokens) {
    return new MailChannel(secrets, guard, tokens);
  }
}
