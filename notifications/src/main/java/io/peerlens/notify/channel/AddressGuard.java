package io.peerlens.notify.channel;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Egress guard: decides which addresses notifications may go to. A name is looked up once, all its
 * addresses are checked, and callers connect to the addresses they get from here, never to the
 * name: a second look-up might give other ones (DNS rebinding).
 */
public final class AddressGuard {

  private final Places allow;
  private final Places deny;
  private final PortRanges ports;
  private final HostResolver resolver;

  /** A guard with rules of the administrator. */
  public AddressGuard(EgressProperties rules, HostResolver resolver) {
    this.allow = new Places("peerlens.notify.egress.allow", rules.allow());
    this.deny = new Places("peerlens.notify.egress.deny", rules.deny());
    this.ports = new PortRanges("peerlens.notify.egress.ports", rules.ports());
    this.resolver = resolver;
  }

  /**
   * A host that may be connected to.
   *
   * @param name as given, in lower case
   * @param addresses all of them are allowed; at least one
   * @param inClear whether the administrator has allowed it, so that connections without TLS may go
   *     there
   */
  public record Destination(String name, List<InetAddress> addresses, boolean inClear) {}

  /**
   * Looks a host up and checks every address.
   *
   * @param host name or address
   * @throws EgressRefusedException if notifications must not go there
   * @throws UnknownHostException if the name is not known, which may pass
   */
  public Destination resolve(String host, int port)
      throws EgressRefusedException, UnknownHostException {
    HostName name;
    try {
      name = HostName.parse(host);
    } catch (IllegalArgumentException e) {
      throw new EgressRefusedException(String.valueOf(e.getMessage()));
    }
    if (!ports.contains(port)) {
      throw new EgressRefusedException(
          "Port " + port + " is not among peerlens.notify.egress.ports");
    }
    if (deny.names(name)) {
      throw denied(host);
    }
    List<InetAddress> addresses =
        name.literal() != null ? List.of(name.literal()) : resolver.resolve(name.name());
    if (addresses.isEmpty()) {
      throw new UnknownHostException(host);
    }
    boolean named = allow.names(name);
    boolean inClear = true;
    for (InetAddress address : addresses) {
      check(host, address, named);
      inClear &= named || allow.contains(address);
    }
    return new Destination(name.name(), List.copyOf(addresses), inClear);
  }

  /**
   * Why notifications must not go to a host, as far as that is known without asking for the
   * addresses of a name; {@code localhost} is known.
   *
   * @param host name or address
   * @return null = nothing is known against it
   */
  public @Nullable String refusal(String host, int port) {
    try {
      HostName name = HostName.parse(host);
      if (name.literal() != null || name.name().equals("localhost")) {
        resolve(host, port);
      } else if (deny.names(name)) {
        return denied(host).getMessage();
      }
      return null;
    } catch (EgressRefusedException | IllegalArgumentException e) {
      return e.getMessage();
    } catch (UnknownHostException e) {
      return null;
    }
  }

  private void check(String host, InetAddress address, boolean named)
      throws EgressRefusedException {
    if (deny.contains(address)) {
      throw denied(host);
    }
    AddressClass kind = AddressClass.of(address);
    boolean fine =
        switch (kind) {
          case GLOBAL -> true;
          case LOOPBACK, PRIVATE -> named || allow.contains(address);
          case SPECIAL -> allow.contains(address);
          case METADATA -> allow.containsAlone(address);
        };
    if (!fine) {
      throw new EgressRefusedException(
          "%s is %s (%s), where notifications must not go unless the administrator allows it: peerlens.notify.egress.allow"
              .formatted(host, kind.words(), address.getHostAddress()));
    }
    // A gateway behind an allowed IPv6 network must not lead to where IPv4 is refused.
    Optional<InetAddress> embedded = AddressClass.embedded(address);
    if (embedded.isPresent()) {
      check(host, embedded.get(), false);
    }
  }

  private static EgressRefusedException denied(String host) {
    return new EgressRefusedException(
        host + " is denied by the administrator: peerlens.notify.egress.deny");
  }
}
