package io.peerlens.source;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Request to look whether a source can be read.
 *
 * @param username null = nobody signs in: the certificate is looked at, and the product where it is
 *     trusted
 * @param password sent only when the certificate is trusted; null = nobody signs in
 * @param trust whose certificate is accepted; null = nobody's yet: the certificate is shown, and
 *     the password stays here unless the authorities of the system vouch for the host
 */
public record ProbeRequest(
    URI address, @Nullable String username, @Nullable String password, @Nullable Trust trust) {

  /** Without the password. */
  @Override
  public String toString() {
    return "ProbeRequest[address=%s, username=%s, trust=%s]".formatted(address, username, trust);
  }
}
