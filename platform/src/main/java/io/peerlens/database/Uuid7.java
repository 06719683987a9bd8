package io.peerlens.database;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.UUID;

/** Ids that grow with time, as RFC 9562 has them: rows that are written together lie together. */
public final class Uuid7 {

  private static final SecureRandom RANDOM = new SecureRandom();

  private Uuid7() {}

  /** A new id. */
  public static UUID at(Instant moment) {
    long high = moment.toEpochMilli() << 16 | 0x7000 | RANDOM.nextInt(0x1000);
    long low = RANDOM.nextLong() & 0x3fffffffffffffffL | 0x8000000000000000L;
    return new UUID(high, low);
  }
}
