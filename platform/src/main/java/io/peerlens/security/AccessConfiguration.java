package io.peerlens.security;

import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Tokens, sign-in and pairing of the API, and the first admin token. */
@Configuration(proxyBeanMethods = false)
@Import({
  TokensController.class,
  SessionController.class,
  PairingController.class,
  PairingStore.class,
  Pairings.class
})
public class AccessConfiguration {

  @Bean
  SignInBrake signInBrake(SecurityProperties properties, InstantSource clock) {
    return new SignInBrake(properties.signInAttempts(), properties.signInWindow(), clock);
  }

  /** Runs before the server takes requests. Those who listen for created tokens hear of it. */
  @Bean
  SmartInitializingSingleton firstAdminToken(
      ApiTokens tokens,
      ObjectProvider<FirstAdminTokenSink> sink,
      ApplicationEventPublisher events) {
    return () ->
        tokens
            .createFirst(events::publishEvent)
            .ifPresent(sink.getIfAvailable(() -> AccessConfiguration::print)::accept);
  }

  @SuppressWarnings("SystemOut") // for the person who starts it, not for the log
  private static void print(FirstAdminToken token) {
    System.out.println("Admin token (shown once): " + token.secret());
  }
}
