package io.peerlens.security;

import io.peerlens.api.model.UserRole;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Caller of a request.
 *
 * @param tokenId the API token that was used, directly or to sign in
 * @param name the token's name
 * @param role the most it may do
 * @param expiresAt when the token or the session ends; null when it does not
 * @param sessionId the browser session, as the list of sessions names it; null with a bearer token
 * @param csrfToken what unsafe requests of this session must carry; null with a bearer token
 * @param boundTo the one thing that a link reads; null = the caller is no link
 */
public record Caller(
    UUID tokenId,
    String name,
    UserRole role,
    @Nullable Instant expiresAt,
    @Nullable UUID sessionId,
    @Nullable String csrfToken,
    @Nullable UUID boundTo) {

  /** A caller who is no link. */
  public Caller(
      UUID tokenId,
      String name,
      UserRole role,
      @Nullable Instant expiresAt,
      @Nullable UUID sessionId,
      @Nullable String csrfToken) {
    this(tokenId, name, role, expiresAt, sessionId, csrfToken, null);
  }

  /** Attribute of a request with its caller, for filters around the security filters. */
  public static final String ATTRIBUTE = Caller.class.getName();

  /** The caller of the request that this thread answers. */
  public static Caller current() {
    Authentication authentication =
        Objects.requireNonNull(
            SecurityContextHolder.getContext().getAuthentication(), "no request of a caller");
    return (Caller) Objects.requireNonNull(authentication.getPrincipal());
  }

  /**
   * Whether callers of a role may do what the contract lists for them and nothing else: screens and
   * links. They are let in nowhere but there, and their names give them nothing.
   */
  public static boolean isNarrow(UserRole role) {
    return role == UserRole.SCREEN || role == UserRole.LINK;
  }

  @Override
  public String toString() {
    return "Caller[" + name + ", " + role + ", " + tokenId + "]";
  }
}
