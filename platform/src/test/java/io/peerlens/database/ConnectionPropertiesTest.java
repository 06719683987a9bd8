package io.peerlens.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.support.Properties;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConnectionPropertiesTest {

  @Test
  void defaults() {
    assertThat(Properties.defaults(ConnectionProperties.class))
        .isEqualTo(new ConnectionProperties(12, 8, 8, Duration.ofSeconds(30)));
  }

  @Test
  void everyKeyIsMapped() {
    assertThat(
            Properties.with(
                ConnectionProperties.class,
                Map.of(
                    "peerlens.connections.api", "3",
                    "peerlens.connections.ingest", "4",
                    "peerlens.connections.notification", "5",
                    "peerlens.connections.api-timeout", "10s")))
        .isEqualTo(new ConnectionProperties(3, 4, 5, Duration.ofSeconds(10)));
  }

  @Test
  void invalidValuesAreRefused() {
    assertThatThrownBy(() -> new ConnectionProperties(1, 2, 2, Duration.ofSeconds(9)))
        .hasMessageContaining("peerlens.connections.api");
    assertThatThrownBy(() -> new ConnectionProperties(2, 2, 2, Duration.ZERO))
        .hasMessageContaining("peerlens.connections.api-timeout");
  }
}
