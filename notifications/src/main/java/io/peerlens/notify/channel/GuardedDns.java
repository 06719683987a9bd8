package io.peerlens.notify.channel;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.apache.hc.client5.http.DnsResolver;

/**
 * DNS resolver of the HTTP client that gives it checked addresses only. It connects to what it gets
 * here and looks nothing up itself; TLS still checks the name.
 *
 * @param inClear whether requests go without TLS, which the administrator must have allowed
 */
record GuardedDns(AddressGuard guard, boolean inClear) implements DnsResolver {

  /** Carries a refusal through an interface that knows unknown hosts only. */
  static final class Refused extends UnknownHostException {
    Refused(String message) {
      super(message);
    }
  }

  @Override
  public List<InetSocketAddress> resolve(String host, int port) throws UnknownHostException {
    return check(guard, host, port, inClear).stream()
        .map(address -> new InetSocketAddress(address, port))
        .toList();
  }

  static List<InetAddress> check(AddressGuard guard, String host, int port, boolean inClear)
      throws UnknownHostException {
    try {
      AddressGuard.Destination destination = guard.resolve(host, port);
      if (inClear && !destination.inClear()) {
        throw new Refused(
            "http without TLS is sent only where the administrator allows it, and not to "
                + host
                + ": use https, or peerlens.notify.egress.allow");
      }
      return destination.addresses();
    } catch (EgressRefusedException e) {
      throw new Refused(String.valueOf(e.getMessage()));
    }
  }

  /** Never asked, as ports matter. */
  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    throw new Refused("No look-up of " + host + " without a port");
  }

  @Override
  public String resolveCanonicalHostname(String host) {
    return host;
  }
}
