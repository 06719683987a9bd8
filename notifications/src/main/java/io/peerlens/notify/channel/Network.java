package io.peerlens.notify.channel;

import java.net.InetAddress;
import java.util.HexFormat;

/** A network: the first {@code bits} of its address are those of all addresses in it. */
record Network(InetAddress address, int bits) {

  /**
   * Reads {@code 10.0.0.0/8} or {@code fc00::/7}; without a slash it is the one address.
   *
   * @throws IllegalArgumentException if it is neither
   */
  static Network parse(String text) {
    int slash = text.indexOf('/');
    String literal = slash < 0 ? text : text.substring(0, slash);
    HostName host = HostName.parse(literal);
    if (host.literal() == null) {
      throw new IllegalArgumentException("\"" + text + "\" is no network");
    }
    int all = host.literal().getAddress().length * 8;
    int bits = all;
    if (slash >= 0) {
      String number = text.substring(slash + 1);
      if (!number.matches("\\d{1,3}") || Integer.parseInt(number) > all) {
        throw new IllegalArgumentException("\"" + text + "\" has no length between 0 and " + all);
      }
      bits = Integer.parseInt(number);
    }
    return new Network(host.literal(), bits);
  }

  boolean contains(InetAddress other) {
    byte[] mine = address.getAddress();
    byte[] theirs = other.getAddress();
    if (mine.length != theirs.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit += 8) {
      int mask = bits - bit >= 8 ? 0xff : 0xff << (8 - (bits - bit)) & 0xff;
      if (((mine[bit / 8] ^ theirs[bit / 8]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether it is a single address. */
  boolean isOne() {
    return bits == address.getAddress().length * 8;
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(address.getAddress()) + "/" + bits;
  }
}
