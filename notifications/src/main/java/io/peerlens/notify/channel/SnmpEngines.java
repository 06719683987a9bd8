package io.peerlens.notify.channel;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Cache of the SNMP engine, so that the database is not asked for every trap. */
public final class SnmpEngines {

  /** RFC 3411: our number (32473, for documentation) with the first bit set, then own octets. */
  private static final byte[] PREFIX = {(byte) 0x80, 0x00, 0x7e, (byte) 0xd9, 0x05};

  private static final int RANDOM_BYTES = 8;
  private static final Duration FRESH = Duration.ofSeconds(30);

  private final Source source;
  private final InstantSource clock;
  private @Nullable SnmpEngine known;
  private Instant readAt = Instant.MIN;

  /** Storage of the engine's id and boots. */
  @FunctionalInterface
  interface Source {
    SnmpEngine use(byte[] newId, Instant now);
  }

  SnmpEngines(Source source, InstantSource clock) {
    this.source = source;
    this.clock = clock;
  }

  /** The engine as of now; made when there is none yet. */
  public synchronized SnmpEngine current() {
    Instant now = clock.instant();
    SnmpEngine engine = known;
    if (engine == null || now.isBefore(readAt) || now.isAfter(readAt.plus(FRESH))) {
      engine = source.use(newId(), now);
      known = engine;
      readAt = now;
    }
    return engine;
  }

  private static byte[] newId() {
    byte[] random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    byte[] id = Arrays.copyOf(PREFIX, PREFIX.length + RANDOM_BYTES);
    System.arraycopy(random, 0, id, PREFIX.length, RANDOM_BYTES);
    return id;
  }
}
