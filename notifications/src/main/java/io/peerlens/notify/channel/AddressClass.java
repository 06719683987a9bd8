package io.peerlens.notify.channel;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Class of an IP address, after the registries of special addresses (RFC 6890 and later). */
enum AddressClass {
  /** Can be reached from everywhere. */
  GLOBAL("a global address"),
  /** This machine. */
  LOOPBACK("a loopback address"),
  /**
   * Private networks (RFC 1918), shared ones of carriers (RFC 6598), unique local ones (RFC 4193).
   */
  PRIVATE("a private address"),
  /** Services of clouds that give machines their credentials. */
  METADATA("the address of a cloud's metadata service"),
  /** Everything else: link-local, multicast, benchmarks, documentation, reserved. */
  SPECIAL("a link-local, multicast, test or reserved address");

  private static final List<Network> METADATA_SERVICES =
      networks(
          "169.254.169.254", // most clouds
          "169.254.169.253",
          "169.254.169.123",
          "169.254.170.2", // containers
          "169.254.170.23",
          "100.100.100.200",
          "168.63.129.16", // looks global
          "192.0.0.192",
          "fd00:ec2::254",
          "fd00:ec2::23",
          "fd20:ce::254");

  private static final List<Network> LOOPBACKS = networks("127.0.0.0/8", "::1/128");

  private static final List<Network> PRIVATES =
      networks("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7");

  private static final List<Network> SPECIALS =
      networks(
          "0.0.0.0/8",
          "169.254.0.0/16",
          "192.0.0.0/24",
          "192.0.2.0/24",
          "192.88.99.0/24",
          "198.18.0.0/15",
          "198.51.100.0/24",
          "203.0.113.0/24",
          "224.0.0.0/4",
          "240.0.0.0/4",
          "2001::/23",
          "2001:db8::/32",
          "3fff::/20");

  /** The only part of IPv6 that is given out for the public. */
  private static final Network GLOBAL_IPV6 = Network.parse("2000::/3");

  private static final Network NAT64 = Network.parse("64:ff9b::/96");
  private static final Network NAT64_LOCAL = Network.parse("64:ff9b:1::/48");
  private static final Network SIX_TO_FOUR = Network.parse("2002::/16");
  private static final Network TEREDO = Network.parse("2001::/32");
  private static final Network COMPATIBLE = Network.parse("::/96");
  private static final Network TRANSLATED = Network.parse("::ffff:0:0:0/96");

  private final String words;

  AddressClass(String words) {
    this.words = words;
  }

  /** For people, after "is". */
  String words() {
    return words;
  }

  static AddressClass of(InetAddress address) {
    if (in(METADATA_SERVICES, address)) {
      return METADATA;
    }
    if (in(LOOPBACKS, address)) {
      return LOOPBACK;
    }
    if (in(PRIVATES, address)) {
      return PRIVATE;
    }
    if (in(SPECIALS, address)
        || embedded(address).isPresent()
        || address instanceof Inet6Address && !GLOBAL_IPV6.contains(address)) {
      return SPECIAL;
    }
    return GLOBAL;
  }

  /**
   * The IPv4 address that a gateway makes of this IPv6 address (NAT64, 6to4, Teredo, ISATAP and the
   * old compatible form), when it is such a one. IPv4-mapped addresses never get here: Java makes
   * IPv4 addresses of them.
   */
  static Optional<InetAddress> embedded(InetAddress address) {
    if (address instanceof Inet4Address) {
      return Optional.empty();
    }
    byte[] bytes = address.getAddress();
    if (NAT64.contains(address) || NAT64_LOCAL.contains(address) || TRANSLATED.contains(address)) {
      return Optional.of(ipv4(bytes, 12));
    }
    if (SIX_TO_FOUR.contains(address)) {
      return Optional.of(ipv4(bytes, 2));
    }
    if (TEREDO.contains(address)) {
      byte[] inverted = Arrays.copyOfRange(bytes, 12, 16);
      for (int i = 0; i < 4; i++) {
        inverted[i] = (byte) ~inverted[i];
      }
      return Optional.of(ipv4(inverted, 0));
    }
    boolean isatap =
        (bytes[8] & 0xfd) == 0 && bytes[9] == 0 && bytes[10] == 0x5e && bytes[11] == (byte) 0xfe;
    if (isatap) {
      return Optional.of(ipv4(bytes, 12));
    }
    if (COMPATIBLE.contains(address)
        && !address.isLoopbackAddress()
        && !address.isAnyLocalAddress()) {
      return Optional.of(ipv4(bytes, 12));
    }
    return Optional.empty();
  }

  private static InetAddress ipv4(byte[] bytes, int offset) {
    return InetAddress.ofLiteral(
        (bytes[offset] & 0xff)
            + "."
            + (bytes[offset + 1] & 0xff)
            + "."
            + (bytes[offset + 2] & 0xff)
            + "."
            + (bytes[offset + 3] & 0xff));
  }

  private static boolean in(List<Network> networks, InetAddress address) {
    return networks.stream().anyMatch(network -> network.contains(address));
  }

  private static List<Network> networks(String... texts) {
    return Arrays.stream(texts).map(Network::parse).toList();
  }
}
