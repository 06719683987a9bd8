package io.peerlens.ingest;

import java.math.BigInteger;

/**
 * Parser of decimal numbers to doubles, rounded as {@link Double#parseDouble} rounds, without
 * making text of them.
 *
 * <p>Collectors write percentages with 15 to 17 digits, which is where plain double arithmetic is
 * no longer exact. The mantissa is multiplied by a power of ten known to 128 bits; what that leaves
 * out is less than two units of the last of the 128 bits. Only when a value that close to the
 * middle between two doubles turns up is the answer NaN, and the caller must read the text the slow
 * way.
 */
final class Decimals {

  /** No result is subnormal or infinite within these exponents, whatever the mantissa. */
  static final int MAX_EXPONENT = 60;

  private static final double[] EXACT_TENS = new double[23];

  // 10^e = (HIGH, LOW as 128 bits) * 2^(BINARY_EXPONENT - 127), rounded down, highest bit set.
  private static final long[] HIGH = new long[2 * MAX_EXPONENT + 1];
  private static final long[] LOW = new long[2 * MAX_EXPONENT + 1];
  private static final int[] BINARY_EXPONENT = new int[2 * MAX_EXPONENT + 1];

  static {
    for (int i = 0; i < EXACT_TENS.length; i++) {
      EXACT_TENS[i] = Double.parseDouble("1e" + i);
    }
    for (int e = -MAX_EXPONENT; e <= MAX_EXPONENT; e++) {
      BigInteger ten = BigInteger.TEN.pow(Math.abs(e));
      // For negative powers the quotient has more than 128 bits before it is cut to that.
      int extra = e < 0 ? ten.bitLength() + 128 : 0;
      BigInteger exact = e < 0 ? BigInteger.ONE.shiftLeft(extra).divide(ten) : ten;
      int surplus = exact.bitLength() - 128;
      BigInteger cut = exact.shiftRight(surplus);
      HIGH[e + MAX_EXPONENT] = cut.shiftRight(64).longValue();
      LOW[e + MAX_EXPONENT] = cut.longValue();
      BINARY_EXPONENT[e + MAX_EXPONENT] = surplus - extra + 127;
    }
  }

  private Decimals() {}

  /**
   * The double nearest to {@code mantissa * 10^exponent}.
   *
   * @param mantissa unsigned
   * @return NaN when this cannot tell; never negative
   */
  static double toDouble(long mantissa, int exponent) {
    if (mantissa >>> 53 == 0) {
      // Both factors are exact, so their product or quotient is rounded once, which is right.
      if (exponent <= 0 && exponent >= -22) {
        return mantissa / EXACT_TENS[-exponent];
      }
      if (exponent > 0 && exponent <= 22) {
        return mantissa * EXACT_TENS[exponent];
      }
      if (mantissa == 0) {
        return 0;
      }
    }
    if (exponent < -MAX_EXPONENT || exponent > MAX_EXPONENT) {
      return Double.NaN;
    }
    int power = exponent + MAX_EXPONENT;
    int leading = Long.numberOfLeadingZeros(mantissa);
    long m = mantissa << leading;
    // The upper 128 of 192 bits.
    long low = m * HIGH[power];
    long high = Math.unsignedMultiplyHigh(m, HIGH[power]);
    long carry = Math.unsignedMultiplyHigh(m, LOW[power]);
    low += carry;
    if (Long.compareUnsigned(low, carry) < 0) {
      high++;
    }
    int binary = BINARY_EXPONENT[power] + 64 - leading;
    if (high >= 0) { // the product of two numbers with their highest bit set may lack that bit
      high = high << 1 | low >>> 63;
      low <<= 1;
      binary--;
    }
    // 53 bits stay, 11 of the upper half and all of the lower go.
    long dropped = high & 0x7FF;
    long bits = high >>> 11;
    boolean nearMiddle =
        (dropped == 0x400 && low == 0) || (dropped == 0x3FF && Long.compareUnsigned(low, -4) >= 0);
    if (nearMiddle) {
      return Double.NaN;
    }
    if (dropped >= 0x400) {
      bits++;
      if (bits == 1L << 53) {
        bits >>>= 1;
        binary++;
      }
    }
    return Double.longBitsToDouble((long) (binary + 1023) << 52 | (bits & (1L << 52) - 1));
  }
}
