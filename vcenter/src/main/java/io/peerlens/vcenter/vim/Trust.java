package io.peerlens.vcenter.vim;

import java.security.cert.X509Certificate;

/** Whom to take for the vCenter: its very certificate, or what authorities vouch for. */
public sealed interface Trust {

  /**
   * One certificate, whatever name it is for and whoever issued it.
   *
   * @param sha256 of the whole certificate, 32 bytes as 64 hexadecimal digits without colons
   */
  record Pinned(String sha256) implements Trust {
    public Pinned {
      if (!sha256.matches("[0-9A-Fa-f]{64}")) {
        throw new IllegalArgumentException(
            "A SHA-256 fingerprint has 64 hexadecimal digits, not " + sha256);
      }
    }

    boolean accepts(X509Certificate certificate) {
      return Certificates.sha256(certificate).equalsIgnoreCase(sha256);
    }
  }

  /**
   * A certificate for the very host name, issued by one of some authorities.
   *
   * @param pem certificates of the authorities; empty = those that Java trusts
   */
  record Authorities(String pem) implements Trust {}
}
