package io.peerlens.security;

/**
 * The secret of the admin token that the first start made.
 *
 * @param secret shown this once; only its hash is kept
 */
public record FirstAdminToken(String secret) {

  @Override
  public String toString() {
    return "FirstAdminToken[redacted]";
  }
}
