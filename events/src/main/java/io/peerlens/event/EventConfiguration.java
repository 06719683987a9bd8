package io.peerlens.event;

import io.peerlens.event.decode.EventDecoder;
import io.peerlens.event.mapping.EventRules;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Beans of events that the roles ingest and api share. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(EventProperties.class)
class EventConfiguration {

  private static final Logger log = LoggerFactory.getLogger(EventConfiguration.class);

  /**
   * Rules in force, and what is wrong with one of their files.
   *
   * @param mistake in words with file and place; empty = none. Then the rules are the shipped ones,
   *     and nothing must be read by them: what they drop would be lost
   */
  record RuleFiles(EventRules rules, String mistake) {}

  @Bean
  RuleFiles eventRuleFiles(EventProperties properties) {
    try {
      return new RuleFiles(EventRules.load(properties.mappings()), "");
    } catch (EventRules.MistakeException e) {
      String mistake = String.valueOf(e.getMessage());
      log.error(
          "Events wait until a mapping file in {} is corrected: {}",
          properties.mappings(),
          mistake);
      return new RuleFiles(EventRules.shipped(), mistake);
    }
  }

  @Bean
  EventDecoder eventDecoder(EventProperties properties, InstantSource clock) {
    return new EventDecoder(properties::guards, clock);
  }
}
