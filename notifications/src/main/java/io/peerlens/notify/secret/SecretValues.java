package io.peerlens.notify.secret;

/** Gives the values of secrets, at the moment of sending and for nothing else. */
@FunctionalInterface
public interface SecretValues {

  /**
   * The value of a secret.
   *
   * @throws SecretException if there is none, or it cannot be opened
   */
  String value(String name);
}
