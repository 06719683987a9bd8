package io.peerlens.security;

import io.peerlens.api.model.UserRole;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Pairing of screens without a keyboard. A screen gets a code to show and a secret to keep. Whoever
 * approves the code makes a token of the role screen whose secret nobody has; the first use of the
 * screen's secret opens a session with that token and makes the secret void. The code alone is of
 * no use to those who read it from the screen.
 */
final class Pairings {

  /** Until when a code is approved, or void. */
  static final Duration WAITS = Duration.ofMinutes(10);

  /** So many screens may wait at once; then the network that has the most of them loses one. */
  static final int MOST_WAITING = 200;

  private static final String PREFIX = "plp_";

  /** Without those that look like others. */
  private static final String LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

  private static final int LENGTH = 8;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final PairingStore store;
  private final ApiTokens tokens;
  private final Sessions sessions;
  private final SecurityProperties properties;
  private final TransactionOperations transactions;
  private final InstantSource clock;

  Pairings(
      PairingStore store,
      ApiTokens tokens,
      Sessions sessions,
      SecurityProperties properties,
      TransactionOperations transactions,
      InstantSource clock) {
    this.store = store;
    this.tokens = tokens;
    this.sessions = sessions;
    this.properties = properties;
    this.transactions = transactions;
    this.clock = clock;
  }

  /** A screen that waits. */
  record Waiting(String code, Secret secret, Instant expiresAt) {}

  /** A new code for a screen at an address. */
  Waiting request(String address) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    StringBuilder code = new StringBuilder();
    for (int i = 0; i < LENGTH; i++) {
      code.append(i == LENGTH / 2 ? "-" : "");
      code.append(LETTERS.charAt(RANDOM.nextInt(LETTERS.length())));
    }
    Secret secret = Secret.random(PREFIX);
    Instant expires = now.plus(WAITS);
    String network = SignInBrake.network(address);
    String mark = mark(code.toString());
    transactions.executeWithoutResult(
        status ->
            store.insert(
                UUID.randomUUID(), secret.hash(), mark, network, now, expires, MOST_WAITING));
    return new Waiting(code.toString(), secret, expires);
  }

  /**
   * Lets the screen with this code read.
   *
   * @return whether a screen shows this code
   */
  boolean approve(String code, String name, String by) {
    Instant now = clock.instant();
    return Boolean.TRUE.equals(
        transactions.execute(
            status -> {
              UUID token =
                  tokens
                      .create(name, UserRole.SCREEN, by, now.plus(properties.sessionLifetime()))
                      .getToken()
                      .getId();
              boolean waits = store.approve(mark(code), token, now, now.plus(WAITS));
              if (!waits) {
                status.setRollbackOnly();
              }
              return waits;
            }));
  }

  /** State of a screen that waits to be paired. */
  record Collected(Optional<Sessions.Opened> opened) {}

  /** The session of a screen, once it is approved; empty when nothing waits with this secret. */
  Optional<Collected> collect(Secret secret, Sessions.Browser browser) {
    Instant now = clock.instant();
    return Objects.requireNonNull(
        transactions.execute(
            status -> {
              Optional<UUID> token = store.collect(secret.hash(), now);
              if (token.isPresent()) {
                return Optional.of(new Collected(sessions.open(token.get(), browser)));
              }
              return store.waits(secret.hash(), now)
                  ? Optional.of(new Collected(Optional.empty()))
                  : Optional.<Collected>empty();
            }));
  }

  /** What is stored of a code; in the way that people type it. */
  private static String mark(String code) {
    String plain = code.toUpperCase(Locale.ROOT).replaceAll("[\\s-]", "");
    // No secret: it is shown.
    return UUID.nameUUIDFromBytes(plain.getBytes(StandardCharsets.UTF_8)).toString();
  }
}
