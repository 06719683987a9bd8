package io.peerlens.security;

import io.peerlens.api.model.UserRole;
import io.peerlens.security.CallerCache.Known;
import io.peerlens.security.SessionStore.Seen;
import io.peerlens.security.SessionStore.Session;
import io.peerlens.security.TokenStore.Stored;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/** Browser sessions: sign-in, sign-out, and the caller that a token or session belongs to. */
final class Sessions {

  /** Name of the session cookie without TLS, which is for loopback. */
  static final String COOKIE = "peerlens_session";

  /** Name of the session cookie with TLS: no other host, and nobody without TLS, can set it. */
  static final String SECURE_COOKIE = "__Host-" + COOKIE;

  private static final int LONGEST_AGENT = 300;

  /** How often the session of a screen is renewed. */
  private static final Duration RENEWED = Duration.ofDays(1);

  private final TokenStore tokens;
  private final SessionStore store;
  private final SecurityProperties properties;
  private final InstantSource clock;
  private final CallerCache callers;

  Sessions(
      TokenStore tokens,
      SessionStore store,
      CallerCache callers,
      SecurityProperties properties,
      InstantSource clock) {
    this.tokens = tokens;
    this.store = store;
    this.callers = callers;
    this.properties = properties;
    this.clock = clock;
  }

  /** A session that was just opened. */
  record Opened(Secret secret, Caller caller) {}

  /** Name of the session cookie of a request. */
  static String cookie(HttpServletRequest request) {
    return request.isSecure() ? SECURE_COOKIE : COOKIE;
  }

  /**
   * Browser from which somebody signs in.
   *
   * @param agent what the browser calls itself; null = it does not say
   */
  record Browser(String address, @Nullable String agent) {

    static Browser of(HttpServletRequest request) {
      String agent = request.getHeader(HttpHeaders.USER_AGENT);
      return new Browser(
          request.getRemoteAddr(),
          agent == null ? null : agent.substring(0, Math.min(LONGEST_AGENT, agent.length())));
    }
  }

  Optional<Caller> byToken(Secret secret) {
    Instant now = clock.instant();
    byte[] hash = secret.hash();
    return callers.find(hash, now, () -> tokens.use(hash, now).map(Sessions::known));
  }

  Optional<Caller> bySession(Secret secret) {
    Instant now = clock.instant();
    byte[] hash = secret.hash();
    Duration idle = properties.sessionIdle();
    return callers.find(
        hash, now, () -> store.use(hash, now, now.minus(idle)).map(s -> known(s, secret, idle)));
  }

  /** Opens a session for who has the secret of a token that is in force. */
  Optional<Opened> open(Secret token, Browser browser) {
    return openWith(token).map(t -> open(t, browser));
  }

  /** The token with a secret, if somebody may sign in with it: links open no sessions. */
  private Optional<Stored> openWith(Secret token) {
    return tokens.use(token.hash(), clock.instant()).filter(t -> !Caller.isNarrow(t.role()));
  }

  /** Opens a session with a token that is in force, for who may have it without its secret. */
  Optional<Opened> open(UUID token, Browser browser) {
    return tokens.find(token, clock.instant()).map(t -> open(t, browser));
  }

  /** Opens a session for a client that has the secret of a token; it ends unless it is used. */
  Optional<Opened> openSliding(Secret token, Duration life, Browser browser) {
    return openWith(token).map(t -> open(t, Secret.CLIENT_PREFIX, life, browser));
  }

  /** The caller of a session of a client, which is prolonged to a life from now. */
  Optional<Caller> bySlidingSession(Secret secret, Duration life) {
    Instant now = clock.instant();
    byte[] hash = secret.hash();
    Duration idle = properties.sessionIdle();
    return callers.find(
        hash,
        now,
        () ->
            store
                .use(hash, now, now.minus(idle))
                .map(
                    s -> {
                      if (s.expiresAt().isBefore(now.plus(life).minus(TokenStore.USE_PRECISION))) {
                        store.prolong(hash, now.plus(life));
                      }
                      return known(s, secret, idle);
                    }));
  }

  /**
   * Renews the session of a screen, and its token with it, once a day: it ends when the screen has
   * been off for as long as a session lasts, and not by age.
   *
   * @return how long its cookie lasts from now; empty = nothing was renewed
   */
  Optional<Duration> renew(Secret secret, Caller caller) {
    Instant ends = caller.expiresAt();
    if (caller.role() != UserRole.SCREEN || caller.sessionId() == null || ends == null) {
      return Optional.empty();
    }
    Duration life = properties.sessionLifetime();
    Duration half = life.dividedBy(2);
    Instant now = clock.instant();
    if (ends.isAfter(now.plus(life).minus(RENEWED.compareTo(half) < 0 ? RENEWED : half))) {
      return Optional.empty();
    }
    store.prolong(secret.hash(), now.plus(life));
    tokens.prolong(caller.tokenId(), now.plus(life));
    return Optional.of(life);
  }

  private Opened open(Stored token, Browser browser) {
    return open(token, Secret.SESSION_PREFIX, properties.sessionLifetime(), browser);
  }

  private Opened open(Stored token, String prefix, Duration life, Browser browser) {
    Instant now = clock.instant();
    Secret secret = Secret.random(prefix);
    Instant expires = now.plus(life);
    UUID id =
        store.open(
            secret.hash(), token.id(), now, expires, now.minus(properties.sessionIdle()), browser);
    Instant ends =
        token.expiresAt() != null && token.expiresAt().isBefore(expires)
            ? token.expiresAt()
            : expires;
    return new Opened(
        secret, new Caller(token.id(), token.name(), token.role(), ends, id, secret.csrfToken()));
  }

  /**
   * Open sessions: of everybody for an admin, of the same token for others.
   *
   * @param own the session that asks; null = none does
   */
  List<Seen> list(Caller caller, @Nullable Secret own) {
    Instant now = clock.instant();
    return store.list(
        whose(caller), own == null ? null : own.hash(), now, now.minus(properties.sessionIdle()));
  }

  /** Ends a session that the caller may see; false when there is none. */
  boolean end(Caller caller, UUID id) {
    return store.end(id, whose(caller));
  }

  private static @Nullable UUID whose(Caller caller) {
    return caller.role() == UserRole.ADMIN ? null : caller.tokenId();
  }

  void end(Secret secret) {
    store.end(secret.hash());
  }

  private static Known known(Stored t) {
    return new Known(
        new Caller(t.id(), t.name(), t.role(), t.expiresAt(), null, null, t.boundTo()),
        t.expiresAt() == null ? Instant.MAX : t.expiresAt());
  }

  private static Known known(Session s, Secret secret, Duration idle) {
    Instant unused = s.role() == UserRole.SCREEN ? s.expiresAt() : s.lastUsedAt().plus(idle);
    return new Known(
        new Caller(s.tokenId(), s.name(), s.role(), s.expiresAt(), s.id(), secret.csrfToken()),
        unused.isBefore(s.expiresAt()) ? unused : s.expiresAt());
  }
}
