package io.peerlens.intake;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the intake over HTTP.
 *
 * @param enabled whether metrics and events are taken over HTTP
 * @param maxBodySize longest body of a request after uncompressing it
 * @param memory what all requests that are read at one time may hold together; others are told to
 *     come again
 * @param maxReadTime how long a body may take to arrive
 */
@ConfigurationProperties("peerlens.intake")
public record IntakeProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("64MB") DataSize maxBodySize,
    @DefaultValue("256MB") DataSize memory,
    @DefaultValue("60s") Duration maxReadTime) {

  public IntakeProperties {
    if (maxBodySize.toBytes() < 1024 || maxBodySize.toBytes() > 1L << 30) {
      throw new IllegalArgumentException(
          "peerlens.intake.max-body-size must be from 1 KB to 1 GB: " + maxBodySize);
    }
    if (memory.toBytes() < 4 * maxBodySize.toBytes()) {
      throw new IllegalArgumentException(
          "peerlens.intake.memory must be at least four times max-body-size, for a body and what is made of it: "
              + memory);
    }
    if (!maxReadTime.isPositive()) {
      throw new IllegalArgumentException(
          "peerlens.intake.max-read-time must be longer than 0: " + maxReadTime);
    }
  }
}
