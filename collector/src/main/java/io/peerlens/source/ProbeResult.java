package io.peerlens.source;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Result of a look at a source.
 *
 * @param certificate that it showed; null = it did not get that far
 * @param signedIn whether it accepted user and password
 * @param product its full name, such as {@code VMware vCenter Server 8.0.3}; empty = not known
 * @param version of the product, such as {@code 8.0.3}; empty = not known
 * @param counts how many objects there are that the user sees, by kind
 * @param rights what the user needs, found or not
 * @param error what keeps it from being read; null = nothing
 */
public record ProbeResult(
    @Nullable Certificate certificate,
    boolean signedIn,
    String product,
    String version,
    Map<String, Long> counts,
    List<Right> rights,
    @Nullable SourceError error) {

  public ProbeResult {
    counts = Map.copyOf(counts);
    rights = List.copyOf(rights);
  }

  /** A result that is an error alone. */
  public static ProbeResult failed(@Nullable Certificate certificate, SourceError error) {
    return new ProbeResult(certificate, false, "", "", Map.of(), List.of(), error);
  }

  /**
   * Certificate of a server.
   *
   * @param sha256 in pairs of capital hex digits with colons between
   * @param trustedByAuthorities whether the authorities of the system vouch for it and the name of
   *     the host
   */
  public record Certificate(
      String sha256,
      String subject,
      String issuer,
      Instant notBefore,
      Instant notAfter,
      boolean selfSigned,
      boolean trustedByAuthorities) {}

  /**
   * Right of the user.
   *
   * @param name as the product calls it
   * @param missing what cannot be read without it
   */
  public record Right(String name, boolean found, String missing) {}
}
