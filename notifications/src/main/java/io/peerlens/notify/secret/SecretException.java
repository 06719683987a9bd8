package io.peerlens.notify.secret;

/**
 * Failure to get or store a secret: it does not exist, or no key opens it. The message is for
 * people.
 */
public final class SecretException extends RuntimeException {

  public SecretException(String message) {
    super(message, null, false, false);
  }
}
