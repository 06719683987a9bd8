package io.peerlens.notify.webhook;

import io.peerlens.notify.egress.AddressGuard;
import io.peerlens.notify.secret.Secrets;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The channel for targets of type webhook. */
@Configuration(proxyBeanMethods = false)
@Import({TokenClient.class})
public class WebhookConfiguration {

  @Bean
  WebhookChannel webhookChannel(Secrets secrets, AddressGuard guard, InstantSource clock) {
    return new WebhookChannel(secrets, guard, clock);
  }
}
