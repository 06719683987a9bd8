package io.peerlens.flow.network;

/** Hashes for open addressing: every bit of the key moves the lower bits of the result. */
public final class Mix {

  private Mix() {}

  public static int of(long a, long b) {
    long h = (a ^ Long.rotateLeft(b * 0x9E3779B97F4A7C15L, 29)) * 0xD6E8FEB86659FD93L;
    h ^= h >>> 32;
    h *= 0xD6E8FEB86659FD93L;
    return (int) (h ^ h >>> 32);
  }

  public static int of(long a, long b, int c) {
    return of(a ^ c * 0xC2B2AE3D27D4EB4FL, b);
  }
}
