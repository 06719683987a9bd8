package io.peerlens.security;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * Screens without a keyboard. A screen gets a code to show and a secret to keep. The secret is that
 * of a viewer token which is not in force; whoever approves the code puts it in force, and the
 * first use of the secret makes it a session and the secret void. The code alone is of no use to
 * those who read it from the screen.
 */
final class Pairings {

  /** Until when a code is approved, or void. */
  static final Duration WAITS = Duration.ofMinutes(10);

  /** So many screens may wait at once, of all installations' nodes together. */
  static final int MOST_WAITING = 100;

  private static final String PREFIX = "plp_";

  /** Without those that look like others. */
  private static final String LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

  private static final int LENGTH = 8;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final TokenStore store;
  private final Sessions sessions;
  private final SecurityProperties properties;
  private final InstantSource clock;

  Pairings(
      TokenStore store, Sessions sessions, SecurityProperties properties, InstantSource clock) {
    this.store = store;
    this.sessions = sessions;
    this.properties = properties;
    this.clock = clock;
  }

  /** A screen that waits. */
  record Waiting(String code, Secret secret, Instant expiresAt) {}

  /** A new code; empty when too many screens wait already. */
  Optional<Waiting> request() {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    store.forgetPairings(now);
    if (store.waitingPairings(now) >= MOST_WAITING) {
      return Optional.empty();
    }
    StringBuilder code = new StringBuilder();
    for (int i = 0; i < LENGTH; i++) {
      code.append(i == LENGTH / 2 ? "-" : "");
      code.append(LETTERS.charAt(RANDOM.nextInt(LETTERS.length())));
    }
    Secret secret = Secret.random(PREFIX);
    Instant expires = now.plus(WAITS);
    store.insertPairing(UUID.randomUUID(), secret.hash(), mark(code.toString()), now, expires);
    return Optional.of(new Waiting(code.toString(), secret, expires));
  }

  /**
   * Lets the screen with this code read.
   *
   * @return whether a screen shows this code
   */
  boolean approve(String code, String name, String by) {
    Instant now = clock.instant();
    return store.approvePairing(mark(code), name, by, now, now.plus(properties.sessionLifetime()));
  }

  /** What has become of a screen that waits. */
  record Collected(Optional<Sessions.Opened> opened) {}

  /** The session of a screen, once it is approved; empty when nothing waits with this secret. */
  Optional<Collected> collect(Secret secret) {
    if (!secret.value().startsWith(PREFIX)) {
      return Optional.empty();
    }
    return store
        .pairing(secret.hash(), clock.instant())
        .map(
            approved -> {
              if (!approved) {
                return new Collected(Optional.empty());
              }
              Optional<Sessions.Opened> opened = sessions.open(secret);
              store.spend(secret.hash(), Secret.random(PREFIX).hash());
              return new Collected(opened);
            });
  }

  /** What is stored of a code; in the way that people type it. */
  private static String mark(String code) {
    String plain = code.toUpperCase(Locale.ROOT).replaceAll("[\\s-]", "");
    return "pairing "
        + UUID.nameUUIDFromBytes(plain.getBytes(StandardCharsets.UTF_8)); // no secret: it is shown
  }
}
