package io.peerlens.node;

import java.util.Map;

/**
 * Connection settings of Kafka.
 *
 * @param bootstrapServers brokers as host:port, separated by commas
 * @param settings further client settings, for instance for TLS and SASL
 */
public record KafkaConnection(String bootstrapServers, Map<String, String> settings) {

  public KafkaConnection {
    settings = Map.copyOf(settings);
  }
}
