package io.peerlens.source.definition;

import io.peerlens.notify.channel.HostResolver;
import io.peerlens.notify.secret.SecretConfiguration;
import io.peerlens.notify.secret.SecretUser;
import java.util.Set;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Stored sources, for collectors and the API. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({CollectorProperties.class, SourceEgressProperties.class})
@Import({
  SecretConfiguration.class,
  SourceVersionStore.class,
  SourceStore.class,
  SourcePauseStore.class
})
public class SourceConfiguration {

  @Bean
  SourceGuard sourceGuard(SourceEgressProperties properties) {
    return new SourceGuard(properties, HostResolver.SYSTEM);
  }

  @Bean
  SecretUser sourceSecrets(SourceStore store) {
    return SecretUser.of("source", store, source -> Set.of(source.password()));
  }
}
