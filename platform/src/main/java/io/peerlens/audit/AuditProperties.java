package io.peerlens.audit;

import java.net.URI;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Audit log: how long it is kept and where it is sent. These are set where the service is started,
 * not by its API, so that an admin token alone cannot shorten the log.
 *
 * @param retention how long entries of the audit log are kept; at least 1d
 * @param kafkaTopic topic of the broker of {@code peerlens.ingest} that gets every entry of the
 *     audit log as JSON; left out = none
 * @param syslog receiver of every entry of the audit log as RFC 5424, such as {@code
 *     tls://siem.example.com:6514} or {@code tcp://siem.example.com:601}; left out = none
 */
@ConfigurationProperties("peerlens.audit")
public record AuditProperties(
    @DefaultValue("365d") Duration retention, @Nullable String kafkaTopic, @Nullable URI syslog) {

  private static final Set<String> SCHEMES = Set.of("tcp", "tls");

  public AuditProperties {
    if (retention.compareTo(Duration.ofDays(1)) < 0) {
      throw new IllegalArgumentException(
          "peerlens.audit.retention is shorter than 1d: " + retention);
    }
    if (kafkaTopic != null && !kafkaTopic.matches("[a-zA-Z0-9._-]{1,249}")) {
      throw new IllegalArgumentException(
          "peerlens.audit.kafka-topic is not the name of a topic: " + kafkaTopic);
    }
    if (syslog != null
        && (!SCHEMES.contains(syslog.getScheme())
            || syslog.getHost() == null
            || syslog.getPort() < 1)) {
      throw new IllegalArgumentException(
          "peerlens.audit.syslog is not of the form tls://host:port or tcp://host:port: " + syslog);
    }
  }
}
