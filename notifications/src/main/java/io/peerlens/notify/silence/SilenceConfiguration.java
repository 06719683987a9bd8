package io.peerlens.notify.silence;

import io.peerlens.notify.definition.NotificationDefinitionConfiguration;
import io.peerlens.notify.definition.NotificationProperties;
import io.peerlens.notify.definition.NotificationVersionStore;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What notifiers and the API need of silences. */
@Configuration(proxyBeanMethods = false)
@Import(NotificationDefinitionConfiguration.class)
public class SilenceConfiguration {

  @Bean
  SilenceStore silenceStore(
      JdbcClient jdbc,
      NotificationVersionStore number,
      InstantSource clock,
      NotificationProperties properties) {
    return new SilenceStore(jdbc, number, clock, properties.history(), properties.silencesKept());
  }
}
