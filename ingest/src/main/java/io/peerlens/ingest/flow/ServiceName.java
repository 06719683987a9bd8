package io.peerlens.ingest.flow;

import java.util.Comparator;
import java.util.Optional;

/**
 * Name of a service as people write it: {@code 443/tcp}, {@code 53} for that port of any protocol,
 * {@code icmp} for a whole protocol, {@code ip-200} for one without a name.
 *
 * @param port {@link #ANY} = all of the protocol; ICMP: type * 256 + code
 * @param protocol {@link #ANY} = every one that has ports
 */
public record ServiceName(int port, int protocol) {

  /** By port, then protocol; whole protocols come first. */
  static final Comparator<ServiceName> BY_PORT =
      Comparator.comparingInt(ServiceName::port).thenComparingInt(ServiceName::protocol);

  /** Stands for every port, or every protocol. */
  public static final int ANY = -1;

  /** At least one of both is said. */
  public ServiceName {
    if (port < ANY || port > 0xFFFF || protocol < ANY || protocol > 0xFF) {
      throw new IllegalArgumentException("%d/%d is no service".formatted(port, protocol));
    }
    if (port == ANY && protocol == ANY) {
      throw new IllegalArgumentException("A service has a port, a protocol or both");
    }
  }

  /** Reads a name; empty when it is none. */
  public static Optional<ServiceName> parse(String text) {
    int slash = text.indexOf('/');
    String first = slash < 0 ? text : text.substring(0, slash);
    boolean isPort = first.matches("[0-9]{1,5}");
    if (!isPort) {
      int protocol = slash < 0 ? Protocols.ofWord(first) : ANY;
      return protocol == ANY ? Optional.empty() : Optional.of(new ServiceName(ANY, protocol));
    }
    int port = Integer.parseInt(first);
    int protocol = slash < 0 ? ANY : Protocols.ofWord(text.substring(slash + 1));
    return port > 0xFFFF || (slash >= 0 && protocol == ANY)
        ? Optional.empty()
        : Optional.of(new ServiceName(port, protocol));
  }

  /** The name of a service that was seen; {@link #parse} finds exactly it. */
  public static String of(int port, int protocol) {
    String word = protocol(protocol);
    boolean isAll = port == 0 && !ServicePorts.hasPorts(protocol) && !ServicePorts.isIcmp(protocol);
    return isAll ? word : port + "/" + word;
  }

  /** The name of a protocol: {@code tcp}, {@code ip-200}. */
  public static String protocol(int protocol) {
    return Protocols.word(protocol);
  }

  /** Name of a service for people: {@code https (443/tcp)}; just its name when it has no other. */
  public static String title(int port, int protocol) {
    String called = ServicePorts.name(protocol, port);
    String name = of(port, protocol);
    return called == null ? name : called + " (" + name + ")";
  }

  /** Text of the service: one service has one text, which {@link #parse} reads. */
  public String text() {
    if (protocol == ANY) {
      return String.valueOf(port);
    }
    return port == ANY ? protocol(protocol) : port + "/" + protocol(protocol);
  }

  /** Whether it means traffic of this port and protocol. */
  public boolean matches(int ofPort, int ofProtocol) {
    boolean protocolMatches =
        protocol == ANY ? ServicePorts.hasPorts(ofProtocol) : protocol == ofProtocol;
    return protocolMatches && (port == ANY || port == ofPort);
  }
}
