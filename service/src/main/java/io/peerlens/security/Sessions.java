package io.peerlens.security;

import io.peerlens.security.CallerCache.Known;
import io.peerlens.security.TokenStore.Session;
import io.peerlens.security.TokenStore.Stored;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Finds out who a secret belongs to, and opens and ends browser sessions. */
final class Sessions {

  /** Name of the session cookie. */
  static final String COOKIE = "peerlens_session";

  private final TokenStore store;
  private final SecurityProperties properties;
  private final InstantSource clock;
  private final CallerCache callers;

  Sessions(
      TokenStore store, CallerCache callers, SecurityProperties properties, InstantSource clock) {
    this.store = store;
    this.callers = callers;
    this.properties = properties;
    this.clock = clock;
  }

  /** A session that was just opened. */
  record Opened(Secret secret, Caller caller) {}

  Optional<Caller> byToken(Secret secret) {
    Instant now = clock.instant();
    byte[] hash = secret.hash();
    return callers.find(hash, now, () -> store.use(hash, now).map(Sessions::known));
  }

  Optional<Caller> bySession(Secret secret) {
    Instant now = clock.instant();
    byte[] hash = secret.hash();
    Duration idle = properties.sessionIdle();
    return callers.find(
        hash,
        now,
        () -> store.useSession(hash, now, now.minus(idle)).map(s -> known(s, secret, idle)));
  }

  Optional<Opened> open(Secret token) {
    Instant now = clock.instant();
    Optional<Stored> found = store.use(token.hash(), now);
    return found.map(
        t -> {
          Secret secret = Secret.random(Secret.SESSION_PREFIX);
          Instant expires = now.plus(properties.sessionLifetime());
          Instant idleSince = now.minus(properties.sessionIdle());
          store.openSession(secret.hash(), t.id(), now, expires, idleSince);
          Instant ends =
              t.expiresAt() != null && t.expiresAt().isBefore(expires) ? t.expiresAt() : expires;
          return new Opened(
              secret, new Caller(t.id(), t.name(), t.role(), ends, secret.csrfToken()));
        });
  }

  void end(Secret secret) {
    store.endSession(secret.hash());
  }

  private static Known known(Stored t) {
    return new Known(
        new Caller(t.id(), t.name(), t.role(), t.expiresAt(), null),
        t.expiresAt() == null ? Instant.MAX : t.expiresAt());
  }

  private static Known known(Session s, Secret secret, Duration idle) {
    Instant unused = s.lastUsedAt().plus(idle);
    return new Known(
        new Caller(s.tokenId(), s.name(), s.role(), s.expiresAt(), secret.csrfToken()),
        unused.isBefore(s.expiresAt()) ? unused : s.expiresAt());
  }
}
