package io.peerlens.event;

import io.peerlens.event.EventConfiguration.RuleFiles;
import io.peerlens.event.decode.EventDecoder;
import io.peerlens.samples.DeadLetterCheck;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans of events for the API: dead letters. */
@Configuration(proxyBeanMethods = false)
@Import(EventConfiguration.class)
public class EventApiConfiguration {

  @Bean
  DeadLetterCheck eventDeadLetterCheck(
      EventProperties properties, EventDecoder decoder, RuleFiles files) {
    return new EventDeadLetterCheck(properties.topic(), decoder, files.rules());
  }
}
