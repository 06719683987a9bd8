package io.peerlens.ingest.flow;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Well-known ports: which side of a flow is the service, and what its port is called.
 *
 * <p>A record has a sender and a receiver, not a client and a server. The side whose port is well
 * known is taken for the service: well known is below 1024 or in {@code service-ports.txt}. When
 * both ports are, or none is, it is the smaller one, because clients take theirs from the upper
 * end. When the ports are equal (two time servers, two VPN gateways) the smaller address is taken,
 * so that the two directions of one conversation always agree. Nothing is remembered: the same
 * record always gives the same answer.
 *
 * <p>Protocols without ports have port 0, ICMP has type * 256 + code instead.
 */
public final class ServicePorts {

  private static final int DCCP = 33;
  private static final int SCTP = 132;
  private static final int UDP_LITE = 136;

  private static final Map<Integer, String> TCP_NAMES = new HashMap<>();
  private static final Map<Integer, String> UDP_NAMES = new HashMap<>();
  // A bit for each port, because this is asked for every record.
  private static final long[] TCP_KNOWN = new long[1024];
  private static final long[] UDP_KNOWN = new long[1024];

  private static final Map<Integer, String> ICMP_NAMES =
      Map.of(
          0, "echo-reply",
          3, "unreachable",
          4, "source-quench",
          5, "redirect",
          8, "echo",
          9, "router-advertisement",
          10, "router-solicitation",
          11, "time-exceeded",
          13, "timestamp",
          14, "timestamp-reply");

  private static final Map<Integer, String> ICMP_V6_NAMES =
      Map.of(
          1, "unreachable",
          2, "packet-too-big",
          3, "time-exceeded",
          128, "echo",
          129, "echo-reply",
          133, "router-solicitation",
          134, "router-advertisement",
          135, "neighbour-solicitation",
          136, "neighbour-advertisement",
          143, "mld-report");

  static {
    Arrays.fill(TCP_KNOWN, 0, 1024 / 64, -1L);
    Arrays.fill(UDP_KNOWN, 0, 1024 / 64, -1L);
    TCP_KNOWN[0] &= ~1L; // port 0 says nothing
    UDP_KNOWN[0] &= ~1L;
    for (String line : services()) {
      String[] part = line.split(" ");
      int port = Integer.parseInt(part[0]);
      if (!part[1].equals("u")) {
        TCP_NAMES.put(port, part[2]);
        TCP_KNOWN[port >>> 6] |= 1L << port;
      }
      if (!part[1].equals("t")) {
        UDP_NAMES.put(port, part[2]);
        UDP_KNOWN[port >>> 6] |= 1L << port;
      }
    }
  }

  private ServicePorts() {}

  private static List<String> services() {
    try (InputStream in = ServicePorts.class.getResourceAsStream("/service-ports.txt")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().filter(line -> !line.startsWith("#")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether a protocol has ports at all. */
  public static boolean hasPorts(int protocol) {
    return protocol == Protocols.TCP
        || protocol == Protocols.UDP
        || protocol == SCTP
        || protocol == DCCP
        || protocol == UDP_LITE;
  }

  /** Whether a port is below 1024 or in the list; 0 is not. */
  public static boolean known(int protocol, int port) {
    long[] known = protocol == Protocols.UDP || protocol == UDP_LITE ? UDP_KNOWN : TCP_KNOWN;
    return (known[port >>> 6] & 1L << port) != 0;
  }

  /**
   * The service's port.
   *
   * @param icmp type * 256 + code, or negative when not said; used for ICMP only
   * @return 0..65535; 0 for protocols without ports
   */
  public static int port(int protocol, int srcPort, int dstPort, int icmp) {
    if (hasPorts(protocol)) {
      return side(protocol, srcPort, dstPort) < 0 ? srcPort : dstPort;
    }
    return isIcmp(protocol) && icmp >= 0 ? icmp & 0xFFFF : 0;
  }

  /**
   * Whether a record's bytes go to the service, not from it. Replies of ICMP come from it.
   *
   * @param icmp type * 256 + code, or negative when not said; used for ICMP only
   * @param destinationFirst whether the receiver's address is smaller than the sender's, which
   *     decides between equal ports
   */
  public static boolean towardsService(
      int protocol, int srcPort, int dstPort, int icmp, boolean destinationFirst) {
    if (isIcmp(protocol) && icmp >= 0) {
      return !isReply(protocol, icmp >>> 8);
    }
    int side = hasPorts(protocol) ? side(protocol, srcPort, dstPort) : 0;
    return side == 0 ? destinationFirst : side > 0;
  }

  /** Positive when the receiver is the service, negative when the sender is, 0 = unknown. */
  private static int side(int protocol, int srcPort, int dstPort) {
    boolean srcKnown = known(protocol, srcPort);
    if (srcKnown != known(protocol, dstPort)) {
      return srcKnown ? -1 : 1;
    }
    if (srcPort == 0 || dstPort == 0) {
      return Integer.compare(dstPort, srcPort); // the one that is there
    }
    return Integer.compare(srcPort, dstPort);
  }

  static boolean isIcmp(int protocol) {
    return protocol == Protocols.ICMP || protocol == Protocols.ICMP6;
  }

  private static boolean isReply(int protocol, int type) {
    return protocol == Protocols.ICMP
        ? type == 0 || type == 14 || type == 16 || type == 18
        : type == 129 || type == 136;
  }

  /**
   * What people call a service.
   *
   * @param port as {@link #port} gives it
   * @return {@code https}, {@code echo}; null when it has no name here
   */
  public static @Nullable String name(int protocol, int port) {
    return switch (protocol) {
      case Protocols.TCP, SCTP, DCCP -> TCP_NAMES.get(port);
      case Protocols.UDP, UDP_LITE -> UDP_NAMES.get(port);
      case Protocols.ICMP -> ICMP_NAMES.get(port >>> 8);
      case Protocols.ICMP6 -> ICMP_V6_NAMES.get(port >>> 8);
      default -> null;
    };
  }
}
