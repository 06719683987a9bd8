package io.peerlens.security;

import io.peerlens.api.PairingApi;
import io.peerlens.api.model.Pairing;
import io.peerlens.api.model.PairingApproval;
import io.peerlens.api.model.PairingCollect;
import io.peerlens.api.model.PairingResult;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class PairingController implements PairingApi {

  private static final int POLL_SECONDS = 3;

  /** A screen asks for a code every ten minutes while nobody approves it. */
  private static final int CODES = 30;

  private final Pairings pairings;
  private final SignInBrake signIns;
  private final SignInBrake requests;
  private final SecurityProperties properties;
  private final HttpServletRequest request; // a proxy for the request of this thread
  private final HttpServletResponse response;

  PairingController(
      Pairings pairings,
      SignInBrake signIns,
      SecurityProperties properties,
      InstantSource clock,
      HttpServletRequest request,
      HttpServletResponse response) {
    this.pairings = pairings;
    this.signIns = signIns;
    this.requests = new SignInBrake(CODES, Pairings.WAITS, clock);
    this.properties = properties;
    this.request = request;
    this.response = response;
  }

  @Override
  public ResponseEntity<Pairing> requestPairing() {
    String address = request.getRemoteAddr();
    try (SignInBrake.Attempt attempt = requests.begin(address)) {
      check(attempt.mustWait(), "Too many codes for this address.");
      attempt.failed(); // every code counts
    }
    Pairings.Waiting waiting = pairings.request(address);
    return ResponseEntity.status(HttpStatus.CREATED)
        .cacheControl(CacheControl.noStore())
        .body(
            new Pairing(
                waiting.code(), waiting.secret().value(), waiting.expiresAt(), POLL_SECONDS));
  }

  @Override
  public ResponseEntity<PairingResult> collectPairing(PairingCollect asked) {
    Pairings.Collected collected;
    try (SignInBrake.Attempt attempt = signIns.begin(request.getRemoteAddr(), "collect")) {
      collected =
          pairings
              .collect(new Secret(asked.getSecret().strip()), Sessions.Browser.of(request))
              .orElseThrow(
                  () -> {
                    attempt.failed();
                    return attempt.mustWait() != null
                        ? refused(attempt.mustWait(), "Too many wrong secrets from this address.")
                        : ApiException.of(
                                ErrorCode.NOT_FOUND, "No screen waits with this secret any more.")
                            .hint("Ask for a new code.");
                  });
    }
    PairingResult result = new PairingResult(collected.opened().isPresent());
    ResponseEntity.BodyBuilder answer = ResponseEntity.ok().cacheControl(CacheControl.noStore());
    collected
        .opened()
        .ifPresent(
            opened -> {
              request.setAttribute(Caller.ATTRIBUTE, opened.caller());
              result.setSession(SessionController.info(opened.caller()));
              answer.header(
                  HttpHeaders.SET_COOKIE,
                  SessionController.cookie(
                          request, opened.secret().value(), properties.sessionLifetime())
                      .toString());
            });
    return answer.body(result);
  }

  @Override
  public ResponseEntity<Void> approvePairing(PairingApproval approval) {
    String name = approval.getName().strip();
    if (name.isEmpty()) {
      throw ApiException.invalidField("name", "is blank");
    }
    Caller caller = Caller.current();
    // Who approves is known, so that others at the address need not wait for his mistakes.
    try (SignInBrake.Attempt attempt = signIns.begin(caller.tokenId().toString(), "approve")) {
      check(attempt.mustWait(), "Too many wrong codes.");
      if (!pairings.approve(approval.getCode(), name, caller.name())) {
        attempt.failed();
        throw ApiException.of(ErrorCode.NOT_FOUND, "No screen shows this code.")
            .field("code", "is not shown by any screen")
            .hint("A code holds for ten minutes; the screen shows a new one after that.");
      }
    }
    return ResponseEntity.noContent().build();
  }

  private void check(@Nullable Duration wait, String words) {
    if (wait != null) {
      throw refused(wait, words);
    }
  }

  private ApiException refused(Duration wait, String words) {
    long seconds = wait.toSeconds() + 1;
    response.setHeader(HttpHeaders.RETRY_AFTER, String.valueOf(seconds));
    return ApiException.of(ErrorCode.RATE_LIMITED, words)
        .hint("Try again in " + seconds + " seconds.");
  }
}
