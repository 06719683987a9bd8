package io.peerlens.notify.secret;

import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Secrets, for whoever sends and for the API. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SecretProperties.class)
@Import({KeyRing.class})
public class SecretConfiguration {

  @Bean
  Secrets secrets(
      JdbcClient jdbc, KeyRing keys, InstantSource clock, ObjectProvider<SecretUser> users) {
    return new Secrets(new SecretStore(jdbc), keys, clock, users.orderedStream().toList());
  }
}
