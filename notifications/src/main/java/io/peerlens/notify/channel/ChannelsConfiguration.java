package io.peerlens.notify.channel;

import io.peerlens.notify.secret.SecretConfiguration;
import io.peerlens.notify.secret.Secrets;
import java.time.InstantSource;
import java.util.List;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Channels with the guard of their addresses, for the notifier and for tests of targets. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(EgressProperties.class)
@Import({SecretConfiguration.class, TokenClient.class})
public class ChannelsConfiguration {

  @Bean
  AddressGuard addressGuard(EgressProperties properties) {
    return new AddressGuard(properties, HostResolver.SYSTEM);
  }

  @Bean
  SnmpEngines snmpEngines(JdbcClient jdbc, InstantSource clock) {
    return new SnmpEngines(new SnmpEngineStore(jdbc)::use, clock);
  }

  @Bean
  Channels channels(
      Secrets secrets,
      AddressGuard guard,
      TokenClient tokens,
      SnmpEngines engines,
      InstantSource clock) {
    return new Channels(
        List.of(
            new WebhookChannel(secrets, guard, clock),
            new MailChannel(secrets, guard, tokens),
            new SnmpChannel(secrets, guard, engines, clock)));
  }
}
