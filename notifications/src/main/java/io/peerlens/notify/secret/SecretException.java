package io.peerlens.notify.secret;

/** A secret cannot be had: it does not exist, or no key opens it. The message is for people. */
public final class SecretException extends RuntimeException {

  public SecretException(String message) {
    super(message, null, false, false);
  }
}
