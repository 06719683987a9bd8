package io.peerlens.ingest.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Byte reading and searching, eight at a time. */
public final class Bytes {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;

  private Bytes() {}

  /** The four bytes from {@code at} on, the first one lowest. */
  public static int int32(byte[] b, int at) {
    return (int) INT.get(b, at);
  }

  /** The eight bytes from {@code at} on, the first one lowest. */
  public static long int64(byte[] b, int at) {
    return (long) LONG.get(b, at);
  }

  /** Index of the first {@code wanted} in {@code b[from, to)}, or {@code to}. */
  public static int indexOf(byte[] b, int from, int to, byte wanted) {
    int i = from;
    long pattern = ONES * (wanted & 0xFF);
    for (; i + 8 <= to; i += 8) {
      // A byte equal to the wanted one becomes zero; the sum then borrows into its high bit. The
      // lowest marked byte is always a true match, higher ones may be false.
      long x = int64(b, i) ^ pattern;
      long zeros = (x - ONES) & ~x & HIGHS;
      if (zeros != 0) {
        return i + (Long.numberOfTrailingZeros(zeros) >>> 3);
      }
    }
    for (; i < to; i++) {
      if (b[i] == wanted) {
        return i;
      }
    }
    return to;
  }

  /** A hash of {@code b[from, to)}; not stable between versions. */
  public static long hash(byte[] b, int from, int to) {
    int length = to - from;
    long h = length * 0x9E3779B97F4A7C15L;
    int i = from;
    for (; i + 8 <= to; i += 8) {
      h = (h ^ int64(b, i)) * 0xFF51AFD7ED558CCDL;
      h ^= h >>> 32;
    }
    long tail = 0;
    for (; i < to; i++) {
      tail = tail << 8 | (b[i] & 0xFF);
    }
    h = (h ^ tail) * 0xC4CEB9FE1A85EC53L;
    return h ^ (h >>> 29);
  }
}
