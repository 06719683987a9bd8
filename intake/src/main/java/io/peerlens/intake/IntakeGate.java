package io.peerlens.intake;

import io.peerlens.api.model.UserRole;
import io.peerlens.security.Caller;
import io.peerlens.security.Callers;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gate of the intake: finds the API token of a sender, in each way in which collectors send one.
 */
final class IntakeGate {

  private static final Set<UserRole> WRITERS =
      Set.of(UserRole.INGEST, UserRole.OPERATOR, UserRole.ADMIN);

  private static final Set<String> INFLUX_1 = Set.of(IntakePaths.INFLUX_1, IntakePaths.QUERY);

  private final Callers callers;

  IntakeGate(Callers callers) {
    this.callers = callers;
  }

  /**
   * Who sends.
   *
   * @throws Refusal 401 without a token in force, 403 when its role may not write
   */
  Caller admit(HttpServletRequest request, HttpServletResponse response) throws Refusal {
    String token = token(request, response);
    if (token == null || token.isEmpty()) {
      throw unknown(
          response, "This needs an API token: send Authorization: Bearer TOKEN, or Token TOKEN.");
    }
    Caller caller =
        callers
            .byToken(token)
            .orElseThrow(() -> unknown(response, "The token is unknown, revoked or expired."));
    request.setAttribute(Caller.ATTRIBUTE, caller);
    if (!WRITERS.contains(caller.role())) {
      throw Refusal.of(
          403,
          "Token %s has the role %s, which may not write. Use one with the role ingest."
              .formatted(Body.shown(caller.name()), caller.role()));
    }
    return caller;
  }

  private static Refusal unknown(HttpServletResponse response, String message) {
    response.setHeader("WWW-Authenticate", "Bearer");
    return Refusal.of(401, message);
  }

  private static @Nullable String token(HttpServletRequest request, HttpServletResponse response)
      throws Refusal {
    String authorization = request.getHeader("Authorization");
    if (authorization == null) {
      // InfluxDB 1 also knows user and password as u and p; nobody else puts a secret there.
      return INFLUX_1.contains(request.getRequestURI()) ? QueryString.first(request, "p") : null;
    }
    String lower = authorization.toLowerCase(Locale.ROOT);
    if (lower.startsWith("bearer ") || lower.startsWith("token ")) {
      return password(authorization.substring(authorization.indexOf(' ') + 1).strip());
    }
    if (lower.startsWith("basic ")) {
      try {
        byte[] plain = Base64.getDecoder().decode(authorization.substring(6).strip());
        return password(new String(plain, StandardCharsets.UTF_8));
      } catch (IllegalArgumentException e) {
        throw unknown(response, "The Basic credentials are not Base64.");
      }
    }
    return null;
  }

  /** What stands behind a user name and a colon; tokens have no colon. */
  private static String password(String credentials) {
    return credentials.substring(credentials.lastIndexOf(':') + 1);
  }
}
