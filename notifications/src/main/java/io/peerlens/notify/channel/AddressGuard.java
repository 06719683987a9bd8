package io.peerlens.notify.channel;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Egress guard: decides which addresses notifications, or collectors, may go to. A name is looked
 * up once, all its addresses are checked, and callers connect to the addresses they get from here,
 * never to the name: a second look-up might give other ones (DNS rebinding).
 */
public final class AddressGuard {

  private final EgressRules rules;
  private final Places allow;
  private final Places deny;
  private final PortRanges ports;
  private final HostResolver resolver;

  /** A guard of notifications. */
  public AddressGuard(EgressProperties rules, HostResolver resolver) {
    this(rules.rules(), resolver);
  }

  /** A guard with rules of the administrator. */
  public AddressGuard(EgressRules rules, HostResolver resolver) {
    this.rules = rules;
    this.allow = new Places(rules.key("allow"), rules.allow());
    this.deny = new Places(rules.key("deny"), rules.deny());
    this.ports = new PortRanges(rules.key("ports"), rules.ports());
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
   * @throws EgressRefusedException if nothing must go there
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
    checkPort(port);
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
   * Why nothing must go to a host, as far as that is known without asking for the addresses of a
   * name; {@code localhost} is known.
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
        throw denied(host);
      }
      checkPort(port);
      return null;
    } catch (EgressRefusedException | IllegalArgumentException e) {
      return e.getMessage();
    } catch (UnknownHostException e) {
      return null;
    }
  }

  private void checkPort(int port) throws EgressRefusedException {
    if (!ports.contains(port)) {
      throw new EgressRefusedException("Port " + port + " is not among " + rules.key("ports"));
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
          case PRIVATE -> rules.isPrivateOpen() || named || allow.contains(address);
          case LOOPBACK -> named || allow.contains(address);
          case SPECIAL -> allow.contains(address);
          case METADATA -> allow.containsAlone(address);
        };
    if (!fine) {
      throw new EgressRefusedException(
          "%s is %s (%s), where %s must not go unless the administrator allows it: %s"
              .formatted(
                  host, kind.words(), address.getHostAddress(), rules.who(), rules.key("allow")));
    }
    // A gateway behind an allowed IPv6 network must not lead to where IPv4 is refused.
    Optional<InetAddress> embedded = AddressClass.embedded(address);
    if (embedded.isPresent()) {
      check(host, embedded.get(), false);
    }
  }

  private EgressRefusedException denied(String host) {
    return new EgressRefusedException(
        host + " is denied by the administrator: " + rules.key("deny"));
  }
}
