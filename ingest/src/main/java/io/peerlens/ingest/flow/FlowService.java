package io.peerlens.ingest.flow;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A service as people name it: {@code 443/tcp}, {@code 53} for a port of whatever protocol, or
 * {@code icmp} for a protocol.
 *
 * @param name in lower case, without needless zeros: one service has one name
 * @param port {@link #ANY}, or its port
 * @param protocol {@link #ANY}, or IANA's number
 */
public record FlowService(String name, int port, int protocol) implements Comparable<FlowService> {

  /** Where a service does not say which. */
  public static final int ANY = -1;

  private static final int LAST_PORT = 65_535;

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException when it is none; the message says why
   */
  public static FlowService parse(String text) {
    String name = text.strip().toLowerCase(Locale.ROOT);
    int slash = name.indexOf('/');
    String first = slash < 0 ? name : name.substring(0, slash);
    if (first.isEmpty() || !Character.isDigit(first.charAt(0))) {
      if (slash >= 0) {
        throw new IllegalArgumentException("\"" + text + "\" does not begin with a port");
      }
      return new FlowService(name, ANY, protocol(text, name));
    }
    int port = port(text, first);
    if (slash < 0) {
      return new FlowService(String.valueOf(port), port, ANY);
    }
    String protocol = name.substring(slash + 1);
    return new FlowService(port + "/" + protocol, port, protocol(text, protocol));
  }

  private static int port(String text, String digits) {
    int port = digits.length() > 5 || !digits.matches("[0-9]+") ? -1 : Integer.parseInt(digits);
    if (port < 0 || port > LAST_PORT) {
      throw new IllegalArgumentException(
          "\"%s\": a port is a number from 0 to %d".formatted(text, LAST_PORT));
    }
    return port;
  }

  private static int protocol(String text, String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    int number = name.isEmpty() ? WordTable.ABSENT : Protocols.number(bytes, 0, bytes.length);
    if (number == WordTable.ABSENT || number == Protocols.UNKNOWN || !isPlain(name)) {
      throw new IllegalArgumentException(
          "\"%s\" names no protocol; give a service such as 443/tcp, 53 or icmp".formatted(text));
    }
    return number;
  }

  /** Names with spaces, bars, colons or plus signs would not do in the key of a metric. */
  private static boolean isPlain(String name) {
    return name.matches("[a-z][a-z0-9.-]{0,30}");
  }

  /** Whether traffic of this port and protocol is the service's. */
  public boolean matches(int ofPort, int ofProtocol) {
    return (port == ANY || port == ofPort) && (protocol == ANY || protocol == ofProtocol);
  }

  /** By port, then protocol; protocols without port come first. */
  @Override
  public int compareTo(FlowService other) {
    int c = Integer.compare(port, other.port);
    c = c != 0 ? c : Integer.compare(protocol, other.protocol);
    return c != 0 ? c : name.compareTo(other.name);
  }

  /** The name. */
  @Override
  public String toString() {
    return name;
  }

  /** As {@link #parse}; null = it is none. */
  static @Nullable FlowService read(String text) {
    try {
      return parse(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
