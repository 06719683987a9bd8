package io.peerlens.samples;

import io.peerlens.node.KafkaConnection;
import io.peerlens.node.KafkaWriter;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Settings of Kafka, for others that read or write topics there. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(IngestProperties.class)
public class KafkaConfiguration {

  @Bean
  KafkaConnection kafkaConnection(IngestProperties properties) {
    return new KafkaConnection(properties.bootstrapServers(), properties.kafka());
  }

  @Bean
  KafkaWriter kafkaWriter(KafkaConnection kafka) {
    return new KafkaWriter(kafka);
  }
}
