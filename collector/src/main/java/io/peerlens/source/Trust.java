package io.peerlens.source;

import java.util.Arrays;
import java.util.HexFormat;

/** Trust in the certificate of a source. */
public sealed interface Trust {

  /**
   * This very certificate, whatever signed it, whatever name is in it.
   *
   * @param sha256 of its DER form, 32 bytes
   */
  record Pinned(byte[] sha256) implements Trust {
    public Pinned {
      if (sha256.length != 32) {
        throw new IllegalArgumentException("A SHA-256 has 32 bytes, not " + sha256.length);
      }
      sha256 = sha256.clone();
    }

    @Override
    public byte[] sha256() {
      return sha256.clone();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Pinned pinned && Arrays.equals(sha256, pinned.sha256);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(sha256);
    }

    @Override
    public String toString() {
      return "Pinned[" + HexFormat.ofDelimiter(":").withUpperCase().formatHex(sha256) + "]";
    }
  }

  /**
   * A certificate that an authority has signed, with the name of the host.
   *
   * @param pem certificates of the authorities; empty = those of the system
   */
  record Authorities(String pem) implements Trust {
    /** The authorities of the system. */
    public static final Authorities OF_THE_SYSTEM = new Authorities("");
  }
}
