package io.peerlens.security;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Sessions of programs that sign in by an API token and then send a secret of their own. They lie
 * among those of browsers, so people see and end them in the same place. One ends when it has not
 * been used for {@link #LIFE}, and with its token.
 */
public final class ClientSessions {

  /** How long one lasts after its last use. */
  public static final Duration LIFE = Duration.ofHours(6);

  private final Sessions sessions;

  ClientSessions(Sessions sessions) {
    this.sessions = sessions;
  }

  /**
   * A session that was just opened.
   *
   * @param secret what the client sends from now on
   */
  public record Opened(String secret, Caller caller, Instant expiresAt) {
    @Override
    public String toString() {
      return "Opened[" + caller + ", " + expiresAt + "]";
    }
  }

  /** Opens a session for who has the secret of a token that is in force. */
  public Optional<Opened> open(String token, HttpServletRequest request) {
    return sessions
        .openSliding(new Secret(token.strip()), LIFE, Sessions.Browser.of(request))
        .map(
            opened ->
                new Opened(
                    opened.secret().value(),
                    opened.caller(),
                    Objects.requireNonNull(opened.caller().expiresAt())));
  }

  /** The caller with the secret of a session or of an API token. */
  public Optional<Caller> caller(String secret) {
    Secret sent = new Secret(secret.strip());
    return sent.value().startsWith(Secret.CLIENT_PREFIX)
        ? sessions.bySlidingSession(sent, LIFE)
        : sessions.byToken(sent).filter(caller -> !Caller.isNarrow(caller.role()));
  }

  /** Ends a session; an API token stays as it is. */
  public void end(String secret) {
    Secret sent = new Secret(secret.strip());
    if (sent.value().startsWith(Secret.CLIENT_PREFIX)) {
      sessions.end(sent);
    }
  }

  /** Makes somebody the caller of a request, for all that asks who it is. */
  public static void authenticate(HttpServletRequest request, Caller caller) {
    CallerFilter.authenticate(request, caller);
  }
}
