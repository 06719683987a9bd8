package io.peerlens.suiteapi;

import io.peerlens.api.model.SessionInfo;
import io.peerlens.audit.AuditedWork;
import io.peerlens.security.Caller;
import io.peerlens.security.ClientSessions;
import io.peerlens.security.SignInBrake;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sign-in with a user name and a password, which is an API token; the name is for the reader of the
 * request alone. What is acquired is a session that people see and end in Settings.
 */
final class SignIn {

  /** Place of the brake: who fails here can still sign in elsewhere. */
  private static final String PLACE = "suite-api";

  private static final DateTimeFormatter EXPIRY =
      DateTimeFormatter.ofPattern("EEEE, MMMM d, yyyy h:mm:ss a 'UTC'", Locale.ENGLISH);

  private static final List<String> SCHEMES =
      List.of("vrealizeopstoken ", "opstoken ", "bearer ", "csptoken ");

  private final ClientSessions sessions;
  private final SignInBrake brake;
  private final AuditedWork audit;

  SignIn(ClientSessions sessions, SignInBrake brake, AuditedWork audit) {
    this.sessions = sessions;
    this.brake = brake;
    this.audit = audit;
  }

  void addTo(Routes routes) {
    routes
        .open("/api/auth/token/acquire", this::acquire)
        .known("/api/auth/token/release", this::release)
        .get("/api/auth/sources", call -> sources())
        .get("/api/auth/sources/{id}", call -> source(call.variable("id")));
  }

  /**
   * Who asks.
   *
   * @throws SuiteException 401 when nobody knows, 429 when too many attempts have failed
   */
  Caller caller(HttpServletRequest request) {
    String secret = secret(request.getHeader("Authorization"));
    if (secret == null) {
      throw SuiteException.unauthenticated(
          "The request has no token: acquire one at /suite-api/api/auth/token/acquire, and send it"
              + " as Authorization: vRealizeOpsToken TOKEN.");
    }
    return sessions
        .caller(secret)
        .orElseThrow(
            () -> refused(request, "The provided token for auth scheme is unknown or expired."));
  }

  /** The secret in the header; null = there is none. */
  private static @Nullable String secret(@Nullable String authorization) {
    if (authorization == null) {
      return null;
    }
    String lower = authorization.toLowerCase(Locale.ROOT);
    for (String scheme : SCHEMES) {
      if (lower.startsWith(scheme)) {
        String secret = authorization.substring(scheme.length()).strip();
        return secret.isEmpty() ? null : secret;
      }
    }
    if (lower.startsWith("basic ")) {
      try {
        String pair =
            new String(
                Base64.getDecoder().decode(authorization.substring("basic ".length()).strip()),
                StandardCharsets.UTF_8);
        int colon = pair.indexOf(':');
        return colon < 0 ? null : pair.substring(colon + 1);
      } catch (IllegalArgumentException e) {
        return null;
      }
    }
    return null;
  }

  private SuiteException refused(HttpServletRequest request, String message) {
    try (SignInBrake.Attempt attempt = brake.begin(request.getRemoteAddr(), PLACE)) {
      attempt.failed();
      Duration wait = attempt.mustWait();
      return wait == null
          ? SuiteException.unauthenticated(message)
          : SuiteException.later(
              429,
              "Too many failed sign-ins from this address.",
              Math.max(1, wait.toSeconds() + 1));
    }
  }

  private Answer acquire(Call call) {
    Given given = call.json();
    given.need("username");
    String password = given.need("password");
    Optional<ClientSessions.Opened> opened = sessions.open(password, call.request());
    if (opened.isEmpty()) {
      throw refused(
          call.request(),
          "The user name or password is wrong: the password is an API token of Peerlens.");
    }
    ClientSessions.Opened session = opened.get();
    Caller caller = session.caller();
    ClientSessions.authenticate(call.request(), caller);
    audit.signedIn(
        call.request(),
        "acquireToken",
        new SessionInfo(
            caller.name(),
            caller.role(),
            caller.tokenId(),
            caller.csrfToken(),
            caller.expiresAt()));
    return Answer.ok(
        Json.object(
            "token",
            session.secret(),
            "validity",
            session.expiresAt().toEpochMilli(),
            "expiresAt",
            EXPIRY.format(session.expiresAt().atOffset(ZoneOffset.UTC)),
            "roles",
            List.of(role(caller))));
  }

  private static String role(Caller caller) {
    return switch (caller.role().getValue()) {
      case "admin" -> "Administrator";
      case "operator" -> "PowerUser";
      case "viewer" -> "ReadOnly";
      default -> caller.role().getValue();
    };
  }

  private Answer release(Call call) {
    String secret = secret(call.request().getHeader("Authorization"));
    if (secret != null) {
      sessions.end(secret);
    }
    return Answer.empty(200);
  }

  private static final String LOCAL = "6e0cbbf0-64ad-3a63-9ff3-0d1c9c3b6a01";

  private static Answer sources() {
    return Answer.ok(Json.object("sources", List.of(local())));
  }

  private static Object local() {
    return Json.object(
        "id",
        LOCAL,
        "key",
        "LOCAL",
        "name",
        "Local Users",
        "sourceType",
        Json.object("id", "LOCAL", "name", "LOCAL"));
  }

  private static Answer source(String id) {
    if (!id.equalsIgnoreCase(LOCAL)) {
      throw SuiteException.notFound("source of users", id);
    }
    return Answer.ok(local());
  }
}
