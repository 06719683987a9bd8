package io.peerlens.flow.network;

import java.nio.charset.StandardCharsets;

/**
 * IP addresses as 128 bits in two halves, IPv4 as {@code ::ffff:a.b.c.d}, so that both families
 * compare, hash and match prefixes in one way. Parses bytes without making text of them.
 *
 * <p>An instance holds the address that it parsed last. Not thread-safe; the static methods are.
 */
public final class Addresses {

  /** Upper half of every IPv4 address. */
  public static final long V4_HIGH = 0;

  private static final long V4_PREFIX = 0xFFFFL << 32;

  private long high;
  private long low;

  /** Lower half of an IPv4 address. */
  public static long v4Low(int address) {
    return V4_PREFIX | (address & 0xFFFFFFFFL);
  }

  /** Whether this is an IPv4 address. */
  public static boolean isV4(long high, long low) {
    return high == V4_HIGH && low >>> 32 == 0xFFFF;
  }

  /** The upper half of what was parsed last. */
  public long high() {
    return high;
  }

  /** The lower half of what was parsed last. */
  public long low() {
    return low;
  }

  /**
   * Parses text as {@link #parse(byte[], int, int)} does.
   *
   * @return whether it is an address
   */
  public boolean parse(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return parse(bytes, 0, bytes.length);
  }

  /**
   * Parses {@code b[from, to)}: {@code 10.77.2.13}, {@code fd00::1}, {@code ::ffff:10.0.0.1}. No
   * zone ({@code %eth0}), no brackets, no prefix length, no shortened IPv4.
   *
   * @return whether it is an address; if not, the one parsed before is still here
   */
  public boolean parse(byte[] b, int from, int to) {
    if (to - from > 45 || to - from < 2) {
      return false;
    }
    for (int i = from; i < to && i < from + 5; i++) {
      if (b[i] == ':') {
        return parseV6(b, from, to);
      }
    }
    long v4 = v4(b, from, to);
    if (v4 < 0) {
      return false;
    }
    high = V4_HIGH;
    low = V4_PREFIX | v4;
    return true;
  }

  /**
   * Takes an address as the network sends it.
   *
   * @return whether there are 4 or 16 bytes
   */
  public boolean fromNetwork(byte[] b, int from, int to) {
    if (to - from == 4) {
      high = V4_HIGH;
      low = V4_PREFIX;
      for (int i = 0; i < 4; i++) {
        low |= (b[from + i] & 0xFFL) << (24 - 8 * i);
      }
      return true;
    }
    if (to - from != 16) {
      return false;
    }
    high = 0;
    low = 0;
    for (int i = 0; i < 8; i++) {
      high = (high << 8) | (b[from + i] & 0xFF);
      low = (low << 8) | (b[from + 8 + i] & 0xFF);
    }
    return true;
  }

  /** 32 bits, or -1 when it is no dotted quad. */
  private static long v4(byte[] b, int from, int to) {
    long address = 0;
    int i = from;
    for (int part = 0; part < 4; part++) {
      if (part > 0) {
        if (i >= to || b[i] != '.') {
          return -1;
        }
        i++;
      }
      int first = i;
      int value = 0;
      for (; i < to && i - first < 3; i++) {
        int digit = b[i] - '0';
        if (digit < 0 || digit > 9) {
          break;
        }
        value = value * 10 + digit;
      }
      // A leading zero means octal to some and decimal to others: neither is guessed.
      if (i == first || value > 255 || (i - first > 1 && b[first] == '0')) {
        return -1;
      }
      address = (address << 8) | value;
    }
    return i == to ? address : -1;
  }

  private boolean parseV6(byte[] b, int from, int to) {
    long h = 0;
    long l = 0;
    // What stands before "::"; it moves up when the length of the rest is known.
    long headHigh = 0;
    long headLow = 0;
    int groups = 0;
    int gap = -1; // groups before "::"
    int i = from;
    if (b[i] == ':') {
      if (b[i + 1] != ':') {
        return false;
      }
      gap = 0;
      i += 2;
    }
    while (i < to) {
      int first = i;
      int value = 0;
      while (i < to && i - first < 4) {
        int digit = hex(b[i]);
        if (digit < 0) {
          break;
        }
        value = (value << 4) | digit;
        i++;
      }
      if (i < to && b[i] == '.') {
        long v4 = groups <= 6 ? v4(b, first, to) : -1;
        if (v4 < 0) {
          return false;
        }
        h = (h << 32) | (l >>> 32);
        l = (l << 32) | v4;
        groups += 2;
        i = to;
        break;
      }
      if (i == first || groups == 8) {
        return false;
      }
      h = (h << 16) | (l >>> 48);
      l = (l << 16) | value;
      groups++;
      if (i == to) {
        break;
      }
      if (b[i] != ':' || i + 1 == to) {
        return false;
      }
      i++;
      if (b[i] == ':') {
        if (gap >= 0) {
          return false;
        }
        gap = groups;
        headHigh = h;
        headLow = l;
        h = 0;
        l = 0;
        i++;
      }
    }
    if (gap < 0 ? groups != 8 : groups > 7) {
      return false;
    }
    if (gap > 0) {
      int up = 16 * (8 - gap);
      h |= up >= 64 ? headLow << (up - 64) : (headHigh << up) | (headLow >>> (64 - up));
      l |= up >= 64 ? 0 : headLow << up;
    }
    high = h;
    low = l;
    return true;
  }

  private static int hex(byte c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    int letter = c | 0x20;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
  }

  /** As people write it: {@code 10.77.2.13}, {@code fd00::1} (RFC 5952). */
  public static String text(long high, long low) {
    if (isV4(high, low)) {
      return ((low >>> 24) & 255)
          + "."
          + ((low >>> 16) & 255)
          + "."
          + ((low >>> 8) & 255)
          + "."
          + (low & 255);
    }
    int best = -1;
    int bestLength = 1; // one group alone is written out
    for (int from = 0; from < 8; from++) {
      int to = from;
      while (to < 8 && group(high, low, to) == 0) {
        to++;
      }
      if (to - from > bestLength) {
        best = from;
        bestLength = to - from;
      }
      from = Math.max(from, to);
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      if (i == best) {
        text.append("::");
        i += bestLength - 1;
        continue;
      }
      if (i > 0 && text.charAt(text.length() - 1) != ':') {
        text.append(':');
      }
      text.append(Integer.toHexString(group(high, low, i)));
    }
    return text.toString();
  }

  private static int group(long high, long low, int i) {
    return (int) ((i < 4 ? high >>> (48 - 16 * i) : low >>> (48 - 16 * (i - 4))) & 0xFFFF);
  }
}
