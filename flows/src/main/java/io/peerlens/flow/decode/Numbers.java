package io.peerlens.flow.decode;

import java.nio.charset.StandardCharsets;

/**
 * Number parser for bytes, which makes no text. Holds what was read last; not thread-safe.
 *
 * <p>Whole numbers of 64 bits are exact, signed or unsigned. Fractions are rounded to a whole
 * number, since a sender may have turned integers into floats on the way.
 */
final class Numbers {

  /** More digits are taken for a mistake. */
  private static final int MAX_LENGTH = 40;

  /** The number; the bits of an unsigned one when {@link #fits} is false. */
  long value;

  /** Whether the number fits 63 bits and a sign. */
  boolean fits;

  /** Position after the number. */
  int end;

  /** Reads the number that begins at {@code from}; false when there is none. */
  boolean read(byte[] b, int from, int to) {
    int i = from;
    boolean negative = i < to && b[i] == '-';
    if (negative) {
      i++;
    }
    int first = i;
    long n = 0;
    for (; i < to; i++) {
      int digit = b[i] - '0';
      if (digit < 0 || digit > 9) {
        break;
      }
      n = n * 10 + digit;
    }
    int digits = i - first;
    if (i < to && (b[i] == '.' || b[i] == 'e' || b[i] == 'E')) {
      return readFraction(b, from, to);
    }
    if (digits == 0) {
      return false;
    }
    end = i;
    if (digits <= 19) { // less than 2^64
      fits = n >= 0;
      value = negative ? (fits ? -n : -1) : n;
      return true;
    }
    return readLong(b, first, negative);
  }

  private boolean readLong(byte[] b, int first, boolean negative) {
    if (end - first > MAX_LENGTH) {
      return false;
    }
    String digits = new String(b, first, end - first, StandardCharsets.ISO_8859_1);
    try {
      value = Long.parseUnsignedLong(digits);
      fits = value >= 0;
      if (negative) {
        value = fits ? -value : -1;
      }
    } catch (NumberFormatException e) {
      value = -1;
      fits = false;
    }
    return true;
  }

  private boolean readFraction(byte[] b, int from, int to) {
    int i = from;
    while (i < to && i - from < MAX_LENGTH && isFloatByte(b[i])) {
      i++;
    }
    end = i;
    double d;
    try {
      d = Double.parseDouble(new String(b, from, i - from, StandardCharsets.ISO_8859_1));
    } catch (NumberFormatException e) {
      return false;
    }
    fits = Math.abs(d) < 0x1p62;
    value = fits ? Math.round(d) : -1;
    return true;
  }

  private static boolean isFloatByte(byte c) {
    return (c >= '0' && c <= '9') || c == '.' || c == 'e' || c == 'E' || c == '-' || c == '+';
  }
}
