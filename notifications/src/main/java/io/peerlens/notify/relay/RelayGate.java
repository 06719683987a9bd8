package io.peerlens.notify.relay;

import io.peerlens.notify.relay.NotificationRelay.Auth;
import io.peerlens.notify.secret.SecretException;
import io.peerlens.notify.secret.Secrets;
import io.peerlens.security.SecurityProperties;
import io.peerlens.security.SignInBrake;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Date;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;

/**
 * Authentication of the senders of a relay. They prove who they are to the one relay that they send
 * to; tokens and sessions of people count for nothing here. A name that is not there is answered
 * like wrong credentials.
 */
final class RelayGate {

  private static final Logger log = LoggerFactory.getLogger(RelayGate.class);

  /** Set by the connector when it has asked for a certificate and trusts it. */
  private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";

  /** Whoever knocks without being let in does not make the database write all the time. */
  private static final Duration NOTED_EVERY = Duration.ofSeconds(5);

  private static final Auth NOBODY = new NotificationRelay.Certificate(Set.of(), Set.of());

  private final NotificationRelayStore relays;
  private final Secrets secrets;
  private final RelayHealthStore lines;
  private final SignInBrake brake;
  private final InstantSource clock;
  private final Map<UUID, Instant> noted = new ConcurrentHashMap<>();

  RelayGate(
      NotificationRelayStore relays,
      Secrets secrets,
      RelayHealthStore lines,
      SecurityProperties security,
      InstantSource clock) {
    this.relays = relays;
    this.secrets = secrets;
    this.lines = lines;
    this.brake = new SignInBrake(security.signInAttempts(), security.signInWindow(), clock);
    this.clock = clock;
  }

  /** Credentials that a sender showed. */
  private sealed interface Shown {}

  private record Password(String username, String password) implements Shown {}

  private record Token(String token) implements Shown {}

  private record Signed(X509Certificate certificate) implements Shown {}

  private record Nothing() implements Shown {}

  /**
   * The relay, for a sender that may send to it.
   *
   * @throws ApiException otherwise
   */
  NotificationRelay admit(String name, HttpServletRequest request, HttpServletResponse response) {
    String address = request.getRemoteAddr();
    String place = name.length() > 100 ? name.substring(0, 100) : name;
    Optional<NotificationRelay> relay = relays.named(name);
    Auth auth = relay.map(NotificationRelay::auth).orElse(NOBODY);
    Shown shown = shown(request, auth);
    if (shown instanceof Nothing) {
      relay.ifPresent(known -> note(known, address, shown));
      throw refused(response, false);
    }
    try (SignInBrake.Attempt attempt = brake.begin(address, place)) {
      Duration wait = attempt.mustWait();
      if (wait != null) {
        response.setHeader(HttpHeaders.RETRY_AFTER, String.valueOf(wait.toSeconds() + 1));
        throw ApiException.of(
                ErrorCode.RATE_LIMITED, "Too many wrong credentials from this address.")
            .hint(
                "Correct them; they are checked again in " + (wait.toSeconds() + 1) + " seconds.");
      }
      if (!fits(auth, shown)) {
        attempt.failed();
        relay.ifPresent(known -> note(known, address, shown));
        throw refused(response, true);
      }
    }
    NotificationRelay known = relay.orElseThrow();
    if (!known.enabled()) {
      throw ApiException.of(ErrorCode.FORBIDDEN, "The relay takes nothing: it is disabled.")
          .hint("An administrator can enable it.");
    }
    return known;
  }

  private static ApiException refused(HttpServletResponse response, boolean tried) {
    response.addHeader(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"Peerlens relay\"");
    response.addHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
    return ApiException.of(
            ErrorCode.UNAUTHENTICATED,
            tried ? "These are not the credentials of the relay." : "This needs credentials.")
        .hint(
            "Check the name in the URL, and what the relay asks for: user and password, a bearer"
                + " token, or a client certificate.");
  }

  /** A certificate is looked at only where one is asked for; headers are there for anybody. */
  private static Shown shown(HttpServletRequest request, Auth auth) {
    if (auth instanceof NotificationRelay.Certificate) {
      return request.getAttribute(CERTIFICATES) instanceof X509Certificate[] chain
              && chain.length > 0
          ? new Signed(chain[0])
          : header(request);
    }
    return header(request);
  }

  private static Shown header(HttpServletRequest request) {
    String header = request.getHeader(HttpHeaders.AUTHORIZATION);
    if (header == null || header.isBlank()) {
      return new Nothing();
    }
    String[] parts = header.strip().split("\\s+", 2);
    String value = parts.length > 1 ? parts[1] : "";
    return switch (parts[0].toLowerCase(Locale.ROOT)) {
      case "bearer" -> new Token(value);
      case "basic" -> password(value);
      default -> new Token("");
    };
  }

  private static Shown password(String encoded) {
    try {
      String plain = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
      int colon = plain.indexOf(':');
      return colon < 0
          ? new Password(plain, "")
          : new Password(plain.substring(0, colon), plain.substring(colon + 1));
    } catch (IllegalArgumentException e) {
      return new Password("", "");
    }
  }

  private boolean fits(Auth auth, Shown shown) {
    return switch (auth) {
      case NotificationRelay.Basic basic ->
          shown instanceof Password(String username, String password)
              && same(basic.username(), username) & same(secret(basic.password().name()), password);
      case NotificationRelay.Bearer bearer ->
          shown instanceof Token(String token) && same(secret(bearer.token().name()), token);
      case NotificationRelay.Certificate pins ->
          shown instanceof Signed(X509Certificate certificate)
              && isCurrent(certificate)
              && (pins.fingerprints().contains(fingerprint(certificate))
                  || pins.subjects().contains(certificate.getSubjectX500Principal()));
    };
  }

  private String secret(String name) {
    try {
      return secrets.value(name);
    } catch (SecretException e) {
      log.atWarn()
          .addKeyValue("secret", name)
          .log("A relay cannot let anybody in: {}", e.getMessage());
      throw ApiException.of(ErrorCode.UNAVAILABLE, "The relay cannot check credentials now.")
          .hint("Its page shows what is missing.");
    }
  }

  /** Compares in constant time, whatever the lengths. */
  private static boolean same(String expected, String given) {
    return MessageDigest.isEqual(
        sha256(expected.getBytes(StandardCharsets.UTF_8)),
        sha256(given.getBytes(StandardCharsets.UTF_8)));
  }

  private boolean isCurrent(X509Certificate certificate) {
    try {
      certificate.checkValidity(Date.from(clock.instant()));
      return true;
    } catch (CertificateException e) {
      return false;
    }
  }

  static String fingerprint(X509Certificate certificate) {
    try {
      return HexFormat.of().formatHex(sha256(certificate.getEncoded()));
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("It came encoded", e);
    }
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }

  /** So that people see on the page of the relay why nothing comes. */
  private void note(NotificationRelay relay, String address, Shown shown) {
    Instant now = clock.instant();
    boolean due =
        noted
            .merge(
                relay.id(),
                now,
                (last, present) -> present.isBefore(last.plus(NOTED_EVERY)) ? last : present)
            .equals(now);
    if (!due) {
      return;
    }
    String what =
        switch (shown) {
          case Nothing nothing ->
              relay.auth() instanceof NotificationRelay.Certificate
                  ? "without a client certificate"
                  : "without credentials";
          case Signed(X509Certificate certificate) ->
              (isCurrent(certificate) ? "with the certificate " : "with the outdated certificate ")
                  + certificate.getSubjectX500Principal().getName()
                  + ", SHA-256 "
                  + fingerprint(certificate);
          case Password password ->
              relay.auth() instanceof NotificationRelay.Basic
                  ? "with another user or password"
                  : "with user and password";
          case Token token ->
              relay.auth() instanceof NotificationRelay.Bearer
                  ? "with another token"
                  : "with a token";
        };
    lines.wrong(relay.id(), true, "A sender at " + address + " sent " + what + ".", now);
  }
}
