package io.peerlens.flow.network;

/**
 * A range of addresses that begin with the same bits.
 *
 * @param high upper half of its first address, see {@link Addresses}
 * @param low lower half
 * @param length number of bits that are the same, of 128: an IPv4 range {@code /24} has 120
 */
public record Cidr(long high, long low, int length) implements Comparable<Cidr> {

  /** What IPv4 prefixes have in front of them. */
  static final int V4_BITS = 96;

  /**
   * Checks that nothing is set beyond the length.
   *
   * @throws IllegalArgumentException naming the range that was probably meant
   */
  public Cidr {
    if (length < 0 || length > 128) {
      throw new IllegalArgumentException("A prefix has 0 to 128 bits, not " + length);
    }
    long maskedHigh = high & highMask(length);
    long maskedLow = low & lowMask(length);
    if (maskedHigh != high || maskedLow != low) {
      int shown = Addresses.isV4(high, low) && length >= V4_BITS ? length - V4_BITS : length;
      throw new IllegalArgumentException(
          "'%s/%d' has bits set beyond its %d: write %s/%d for the range, or %s for the one address"
              .formatted(
                  Addresses.text(high, low),
                  shown,
                  shown,
                  Addresses.text(maskedHigh, maskedLow),
                  shown,
                  Addresses.text(high, low)));
    }
  }

  /**
   * Parses {@code 10.0.0.0/8}, {@code fd00::/8}; an address alone is the range that holds just it.
   *
   * @throws IllegalArgumentException saying what is wrong and how to write it
   */
  public static Cidr parse(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    Addresses parsed = new Addresses();
    if (!parsed.parse(address)) {
      throw new IllegalArgumentException(
          "'%s' is not a range of addresses: write it like 10.0.0.0/8 or fd00::/8".formatted(text));
    }
    boolean v4 = address.indexOf(':') < 0;
    int bits = v4 ? 32 : 128;
    int length = bits;
    if (slash >= 0) {
      String digits = text.substring(slash + 1);
      length = digits.matches("\\d{1,3}") ? Integer.parseInt(digits) : -1;
      if (length < 0 || length > bits) {
        throw new IllegalArgumentException(
            "'%s' has no length that can be: after the slash write a number from 0 to %d"
                .formatted(text, bits));
      }
    }
    return new Cidr(parsed.high(), parsed.low(), v4 ? V4_BITS + length : length);
  }

  /** Whether an address lies in the range. */
  public boolean contains(long addressHigh, long addressLow) {
    return (addressHigh & highMask(length)) == high && (addressLow & lowMask(length)) == low;
  }

  /** Upper half of the last address. */
  long lastHigh() {
    return high | ~highMask(length);
  }

  /** Lower half of the last address. */
  long lastLow() {
    return low | ~lowMask(length);
  }

  private static long highMask(int length) {
    return length == 0 ? 0 : length >= 64 ? -1L : -1L << 64 - length;
  }

  private static long lowMask(int length) {
    return length <= 64 ? 0 : -1L << 128 - length;
  }

  /** By first address; of two that begin alike the wider one first. */
  @Override
  public int compareTo(Cidr other) {
    int c = Long.compareUnsigned(high, other.high);
    if (c == 0) {
      c = Long.compareUnsigned(low, other.low);
    }
    return c != 0 ? c : Integer.compare(length, other.length);
  }

  /** As {@link #parse} reads it, always with the length: {@code 10.0.0.0/8}. */
  @Override
  public String toString() {
    boolean v4 = Addresses.isV4(high, low) && length >= V4_BITS;
    return Addresses.text(high, low) + "/" + (v4 ? length - V4_BITS : length);
  }
}
