package io.peerlens.source;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Request to look whether a source can be read.
 *
 * @param password sent only when the certificate is trusted
 * @param trust whose certificate is accepted; null = nobody's yet: the certificate is shown, and
 *     the password stays here unless the authorities of the system vouch for the host
 */
public record ProbeRequest(URI address, String username, String password, @Nullable Trust trust) {

  /** Without the password. */
  @Override
  public String toString() {
    return "ProbeRequest[address=%s, username=%s, trust=%s]".formatted(address, username, trust);
  }
}
