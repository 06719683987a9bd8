package io.peerlens.security;

import io.peerlens.security.TokenStore.Session;
import io.peerlens.security.TokenStore.Stored;
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

  Sessions(TokenStore store, SecurityProperties properties, InstantSource clock) {
    this.store = store;
    this.properties = properties;
    this.clock = clock;
  }

  /** A session that was just opened. */
  record Opened(Secret secret, Caller caller) {}

  Optional<Caller> byToken(Secret secret) {
    return store
        .use(secret.hash(), clock.instant())
        .map(t -> new Caller(t.id(), t.name(), t.role(), t.expiresAt(), null));
  }

  Optional<Caller> bySession(Secret secret) {
    Instant now = clock.instant();
    return store
        .useSession(secret.hash(), now, now.minus(properties.sessionIdle()))
        .map(s -> caller(s, secret));
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

  private static Caller caller(Session s, Secret secret) {
    return new Caller(s.tokenId(), s.name(), s.role(), s.expiresAt(), secret.csrfToken());
  }
}
