package io.peerlens.store;

import java.util.Arrays;

/** Writer of whole numbers from 1 in Elias' gamma code, bit by bit. Used again for the next. */
final class BitWriter {
  private byte[] buffer = new byte[128];
  private int bits;

  void clear() {
    Arrays.fill(buffer, 0, (bits + 7) / 8, (byte) 0);
    bits = 0;
  }

  void number(long number) {
    if (number < 1) {
      throw new IllegalArgumentException("No code for " + number);
    }
    int digits = 64 - Long.numberOfLeadingZeros(number);
    int length = 2 * digits - 1;
    if ((bits + length + 7) / 8 > buffer.length) {
      buffer = Arrays.copyOf(buffer, 2 * buffer.length + 16);
    }
    bits += digits - 1;
    for (int digit = digits - 1; digit >= 0; digit--) {
      if ((number >>> digit & 1) != 0) {
        buffer[bits >> 3] |= (byte) (0x80 >> (bits & 7));
      }
      bits++;
    }
  }

  byte[] bytes() {
    return Arrays.copyOf(buffer, (bits + 7) / 8);
  }
}
