package io.peerlens.notify.secret;

/** Values of secrets, for the moment of sending and nothing else. */
@FunctionalInterface
public interface SecretValues {

  /**
   * The value of a secret.
   *
   * @throws SecretException if there is none, or it cannot be opened
   */
  String value(String name);
}
