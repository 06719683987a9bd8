package io.peerlens.notify.channel;

import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;

/**
 * Local SNMPv3 engine (engineID and boots), the same on all nodes and after every restart.
 *
 * @param id 5 to 32 bytes; receivers of v3 traps bind our user to it
 * @param boots counts how often time began anew
 * @param startedAt when time began
 */
public record SnmpEngine(byte[] id, int boots, Instant startedAt) {

  /** As administrators of receivers write it: {@code 0x80007ed905...}. */
  public String hex() {
    return "0x" + HexFormat.of().formatHex(id);
  }

  /** Seconds since time began. */
  int time(Instant now) {
    return (int)
        Math.max(0, Math.min(Duration.between(startedAt, now).toSeconds(), Integer.MAX_VALUE));
  }

  /** Hundredths of a second since time began, which begin again after 497 days. */
  long upTime(Instant now) {
    return Math.max(0, Duration.between(startedAt, now).toMillis() / 10) % (1L << 32);
  }

  @Override
  public String toString() {
    return "SnmpEngine[" + hex() + ", boots " + boots + "]";
  }
}
