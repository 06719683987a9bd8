package io.peerlens.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/** Secret of a token or session: 256 random bits behind a prefix that scanners can find. */
public record Secret(String value) {

  static final String TOKEN_PREFIX = "plt_";
  static final String SESSION_PREFIX = "pls_";

  /** Of sessions that a program opened, which sends their secret in the header Authorization. */
  static final String CLIENT_PREFIX = "plv_";

  /** Of public links, which stand in addresses. */
  static final String LINK_PREFIX = "plk_";

  private static final SecureRandom RANDOM = new SecureRandom();

  static Secret random(String prefix) {
    byte[] bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return new Secret(prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** Its first characters, which say nothing of the others, so that people know which it is. */
  String start() {
    return value.substring(0, Math.min(8, value.length()));
  }

  /** What is stored in its place. */
  byte[] hash() {
    return sha256(value);
  }

  /**
   * The CSRF token of a session: whoever has the session's secret can compute it, nobody can go
   * back, so it needs no place of its own.
   */
  String csrfToken() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(sha256("csrf:" + value));
  }

  /** Compares in constant time. */
  boolean hasCsrfToken(String candidate) {
    return MessageDigest.isEqual(
        csrfToken().getBytes(StandardCharsets.UTF_8), candidate.getBytes(StandardCharsets.UTF_8));
  }

  /** SHA-256 of a text in UTF-8: what is kept of secrets, so that they cannot be read again. */
  public static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return "Secret[redacted]";
  }
}
