package io.peerlens.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.support.Properties;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AuditPropertiesTest {

  @Test
  void byDefaultEntriesAreKeptForAYearAndNotExported() {
    assertThat(Properties.defaults(AuditProperties.class))
        .isEqualTo(new AuditProperties(Duration.ofDays(365), null, null));
  }

  @Test
  void invalidValuesAreRefused() {
    assertThatThrownBy(() -> new AuditProperties(Duration.ofHours(23), null, null))
        .hasMessageContaining("peerlens.audit.retention");
    assertThatThrownBy(() -> new AuditProperties(Duration.ofDays(1), "no topic", null))
        .hasMessageContaining("peerlens.audit.kafka-topic");
    for (String syslog : List.of("udp://siem:514", "tls://siem", "siem:6514", "http://siem:1")) {
      assertThatThrownBy(() -> new AuditProperties(Duration.ofDays(1), null, URI.create(syslog)))
          .as(syslog)
          .hasMessageContaining("peerlens.audit.syslog");
    }
  }

  @Test
  void everyKeyIsMapped() {
    assertThat(
            Properties.with(
                AuditProperties.class,
                Map.of(
                    "peerlens.audit.retention", "30d",
                    "peerlens.audit.kafka-topic", "audit",
                    "peerlens.audit.syslog", "tls://siem:6514")))
        .isEqualTo(
            new AuditProperties(Duration.ofDays(30), "audit", URI.create("tls://siem:6514")));
  }
}
