package io.peerlens.store;

/** Reader of what a {@link BitWriter} wrote. */
final class BitReader {
  private static final int MOST_DIGITS = 63;

  private byte[] bytes = {};
  private int at;

  void begin(byte[] bytes) {
    this.bytes = bytes;
    at = 0;
  }

  /**
   * Reads the next number.
   *
   * @throws IllegalArgumentException if there is none
   */
  long number() {
    int zeros = 0;
    while (bit() == 0) {
      zeros++;
      if (zeros >= MOST_DIGITS) {
        throw new IllegalArgumentException("A sketch with a number of too many digits");
      }
    }
    long number = 1;
    for (int i = 0; i < zeros; i++) {
      number = number << 1 | bit();
    }
    return number;
  }

  private int bit() {
    if (at >> 3 >= bytes.length) {
      throw new IllegalArgumentException("A sketch that ends too early");
    }
    int bit = bytes[at >> 3] >> (7 - (at & 7)) & 1;
    at++;
    return bit;
  }
}
