package io.peerlens.notify.secret;

import java.util.regex.Pattern;

/** Name of a secret in the store, in the place of its value. */
public record SecretRef(String name) {

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  public SecretRef {
    if (!isName(name)) {
      throw new IllegalArgumentException("No name of a secret: " + name);
    }
  }

  /**
   * Whether a text can be the name of a secret: 1 to 64 small letters, digits, dots, dashes and
   * underscores.
   */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  @Override
  public String toString() {
    return "[secret " + name + "]";
  }
}
