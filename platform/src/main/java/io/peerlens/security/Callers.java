package io.peerlens.security;

import java.util.Optional;

/** Callers by their API tokens, for endpoints that take tokens in other ways than the API does. */
public final class Callers {

  private final Sessions sessions;

  Callers(Sessions sessions) {
    this.sessions = sessions;
  }

  /**
   * The caller with a token.
   *
   * @param secret as it was sent
   * @return empty when no token in force has it, or it is that of a link
   */
  public Optional<Caller> byToken(String secret) {
    return sessions.byToken(new Secret(secret)).filter(caller -> !Caller.isNarrow(caller.role()));
  }
}
