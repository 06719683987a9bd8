package io.peerlens.notify;

import io.peerlens.notify.channel.Channel;
import io.peerlens.notify.channel.Channels;
import io.peerlens.notify.egress.EgressConfiguration;
import io.peerlens.notify.mail.MailConfiguration;
import io.peerlens.notify.secret.SecretConfiguration;
import io.peerlens.notify.snmp.SnmpConfiguration;
import io.peerlens.notify.webhook.WebhookConfiguration;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Everything that messages leave through; for who delivers and for who tests targets. */
@Configuration(proxyBeanMethods = false)
@Import({
  EgressConfiguration.class,
  SecretConfiguration.class,
  WebhookConfiguration.class,
  MailConfiguration.class,
  SnmpConfiguration.class
})
public class ChannelsConfiguration {

  @Bean
  Channels channels(List<Channel> channels) {
    return new Channels(channels);
  }
}
