package io.peerlens.security;

import io.peerlens.api.SessionApi;
import io.peerlens.api.model.BrowserSession;
import io.peerlens.api.model.BrowserSessionList;
import io.peerlens.api.model.SessionInfo;
import io.peerlens.api.model.SignInRequest;
import io.peerlens.api.model.UserRole;
import io.peerlens.security.SessionStore.Seen;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.UUID;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class SessionController implements SessionApi {

  private final Sessions sessions;
  private final SignInBrake brake;
  private final SecurityProperties properties;
  private final HttpServletRequest request; // a proxy for the request of this thread
  private final HttpServletResponse response;

  SessionController(
      Sessions sessions,
      SignInBrake brake,
      SecurityProperties properties,
      HttpServletRequest request,
      HttpServletResponse response) {
    this.sessions = sessions;
    this.brake = brake;
    this.properties = properties;
    this.request = request;
    this.response = response;
  }

  @Override
  public ResponseEntity<SessionInfo> getSession() {
    return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(info(Caller.current()));
  }

  @Override
  public ResponseEntity<SessionInfo> signIn(SignInRequest credentials) {
    String address = request.getRemoteAddr();
    Sessions.Opened opened;
    try (SignInBrake.Attempt attempt = brake.begin(address)) {
      // A right token passes whatever others at the address did; nobody guesses 256 random bits.
      opened =
          sessions
              .open(new Secret(credentials.getToken().strip()), Sessions.Browser.of(request))
              .orElseThrow(() -> refused(attempt));
    }
    if (opened.caller().role() == UserRole.INGEST) {
      sessions.end(opened.secret());
      throw ApiException.of(
              ErrorCode.FORBIDDEN,
              "Token " + opened.caller().name() + " only sends metrics and events.")
          .hint("Sign in with a token of the role viewer, operator or admin.");
    }
    endOldSession();
    request.setAttribute(Caller.ATTRIBUTE, opened.caller());
    return ResponseEntity.ok()
        .header(
            HttpHeaders.SET_COOKIE,
            cookie(request, opened.secret().value(), properties.sessionLifetime()).toString())
        .cacheControl(CacheControl.noStore())
        .body(info(opened.caller()));
  }

  @Override
  public ResponseEntity<Void> signOut() {
    endOldSession();
    return ResponseEntity.noContent()
        .header(HttpHeaders.SET_COOKIE, cookie(request, "", Duration.ZERO).toString())
        .build();
  }

  private ApiException refused(SignInBrake.Attempt attempt) {
    attempt.failed();
    Duration wait = attempt.mustWait();
    if (wait != null) {
      response.setHeader(HttpHeaders.RETRY_AFTER, String.valueOf(wait.toSeconds() + 1));
      return ApiException.of(ErrorCode.RATE_LIMITED, "Too many failed sign-ins from this address.")
          .hint("Try again in " + (wait.toSeconds() + 1) + " seconds.");
    }
    response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
    return ApiException.of(ErrorCode.UNAUTHENTICATED, "The token is unknown, revoked or expired.")
        .field("token", "is not valid")
        .hint("Tokens start with plt_; an admin can create a new one.");
  }

  @Override
  public ResponseEntity<BrowserSessionList> listSessions() {
    return ResponseEntity.ok(
        new BrowserSessionList(
            sessions.list(Caller.current(), CallerFilter.sessionSecret(request)).stream()
                .map(SessionController::view)
                .toList()));
  }

  @Override
  public ResponseEntity<Void> endSession(UUID id) {
    if (!sessions.end(Caller.current(), id)) {
      throw ApiException.notFound("session", id)
          .hint("GET /api/v1/sessions lists those that you may see.");
    }
    return ResponseEntity.noContent().build();
  }

  private static BrowserSession view(Seen seen) {
    return new BrowserSession(
        seen.id(),
        seen.tokenId(),
        seen.name(),
        seen.role(),
        seen.createdAt(),
        seen.lastUsedAt(),
        seen.expiresAt(),
        seen.address(),
        seen.agent(),
        seen.own());
  }

  private void endOldSession() {
    Secret old = CallerFilter.sessionSecret(request);
    if (old != null) {
      sessions.end(old);
    }
  }

  static ResponseCookie cookie(HttpServletRequest request, String value, Duration age) {
    return ResponseCookie.from(Sessions.cookie(request), value)
        .httpOnly(true)
        .secure(request.isSecure())
        .sameSite("Strict")
        .path("/")
        .maxAge(age)
        .build();
  }

  static SessionInfo info(Caller caller) {
    return new SessionInfo(
        caller.name(), caller.role(), caller.tokenId(), caller.csrfToken(), caller.expiresAt());
  }
}
